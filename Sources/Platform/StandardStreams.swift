internal import Foundation

/// The descriptors 0 to 2 that the process was started with.
package enum StandardStreams {
    /// Whether a descriptor leads to a regular file.
    package static func isFile(_ descriptor: Int32) -> Bool { FileStamp(of: descriptor)?.kind == .file }

    /// Points descriptor 1 at a pipe, so that a stray print cannot get between the lines of the protocol.
    ///
    /// - Returns: The end of the pipe to read what was printed from, or -1.
    package static func divertOutput() -> Int32 {
        guard let pipe = try? Descriptors.makePipe() else { return -1 }
        // A print that nobody drains in time is lost; it must not stop the thread that would drain it.
        Descriptors.setNonblocking(pipe.reading)
        Descriptors.setNonblocking(pipe.writing)
        dup2(pipe.writing, 1)
        close(pipe.writing)
        return pipe.reading
    }
}
