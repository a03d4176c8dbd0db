internal import CNATS
internal import Dispatch
internal import Synchronization

extension Connection {
    /// Acknowledges messages, and waits until the server has confirmed every acknowledgement.
    ///
    /// - Parameter messages: The messages.
    /// - Throws: `timeout` if not all were confirmed, `notFound` if the consumer was deleted; any of the messages may come
    ///   again.
    package func acknowledge(_ messages: [Message]) throws(NATSError) {
        guard !messages.isEmpty else { return }
        let doing = "acknowledge \(messages.count) messages"
        let confirmations = try confirmations()
        let wait = confirmations.expect(messages.count)
        defer { confirmations.forget(wait) }
        for message in messages {
            try call("acknowledge message \(message.sequence)") { _ in
                natsConnection_PublishRequestString(handle, message.acknowledgeSubject, wait.subject, "+ACK")
            }
        }
        _ = wait.done.wait(timeout: .now() + .nanoseconds(Int(options.timeout.nanoseconds)))
        let rest = confirmations.rest(wait)
        // If the consumer was deleted, nobody receives the acknowledgement.
        guard !rest.isRefused else { throw NATSError(.notFound, "cannot \(doing): the consumer is gone") }
        try call(doing) { _ in rest.missing == 0 ? NATS_OK : NATS_TIMEOUT }
    }

    /// A new subject for replies, which no other subscription has.
    func newInbox() -> String {
        var inbox: UnsafeMutablePointer<natsInbox>?
        guard natsInbox_Create(&inbox) == NATS_OK, let inbox else { fatalError("out of memory") }
        defer { natsInbox_Destroy(inbox) }
        return String(cString: inbox)
    }
}

/// The confirmations of acknowledgements, for which a connection has one subscription as long as it lives.
///
/// Up to libnats 3.5 the library's reader uses a subscription that another thread destroys while a message for it arrives
/// (nats.c, issue 637), so none is made for each call.
final class Confirmations: Sendable {
    /// Confirmations for which a call waits.
    struct Wait: Sendable {
        fileprivate let number: Int
        /// The subject to which they are sent.
        let subject: String
        /// Signalled when all are there, one says that nobody received the acknowledgement, or the connection is closed.
        let done = DispatchSemaphore(value: 0)
    }

    private struct State {
        var last = 0
        var waiting: [Int: (wait: Wait, rest: Rest)] = [:]
    }

    /// What a call still waits for.
    struct Rest {
        var missing: Int
        var isRefused = false
    }

    /// What the subscription listens to is below this subject.
    let inbox: String
    private let state = Mutex(State())

    init(inbox: String) { self.inbox = inbox }

    func expect(_ count: Int) -> Wait {
        state.withLock { state in
            state.last += 1
            let wait = Wait(number: state.last, subject: "\(inbox).\(state.last)")
            state.waiting[state.last] = (wait, Rest(missing: count))
            return wait
        }
    }

    func forget(_ wait: Wait) { state.withLock { $0.waiting[wait.number] = nil } }

    func rest(_ wait: Wait) -> Rest { state.withLock { $0.waiting[wait.number]?.rest ?? Rest(missing: 0) } }

    /// Ends all calls, because nothing arrives any more.
    func end() { state.withLock { $0.waiting.values.map(\.wait.done) }.forEach { $0.signal() } }

    /// Subscribes for as long as the connection lives.
    ///
    /// This object is never freed, as a thread of the library may call while the connection is destroyed.
    ///
    /// - Parameters:
    ///   - handle: The connection.
    ///   - subscription: Receives the subscription.
    /// - Returns: The result of the library.
    func subscribe(_ handle: OpaquePointer, _ subscription: inout OpaquePointer?) -> natsStatus {
        let closure = Unmanaged.passRetained(self).toOpaque()
        let handler: natsMsgHandler = { _, _, message, closure in
            guard let message, let closure else { return }
            Unmanaged<Confirmations>.fromOpaque(closure).takeUnretainedValue().receive(message)
            natsMsg_Destroy(message)
        }
        let status = natsConnection_Subscribe(&subscription, handle, "\(inbox).*", handler, closure)
        // No limit: a confirmation that was dropped would look like a timeout.
        if status == NATS_OK { natsSubscription_SetPendingLimits(subscription, -1, -1) }
        return status
    }

    private func receive(_ message: OpaquePointer) {
        let subject = String(cString: natsMsg_GetSubject(message))
        guard let number = Int(subject.dropFirst(inbox.count + 1)) else { return }
        let isRefused = natsMsg_IsNoResponders(message)
        let done = state.withLock { state -> DispatchSemaphore? in
            guard var entry = state.waiting[number] else { return nil }
            entry.rest.missing -= 1
            entry.rest.isRefused = entry.rest.isRefused || isRefused
            state.waiting[number] = entry
            return isRefused || entry.rest.missing == 0 ? entry.wait.done : nil
        }
        done?.signal()
    }
}
