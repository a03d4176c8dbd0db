import Foundation

extension ChildProcess {
    /// Writes bytes to the child's stdin; unless its stdout is read meanwhile, a child that answers may block us.
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

    /// Writes one line, given without its end.
    public func write(line: String) throws { try write("\(line)\n".utf8) }

    /// Tells the child that no more comes.
    public func closeInput() {
        guard input >= 0 else { return }
        close(input)
        input = -1
    }

    /// The next line of stdout without its end, or nothing at the end; a last line without LF counts.
    public func readLine() throws -> String? {
        let deadline = Deadline()
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[taken..<end], as: UTF8.self)
                take(upTo: end + 1)
                return line
            }
            searched = buffer.count
            if isAtEnd {
                guard taken < buffer.count else { return nil }
                return takeAll()
            }
            try awaitOutput(until: deadline, for: "a line")
        }
    }

    /// All of stdout that nobody read yet, up to its end.
    public func readToEnd() throws -> String {
        let deadline = Deadline()
        while !isAtEnd { try awaitOutput(until: deadline, for: "the end of its stdout") }
        return takeAll()
    }

    /// Waits until the child ends; its stdout is kept for ``readLine()`` and ``readToEnd()``.
    public func wait() throws -> Status {
        let deadline = Deadline()
        while true {
            if let status = reaper.status { return status }
            let found = try poll(
                [(reaper.ended, POLLIN), (isAtEnd ? -1 : output, POLLIN)],
                until: deadline,
                for: "its end"
            )
            if found[1] { fill() }
        }
    }

    private func awaitOutput(until deadline: Deadline, for goal: String) throws {
        if try poll([(output, POLLIN)], until: deadline, for: goal)[0] { fill() }
    }

    /// Waits until one of the descriptors has news; a negative one never has.
    private func poll(_ wanted: [(Int32, Int32)], until deadline: Deadline, for goal: String) throws -> [Bool] {
        var entries = wanted.map { pollfd(fd: $0.0, events: Int16($0.1), revents: 0) }
        let count = Foundation.poll(&entries, nfds_t(entries.count), deadline.milliseconds)
        guard count != 0 else {
            throw failure("waited \(Int(Self.patience)) s for \(name): \(goal)")
        }
        return entries.map { count > 0 && $0.revents != 0 }
    }

    /// Takes what stdout holds now.
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

    private func take(upTo end: Int) {
        taken = end
        if taken > buffer.count / 2 {
            buffer.removeFirst(taken)
            taken = 0
        }
        searched = taken
    }

    private func takeAll() -> String {
        let text = String(decoding: buffer[taken...], as: UTF8.self)
        take(upTo: buffer.count)
        return text
    }

    private func failure(_ text: String) -> TestFailure {
        let errors = standardError
        return TestFailure(errors.isEmpty ? text : "\(text); its stderr says: \(errors.suffix(2_000))")
    }
}

/// The moment up to which one call may wait.
private struct Deadline {
    private let end = ContinuousClock.now + .seconds(ChildProcess.patience)

    /// What is left, as `poll` wants it.
    var milliseconds: Int32 {
        Int32(max(0, (end - .now) / .milliseconds(1)))
    }
}
