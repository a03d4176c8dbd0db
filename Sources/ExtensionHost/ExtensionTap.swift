public import JSONRPC

/// Sees all that a process of an extension says, and its end.
public protocol ExtensionTap: WireTap {
    /// Bytes of the process's stderr were read.
    func didReadError(_ bytes: UnsafeRawBufferPointer)

    /// The process is gone; called when all that it wrote was read.
    func didEnd(exitCode: Int32?, signal: Int32?)
}
