internal import CNATS

/// The changes of a bucket from now on, as they are made.
///
/// It only wakes those who wait for a change: what is changed while a connection is lost does not arrive, and nothing
/// arrives if the account may not subscribe to the bucket's subjects. One thread at a time uses it.
package final class KeyValueWatch {
    /// A change of a key.
    package struct Change: Sendable {
        /// The key.
        package let key: String
        /// The new value; nil if the key was deleted.
        package let value: [UInt8]?
    }

    private let connection: Connection
    private let subscription: OpaquePointer
    private let prefix: String

    /// Begins to watch.
    ///
    /// - Throws: Why that is not possible.
    init(_ subjects: (prefix: String, all: String), on connection: Connection) throws(NATSError) {
        self.connection = connection
        prefix = subjects.prefix
        var created: OpaquePointer?
        try connection.call("subscribe to \(subjects.all)") { _ in
            natsConnection_SubscribeSync(&created, connection.handle, subjects.all)
        }
        guard let created else { throw NATSError(.invalid, "cannot subscribe to \(subjects.all)") }
        subscription = created
    }

    deinit { connection.destroy(subscription) }

    /// Waits for the next change.
    ///
    /// - Parameter wait: How long to wait.
    /// - Returns: The change; nil if there is none in time.
    /// - Throws: `closed` if the connection is closed; other errors if changes were dropped because too many waited.
    package func next(_ wait: Duration) throws(NATSError) -> Change? {
        var received: OpaquePointer?
        let status = natsSubscription_NextMsg(&received, subscription, max(1, wait.milliseconds))
        guard status != NATS_TIMEOUT else { return nil }
        guard status == NATS_OK, let received else { throw NATSError(status, "watch \(prefix)") }
        defer { natsMsg_Destroy(received) }
        let message = Message(stored: received)
        return Change(
            key: String(message.subject.dropFirst(prefix.count)),
            value: message.isDeletion ? nil : message.body
        )
    }
}
