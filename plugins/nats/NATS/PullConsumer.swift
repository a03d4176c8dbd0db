internal import CNATS

/// The properties of a durable consumer from which messages are fetched; each is acknowledged by itself.
package struct ConsumerConfiguration: Sendable {
    /// The stream.
    package var stream: String
    /// The name: without `.`, `*`, `>` and spaces.
    package var name: String
    /// The subjects whose messages it delivers.
    package var filter: String
    /// After how long without an acknowledgement it delivers a message again.
    package var acknowledgementWait: Duration
    /// How many messages it delivers before the first of them is acknowledged.
    package var maximumPending: Int
    /// The number of the first message that it may deliver.
    package var start: Int64

    /// Properties.
    package init(
        stream: String,
        name: String,
        filter: String,
        acknowledgementWait: Duration,
        maximumPending: Int,
        start: Int64
    ) {
        self.stream = stream
        self.name = name
        self.filter = filter
        self.acknowledgementWait = acknowledgementWait
        self.maximumPending = maximumPending
        self.start = start
    }
}

extension Connection {
    /// Creates a durable consumer.
    ///
    /// - Parameter configuration: Its properties.
    /// - Throws: Why it cannot be created.
    package func createConsumer(_ configuration: ConsumerConfiguration) throws(NATSError) {
        let strings = CStrings()
        var settings = jsConsumerConfig()
        jsConsumerConfig_Init(&settings)
        settings.Durable = strings.copy(configuration.name)
        settings.FilterSubject = strings.copy(configuration.filter)
        settings.DeliverPolicy = js_DeliverByStartSequence
        settings.OptStartSeq = UInt64(max(1, configuration.start))
        settings.AckPolicy = js_AckExplicit
        settings.AckWait = configuration.acknowledgementWait.nanoseconds
        settings.MaxAckPending = Int64(configuration.maximumPending)
        settings.MaxWaiting = 16
        var options = patient
        try call("create the consumer \(configuration.name) of \(configuration.stream)") {
            js_AddConsumer(nil, stream, configuration.stream, &settings, &options, &$0)
        }
    }

    /// Deletes a consumer.
    ///
    /// - Parameters:
    ///   - name: The consumer.
    ///   - stream: The stream.
    /// - Throws: `notFound` if there is no such consumer.
    package func deleteConsumer(_ name: String, of stream: String) throws(NATSError) {
        try call("delete the consumer \(name) of \(stream)") {
            js_DeleteConsumer(self.stream, stream, name, nil, &$0)
        }
    }

    /// Asks for a consumer; throws `notFound` if there is none.
    fileprivate func expectConsumer(_ name: String, of stream: String) throws(NATSError) {
        var info: UnsafeMutablePointer<jsConsumerInfo>?
        try call("read the consumer \(name) of \(stream)") {
            js_GetConsumerInfo(&info, self.stream, stream, name, nil, &$0)
        }
        jsConsumerInfo_Destroy(info)
    }
}

