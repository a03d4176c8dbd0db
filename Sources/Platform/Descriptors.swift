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
    /// - Parameter isNonblocking: Whether neither end blocks.
    /// - Returns: The ends.
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

    /// Reads from the current position to the end.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor of a regular file, which never blocks.
    ///   - limit: The greatest number of bytes to read; ask for one more than allowed to notice a larger file.
    /// - Returns: The bytes.
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
