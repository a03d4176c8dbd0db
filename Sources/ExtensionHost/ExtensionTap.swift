public import JSONRPC

/// Sees all that a process of an extension says, and its end.
public protocol ExtensionTap: WireTap {
    /// The process wrote a line on its stderr; a long one comes in pieces.
    func didReadError(_ line: String)

    /// The process is gone; called when all that it wrote was read.
    func didEnd(exitCode: Int32?, signal: Int32?)
}