/// Fetches the messages of a new consumer, in the stream's order and each of them once, or says that it cannot.
///
/// One thread at a time uses it. The consumer must have been created for it: it counts the deliveries from the first one,
/// so that it notices if one is missing, because it was lost with a connection, or comes again. The consumer would deliver
/// later messages before a lost one. After such an error (`gap`), delete the consumer and create another.
package final class PullConsumer {
    private let connection: Connection
    private let configuration: ConsumerConfiguration
    /// Messages and statuses arrive here, also those that a fetch did not wait for.
    private let subscription: OpaquePointer
    private let inbox: String
    private var requests = 0
    private var delivered: UInt64 = 0

    /// Subscribes to a consumer that was just created.
    ///
    /// - Parameters:
    ///   - configuration: The consumer's properties.
    ///   - connection: The connection.
    /// - Throws: Why that is not possible.
    package init(_ configuration: ConsumerConfiguration, on connection: Connection) throws(NATSError) {
        self.connection = connection
        self.configuration = configuration
        inbox = connection.newInbox()
        var created: OpaquePointer?
        let subject = "\(inbox).*"
        try connection.call("subscribe to \(subject)") { _ in
            natsConnection_SubscribeSync(&created, connection.handle, subject)
        }
        guard let created else { throw NATSError(.invalid, "cannot subscribe to \(subject)") }
        // A batch is limited by the request, so nothing may be dropped.
        natsSubscription_SetPendingLimits(created, -1, -1)
        subscription = created
    }

    deinit { connection.destroy(subscription) }

    /// Fetches messages; returns as soon as there is one.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of messages.
    ///   - bytes: Their maximum size together; a single message of any size comes nevertheless.
    ///   - wait: How long to wait for the first one; at least a millisecond.
    /// - Returns: The messages in the stream's order; none if there is none.
    /// - Throws: `gap` if a delivery is missing or came again, `notFound` if the consumer was deleted, `unavailable` if
    ///   nobody leads it now, `timeout` if no server answered.
    package func fetch(_ limit: Int, bytes: Int, wait: Duration) throws(NATSError) -> [Message] {
        // What arrived after the last fetch had given up comes first.
        var messages: [Message] = []
        while messages.count < limit, let message = try next(.zero) {
            if case .message(let message) = message { messages.append(message) }
        }
        guard messages.isEmpty else { return messages }
        messages = try request(limit, bytes, wait: nil)
        guard messages.isEmpty, wait > .zero else { return messages }
        messages = try request(1, bytes, wait: wait)
        guard !messages.isEmpty, limit > 1 else { return messages }
        return messages + (try request(limit - 1, bytes, wait: nil))
    }

    /// What arrives at the inbox.
    private enum Arrival {
        case message(Message)
        /// The end of a request: its number, and a code and words like those of HTTP. It may say how many of the messages
        /// that were asked for do not come.
        case status(request: Int, code: Int, text: String, missing: Int?)
    }

    private func request(_ limit: Int, _ bytes: Int, wait: Duration?) throws(NATSError) -> [Message] {
        requests += 1
        // With its subject and headers, a message can be somewhat larger than what the server calls its payload.
        let size = bytes + connection.maximumPayload + 4_096
        let expiry = wait.map { ",\"expires\":\(max(1_000_000, $0.nanoseconds))" } ?? ",\"no_wait\":true"
        let body = "{\"batch\":\(limit),\"max_bytes\":\(size)\(expiry)}"
        let subject = "$JS.API.CONSUMER.MSG.NEXT.\(configuration.stream).\(configuration.name)"
        let reply = "\(inbox).\(requests)"
        let before = connection.refusals
        try connection.call("fetch from \(configuration.name)") { _ in
            natsConnection_PublishRequestString(connection.handle, subject, reply, body)
        }
        let deadline = ContinuousClock.now + (wait ?? .zero) + connection.options.timeout
        var (messages, expected): ([Message], Int) = ([], limit)
        while messages.count < expected {
            guard let arrival = try next(ContinuousClock.now.duration(to: deadline)) else {
                if !messages.isEmpty { return messages }
                if let text = connection.refusal(since: before) {
                    throw NATSError(.notPermitted, "cannot fetch from \(configuration.name): \(text)")
                }
                // Nobody answers for a consumer that does not exist.
                try connection.expectConsumer(configuration.name, of: configuration.stream)
                throw NATSError(.timeout, "cannot fetch from \(configuration.name): no server answered in time")
            }
            switch arrival {
            case .message(let message): messages.append(message)
            case .status(let request, let code, let text, let missing):
                guard request == requests else { continue }
                // Newer servers (2.15) say this of each request that was limited by bytes, even before its last messages.
                if let missing, code == 409, text.lowercased() == "batch completed" {
                    expected = limit - missing
                    continue
                }
                // An error is reported by the next call, if messages came before it.
                if code == 404 || code == 408 || !messages.isEmpty { return messages }
                throw error(code, text)
            }
        }
        return messages
    }

    private func error(_ code: Int, _ text: String) -> NATSError {
        let lower = text.lowercased()
        let kind: NATSError.Kind =
            switch code {
            case 503: .unavailable
            case 409 where lower.contains("deleted"): .notFound
            case 409: .unavailable
            default: .invalid
            }
        let words = code == 503 ? "nobody leads it, or it does not exist" : text
        return NATSError(kind, "cannot fetch from \(configuration.name): \(words)", code: code)
    }

    /// Waits for what arrives next; nil if nothing does in time.
    private func next(_ wait: Duration) throws(NATSError) -> Arrival? {
        var received: OpaquePointer?
        let status = natsSubscription_NextMsg(&received, subscription, wait <= .zero ? 1 : wait.milliseconds)
        guard status != NATS_TIMEOUT else { return nil }
        guard status == NATS_OK, let received else {
            throw NATSError(status, "fetch from \(configuration.name)")
        }
        defer { natsMsg_Destroy(received) }
        guard let message = Message(delivered: received) else { return Self.status(received) }
        delivered += 1
        guard message.deliverySequence == delivered, message.deliveries == 1 else {
            let text = "delivery \(message.deliverySequence) of \(configuration.name) came instead of \(delivered)"
            throw NATSError(.gap, "\(text): create the consumer again")
        }
        return .message(message)
    }

    private static func status(_ message: OpaquePointer) -> Arrival {
        func header(_ name: String) -> String {
            var value: UnsafePointer<CChar>?
            guard natsMsgHeader_Get(message, name, &value) == NATS_OK, let value else { return "" }
            return String(cString: value)
        }
        let subject = String(cString: natsMsg_GetSubject(message))
        let request = subject.split(separator: ".").last.flatMap { Int($0) } ?? 0
        if natsMsg_IsNoResponders(message) { return .status(request: request, code: 503, text: "", missing: nil) }
        return .status(
            request: request,
            code: Int(header("Status")) ?? 0,
            text: header("Description"),
            missing: Int(header("Nats-Pending-Messages"))
        )
    }
}
