internal import CSystem

/// Functions that create, read and write descriptors.
package enum Descriptors {
    /// The result of one read.
    package enum ReadOutcome: Equatable {
        /// So many bytes were read, at least one.
        case bytes(Int)
        /// The descriptor has no bytes now.
        case nothing
        /// The stream has ended, or reading failed.
        case end
    }

    /// The two ends of a pipe.
    package struct Pipe {
        /// The end to read from.
        package let reading: Int32
        /// The end to write to.
        package let writing: Int32

        /// Closes both ends.
        package func close() {
            Platform.close(reading)
            Platform.close(writing)
        }
    }

    /// Creates a pipe whose ends are closed on exec.
    ///
    /// - Throws: Why it cannot be created.
    package static func makePipe(isNonblocking: Bool = false) throws(SystemError) -> Pipe {
        var ends: [Int32] = [-1, -1]
        let result = isNonblocking ? csystem_nonblocking_pipe(&ends) : csystem_pipe(&ends)
        guard result == 0 else { throw SystemError(-result) }
        return Pipe(reading: ends[0], writing: ends[1])
    }

    /// Sets or clears `O_NONBLOCK` of the open file description, which other descriptors may share.
    package static func setNonblocking(_ descriptor: Int32, _ isNonblocking: Bool = true) {
        csystem_set_nonblocking(descriptor, isNonblocking ? 1 : 0)
    }

    /// Reads once.
    package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        let count = Platform.read(descriptor, buffer.baseAddress, buffer.count)
        guard count <= 0 else { return .bytes(count) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }

    /// Reads once, and passes the bytes to a closure; a descriptor that was closed, -1, is at its end.
    package static func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> ReadOutcome {
        let outcome = read(descriptor, into: buffer)
        if case .bytes(let count) = outcome { body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
        return outcome
    }

    /// Reads once from a pipe that leads from this process to itself, for signals or threads.
    ///
    /// If that fails, it ends the process, which would hear nothing any more and poll without a pause.
    ///
    /// - Returns: The number of bytes; 0 if there are none now.
    package static func readOwnPipe(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = Platform.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno != EAGAIN, errno != EINTR { endOfOwnPipe("read from", errno) }
        return max(0, count)
    }

    fileprivate static func endOfOwnPipe(_ what: String, _ number: Int32) -> Never {
        let text = "pushhost cannot \(what) a pipe of its own: \(String(cString: strerror(number)))\n"
        try? writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
        exit(EX_OSERR)
    }

    /// Reads a regular file, which never blocks, from the current position to the end.
    ///
    /// At most as many bytes as the limit are read; ask for one more than allowed to notice a larger file.
    ///
    /// - Throws: Why the file cannot be read.
    package static func readAll(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        // Read into its final place: copying a large file would keep the event loop busy.
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit, let start = buffer.baseAddress {
                let read = Platform.read(descriptor, start + count, limit - count)
                if read < 0, errno == EINTR { continue }
                if read < 0 { failure = .last }
                guard read > 0 else { break }
                count += read
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Moves the position of a regular file to its beginning.
    package static func rewind(_ descriptor: Int32) throws(SystemError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last }
    }

    /// Writes all bytes to a descriptor that may block.
    ///
    /// - Throws: Why they cannot be written; some of them may have been written.
    package static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Platform.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last }
            rest.removeFirst(count)
        }
    }

    /// The number of bytes that a pipe holds and nobody has read; 0 for a closed descriptor.
    package static func unreadCount(_ descriptor: Int32) -> Int { max(0, Int(csystem_readable(descriptor))) }
}

/// A descriptor for writing that never blocks the caller and does not change the mode of descriptors that others share.
package final class OutputDescriptor {
    /// The result of one write.
    package enum Outcome: Equatable {
        /// So many bytes were written; 0 if none can be written now.
        case wrote(Int)
        /// The reader has closed its end.
        case gone
        /// Writing failed for another reason, with the number of the system's error.
        case failed(Int32)
    }

    private var output = csystem_output()

    /// Opens a descriptor that writes to the same file; `nil` if that fails.
    package init?(_ descriptor: Int32) {
        output.fd = -1
        guard csystem_open_output(descriptor, &output) == 0 else {
            output.fd = -1
            return nil
        }
    }

    deinit {
        // The descriptor is -1 if the initializer failed.
        if output.fd >= 0 { close(output.fd) }
    }

    /// The descriptor to poll for writing.
    package var descriptor: Int32 { output.fd }

    /// Writes as many of the bytes as possible without blocking.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        guard !bytes.isEmpty else { return .wrote(0) }
        // This kind of descriptor may block unless poll(2) reports it as writable.
        if output.kind == CSYSTEM_OUTPUT_ATOMIC, !PollSet.isWritable(output.fd) { return .wrote(0) }
        let written = csystem_output_write(&output, bytes.baseAddress, bytes.count)
        guard written < 0 else { return .wrote(written) }
        return written == -Int(EPIPE) || written == -Int(ECONNRESET) ? .gone : .failed(Int32(-written))
    }
}

