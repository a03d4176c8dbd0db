public import JSONRPC

/// Sees all that a process of an extension says, and its end.
public protocol ExtensionTap: WireTap {
    /// Bytes of the process's stderr were read.
    func didReadError(_ bytes: UnsafeRawBufferPointer)

    /// The process closed its stdout long ago without ending, and is stopped for it.
    func didCloseOutput()

    /// The process is gone; called when all that it wrote was read.
    ///
    /// - Parameters:
    ///   - exitCode: Its exit code, where it exited.
    ///   - signal: The signal that ended it, where one did.
    ///   - wasStopped: Whether the host had sent it a signal to end.
    func didEnd(exitCode: Int32?, signal: Int32?, wasStopped: Bool)
}
