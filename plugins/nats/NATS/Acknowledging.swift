internal import CNATS

extension Connection {
    /// Acknowledges messages, and waits until the server has stored that.
    ///
    /// - Parameter messages: The messages.
    /// - Throws: `timeout` if the server did not confirm all of them: some may come again.
    package func acknowledge(_ messages: [Message]) throws(NATSError) {
        guard !messages.isEmpty else { return }
        let inbox = newInbox()
        var created: OpaquePointer?
        try call("subscribe to \(inbox)") { _ in natsConnection_SubscribeSync(&created, handle, inbox) }
        defer { natsSubscription_Destroy(created) }
        natsSubscription_SetPendingLimits(created, -1, -1)
        for message in messages {
            try call("acknowledge message \(message.sequence)") { _ in
                natsConnection_PublishRequestString(handle, message.reply, inbox, "+ACK")
            }
        }
        let deadline = ContinuousClock.now + options.timeout
        for _ in messages {
            var reply: OpaquePointer?
            try call("acknowledge \(messages.count) messages") { _ in
                natsSubscription_NextMsg(&reply, created, ContinuousClock.now.duration(to: deadline).milliseconds)
            }
            let isRefused = natsMsg_IsNoResponders(reply)
            natsMsg_Destroy(reply)
            // An acknowledgement of a consumer that was deleted has no receiver.
            guard !isRefused else {
                throw NATSError(.notFound, "cannot acknowledge \(messages.count) messages: the consumer is gone")
            }
        }
    }

    /// A subject that nobody else uses.
    func newInbox() -> String {
        var inbox: UnsafeMutablePointer<natsInbox>?
        guard natsInbox_Create(&inbox) == NATS_OK, let inbox else { fatalError("out of memory") }
        defer { natsInbox_Destroy(inbox) }
        return String(cString: inbox)
    }
}
