/// Observes every byte of a connection, in the order in which the session reads and writes them.
///
/// - Important: Called within the session's own calls; it must not call back.
public protocol WireTap: AnyObject {
    /// The peer sent bytes, which are carried out next; they are valid during the call alone.
    func didRead(_ bytes: UnsafeRawBufferPointer)

    /// The peer's stream ended.
    func didReadEnd()

    /// A line waits to be written to the peer; it is without its end, and valid during the call alone.
    func willWrite(_ line: UnsafeRawBufferPointer)
}
