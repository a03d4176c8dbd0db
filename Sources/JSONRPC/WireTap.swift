/// Observes every byte of a connection, in the order in which the session reads and writes them.
///
/// - Important: Called while the session reads or writes; it must not call the session.
public protocol WireTap: AnyObject {
    /// The peer sent bytes, which are handled next; they are valid only during the call.
    func didRead(_ bytes: UnsafeRawBufferPointer)

    /// The peer's stream ended.
    func didReadEnd()

    /// A line without its end waits to be written to the peer; it is valid only during the call.
    func willWrite(_ line: UnsafeRawBufferPointer)
}
