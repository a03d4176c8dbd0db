internal import CSystem

/// A descriptor through which any thread wakes the thread that polls it.
package final class Wakeup: Sendable {
    private let pipe: Descriptors.Pipe

    /// Readable while signals have not been taken.
    package var descriptor: Int32 { pipe.reading }

    /// Opens the descriptors.
    ///
    /// - Throws: An error if the system cannot open a pipe.
    package init() throws(SystemError) {
        // Only the reading end is nonblocking: the signals are counted, so none may be dropped.
        pipe = try Descriptors.makePipe()
        Descriptors.setNonblocking(pipe.reading)
    }

    deinit { pipe.close() }

    /// Wakes the thread that polls; may be called by any thread.
    package func signal() {
        var byte: UInt8 = 0
        while write(pipe.writing, &byte, 1) < 0, errno == EINTR {}
    }

    /// Takes at most 64 of the signals that were given; while more are left, the descriptor stays readable.
    ///
    /// - Returns: Their number.
    package func take() -> Int {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            guard case .bytes(let count) = Descriptors.read(pipe.reading, into: buffer) else { return 0 }
            return count
        }
    }
}
