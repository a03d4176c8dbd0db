internal import CNATS

extension Connection {
    /// Acknowledges messages, and waits until the server has confirmed every acknowledgement.
    ///
    /// - Parameter messages: The messages.
    /// - Throws: `timeout` if not all were confirmed, `notFound` if the consumer was deleted; any of the messages may come
    ///   again.
    package func acknowledge(_ messages: [Message]) throws(NATSError) {
        guard !messages.isEmpty else { return }
        let inbox = newInbox()
        var subscription: OpaquePointer?
        try call("subscribe to \(inbox)") { _ in natsConnection_SubscribeSync(&subscription, handle, inbox) }
        defer { natsSubscription_Destroy(subscription) }
        // No limit: a confirmation that was dropped would look like a timeout.
        natsSubscription_SetPendingLimits(subscription, -1, -1)
        for message in messages {
            try call("acknowledge message \(message.sequence)") { _ in
                natsConnection_PublishRequestString(handle, message.reply, inbox, "+ACK")
            }
        }
        let deadline = ContinuousClock.now + options.timeout
        for _ in messages {
            var reply: OpaquePointer?
            try call("acknowledge \(messages.count) messages") { _ in
                natsSubscription_NextMsg(&reply, subscription, ContinuousClock.now.duration(to: deadline).milliseconds)
            }
            let isRefused = natsMsg_IsNoResponders(reply)
            natsMsg_Destroy(reply)
            // If the consumer was deleted, nobody receives the acknowledgement.
            guard !isRefused else {
                throw NATSError(.notFound, "cannot acknowledge \(messages.count) messages: the consumer is gone")
            }
        }
    }

    /// A new subject for replies, which no other subscription has.
    func newInbox() -> String {
        var inbox: UnsafeMutablePointer<natsInbox>?
        guard natsInbox_Create(&inbox) == NATS_OK, let inbox else { fatalError("out of memory") }
        defer { natsInbox_Destroy(inbox) }
        return String(cString: inbox)
    }
}