/// Functions on the standard descriptors 0 to 2.
package enum StandardStreams {
    /// Whether a descriptor leads to a regular file.
    package static func isFile(_ descriptor: Int32) -> Bool { FileStamp(of: descriptor)?.kind == .file }

    /// Redirects descriptor 1 into a pipe, so that a stray print cannot appear between the lines of the protocol.
    ///
    /// - Returns: The end of the pipe from which printed text can be read, or -1.
    package static func divertOutput() -> Int32 {
        // Nonblocking, because a print into a full pipe must not block the thread that reads the pipe; such text is lost.
        guard let pipe = try? Descriptors.makePipe(isNonblocking: true) else { return -1 }
        dup2(pipe.writing, 1)
        close(pipe.writing)
        return pipe.reading
    }
}

/// Descriptors to wait for with `poll(2)`.
///
/// To know what a descriptor is for, an owner keeps an array in the same order, or compares descriptors.
package struct PollSet {
    /// What to wait for.
    package enum Interest {
        /// Bytes to read, or the end of the stream.
        case reading
        /// Room to write.
        case writing
    }

    private var entries: [pollfd] = []

    /// An empty set.
    package init() {}

    /// The number of descriptors.
    package var count: Int { entries.count }

    /// Adds a descriptor at the end.
    package mutating func add(_ descriptor: Int32, for interest: Interest) {
        entries.append(pollfd(fd: descriptor, events: Int16(interest == .writing ? POLLOUT : POLLIN), revents: 0))
    }

    /// Removes all descriptors and keeps the memory.
    package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Waits until a descriptor is ready, a signal arrives or a monotonic time in milliseconds has passed; without a time
    /// it waits without limit.
    ///
    /// - Returns: The number of descriptors that are ready, broken or closed at the other end.
    @discardableResult
    package mutating func wait(until deadline: Int64?) -> Int {
        wait(milliseconds: deadline.map { Int32(clamping: max(0, $0 - Clock.monotonic())) })
    }

    /// Waits until a descriptor is ready, a signal arrives or so many milliseconds have passed; without a number it waits
    /// without limit.
    ///
    /// - Returns: The number of descriptors that are ready, broken or closed at the other end.
    @discardableResult
    package mutating func wait(milliseconds: Int32?) -> Int {
        let count = poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
        guard count < 0 else { return Int(count) }
        for index in entries.indices { entries[index].revents = 0 }
        return 0
    }

    /// Whether the descriptor at an index was ready when the last wait ended.
    package func isReady(at index: Int) -> Bool { entries[index].revents != 0 }

    /// The descriptors that were ready when the last wait ended, in the order in which they were added.
    package var ready: [Int32] { entries.filter { $0.revents != 0 }.map(\.fd) }

    /// Whether bytes can be written to a descriptor now.
    package static func isWritable(_ descriptor: Int32) -> Bool {
        var set = PollSet()
        set.add(descriptor, for: .writing)
        return set.wait(milliseconds: 0) == 1
    }
}

/// Descriptors to read from that seldom change, behind one descriptor that is polled in their place.
package final class ReadWatch {
    /// Readable while any of the watched descriptors is, or is at its end.
    package let descriptor: Int32
    private var watched: Set<Int32> = []

    /// A watch of nothing; nil if the system has no descriptor left.
    package init?() {
        descriptor = csystem_watch_open()
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Watches other descriptors instead of those before; its cost grows with the number of those that change.
    ///
    /// A descriptor that was closed must be left out once before its number is watched again.
    ///
    /// - Returns: Whether all of them are watched; false if the system refused one.
    package func replace(_ descriptors: [Int32]) -> Bool {
        let wanted = Set(descriptors)
        for descriptor in watched.subtracting(wanted) { csystem_watch_remove(self.descriptor, descriptor) }
        watched.formIntersection(wanted)
        for descriptor in wanted.subtracting(watched)
        where csystem_watch_add(self.descriptor, descriptor, descriptor) == 0 {
            watched.insert(descriptor)
        }
        return watched.count == wanted.count
    }

    /// The descriptors that are readable or at their end, at most 64 of them.
    package func ready() -> [Int32] {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 64) { descriptors in
            let count = csystem_watch_ready(descriptor, descriptors.baseAddress, Int32(descriptors.count))
            return Array(descriptors[..<Int(count)])
        }
    }
}

/// A descriptor through which any thread wakes the thread that polls it.
package final class Wakeup: Sendable {
    private let pipe: Descriptors.Pipe

    /// Readable while signals have not been taken.
    package var descriptor: Int32 { pipe.reading }

    /// - Throws: Why the system cannot open a pipe.
    package init() throws(SystemError) {
        // Only the reading end is nonblocking: the signals are counted, so none may be dropped.
        pipe = try Descriptors.makePipe()
        Descriptors.setNonblocking(pipe.reading)
    }

    deinit { pipe.close() }

    /// Wakes the thread that polls; may be called by any thread.
    package func signal() {
        var byte: UInt8 = 0
        while write(pipe.writing, &byte, 1) < 0 {
            guard errno == EINTR else { Descriptors.endOfOwnPipe("write to", errno) }
        }
    }

    /// Takes at most 64 of the signals, and returns their number; while more are left, the descriptor stays readable.
    package func take() -> Int {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            Descriptors.readOwnPipe(pipe.reading, into: buffer)
        }
    }
}
