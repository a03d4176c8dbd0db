public import JSONRPC

/// Records everything that a process of an extension reads and writes, and its end.
public protocol ExtensionTap: WireTap {
    /// Bytes of the process's stderr were read.
    func didReadError(_ bytes: UnsafeRawBufferPointer)

    /// The process closed its stdout without ending, and is stopped for it.
    func didCloseOutput()

    /// The process ended, and everything that it wrote was read.
    ///
    /// - Parameters:
    ///   - exitCode: Its exit code, if it exited.
    ///   - signal: The signal that ended it, if one did.
    ///   - wasStopped: Whether the host had sent it SIGTERM or SIGKILL.
    func didEnd(exitCode: Int32?, signal: Int32?, wasStopped: Bool)
}
