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
