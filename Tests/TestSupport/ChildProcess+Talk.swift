import Foundation

extension ChildProcess {
    /// Writes bytes to the child's stdin.
    ///
    /// If `readsOutput` is false and the child answers, both may block until the call throws.
    public func write(_ bytes: some Collection<UInt8>, readsOutput: Bool = true) throws {
        guard input >= 0 else { throw TestFailure("\(name) has no open stdin pipe") }
        let deadline = Deadline()
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                let found = try poll(
                    [(input, POLLOUT), (readsOutput && !isAtEnd ? output : -1, POLLIN)],
                    until: deadline,
                    for: "room in its stdin"
                )
                if found[1] { fill() }
            } else if errno != EINTR {
                throw failure("cannot write to \(name): \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Writes one line, given without its newline.
    public func write(line: String) throws { try write("\(line)\n".utf8) }

    /// Closes the child's stdin.
    public func closeInput() {
        guard input >= 0 else { return }
        close(input)
        input = -1
    }

    /// Reads the next line of stdout, without its newline, or returns nil at the end; a last line without LF counts.
    public func readLine() throws -> String? {
        let deadline = Deadline()
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[consumed..<end], as: UTF8.self)
                consume(upTo: end + 1)
                return line
            }
            searched = buffer.count
            if isAtEnd {
                guard consumed < buffer.count else { return nil }
                return consumeAll()
            }
            try awaitOutput(until: deadline, for: "a line")
        }
    }

    /// Reads the unread rest of stdout, up to its end.
    public func readToEnd() throws -> String {
        let deadline = Deadline()
        while !isAtEnd { try awaitOutput(until: deadline, for: "the end of its stdout") }
        return consumeAll()
    }

    /// Waits until the child exits; its stdout is kept for ``readLine()`` and ``readToEnd()``.
    public func wait() throws -> Status {
        let deadline = Deadline()
        while true {
            if let status = reaper.status { return status }
            let found = try poll(
                [(reaper.ended, POLLIN), (isAtEnd ? -1 : output, POLLIN)],
                until: deadline,
                for: "its exit"
            )
            if found[1] { fill() }
        }
    }

    private func awaitOutput(until deadline: Deadline, for goal: String) throws {
        if try poll([(output, POLLIN)], until: deadline, for: goal)[0] { fill() }
    }

    /// Waits until one of the descriptors has events, and returns which ones have; a negative descriptor never has.
    private func poll(_ wanted: [(Int32, Int32)], until deadline: Deadline, for goal: String) throws -> [Bool] {
        var entries = wanted.map { pollfd(fd: $0.0, events: Int16($0.1), revents: 0) }
        let count = Foundation.poll(&entries, nfds_t(entries.count), deadline.milliseconds)
        guard count != 0 else {
            throw failure("\(name) did not provide \(goal) within \(Int(Self.patience)) s")
        }
        return entries.map { count > 0 && $0.revents != 0 }
    }

    /// Reads the bytes that stdout contains now.
    private func fill() {
        let chunk = 1 << 16
        while !isAtEnd {
            var (count, error) = (0, CInt(0))
            buffer += [UInt8](unsafeUninitializedCapacity: chunk) { room, filled in
                count = read(output, room.baseAddress, chunk)
                error = errno
                filled = max(0, count)
            }
            if count == 0 || (count < 0 && error != EAGAIN && error != EINTR) { isAtEnd = true }
            guard count == chunk else { return }
        }
    }

    private func consume(upTo end: Int) {
        consumed = end
        if consumed > buffer.count / 2 {
            buffer.removeFirst(consumed)
            consumed = 0
        }
        searched = consumed
    }

    private func consumeAll() -> String {
        let text = String(decoding: buffer[consumed...], as: UTF8.self)
        consume(upTo: buffer.count)
        return text
    }

    private func failure(_ text: String) -> TestFailure {
        let errors = standardError
        return TestFailure(errors.isEmpty ? text : "\(text); its stderr says: \(errors.suffix(2_000))")
    }
}

/// The time at which a waiting call gives up.
private struct Deadline {
    private let end = ContinuousClock.now + .seconds(ChildProcess.patience)

    /// The remaining time, as `poll` expects it.
    var milliseconds: Int32 {
        Int32(max(0, (end - .now) / .milliseconds(1)))
    }
}
