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
