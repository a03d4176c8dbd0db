internal import CNATS
internal import Synchronization

/// A message to publish to a stream.
package struct Publication: Sendable {
    /// The subject.
    package var subject: String
    /// The id by which the stream recognises a message that it has stored before (`Nats-Msg-Id`).
    package var id: String?
    /// Other headers.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]
    /// The name of the stream that must store it; another stream refuses it.
    package var stream: String?

    /// A message.
    package init(
        subject: String,
        id: String? = nil,
        headers: [(name: String, value: String)] = [],
        body: [UInt8],
        stream: String? = nil
    ) {
        self.subject = subject
        self.id = id
        self.headers = headers
        self.body = body
        self.stream = stream
    }
}

/// The acknowledgement of a stream: a message is stored, by a quorum if the stream has replicas.
package struct Acknowledgement: Equatable, Sendable {
    /// The stream.
    package let stream: String
    /// The message's number in the stream.
    package let sequence: UInt64
    /// Whether the stream had stored a message with this id before.
    package let isDuplicate: Bool

    init(_ acknowledgement: jsPubAck) {
        stream = acknowledgement.Stream.map { String(cString: $0) } ?? ""
        sequence = acknowledgement.Sequence
        isDuplicate = acknowledgement.Duplicate
    }
}

/// What the stream must hold, or it refuses a message.
enum Expectation {
    /// Nothing.
    case anything
    /// No message of this subject.
    case none
    /// This message is the subject's last one.
    case last(UInt64)
}

extension Connection {
    /// Publishes a message and waits until the stream has stored it.
    ///
    /// - Parameter publication: The message.
    /// - Returns: The stream's acknowledgement.
    /// - Throws: Why it is not stored; after `timeout` it may be stored.
    @discardableResult
    package func publish(_ publication: Publication) throws(NATSError) -> Acknowledgement {
        try publish(publication, .anything)
    }

    /// Publishes a message if the stream holds what is expected.
    func publish(_ publication: Publication, _ expectation: Expectation) throws(NATSError) -> Acknowledgement {
        let message = try create(publication)
        defer { natsMsg_Destroy(message) }
        let strings = CStrings()
        var options = self.options(publication, strings)
        switch expectation {
        case .anything: break
        case .none: options.ExpectNoMessage = true
        case .last(let sequence): options.ExpectLastSubjectSeq = sequence
        }
        var result: UnsafeMutablePointer<jsPubAck>?
        try call("publish to \(publication.subject)") { js_PublishMsg(&result, stream, message, &options, &$0) }
        defer { jsPubAck_Destroy(result) }
        guard let result else { throw NATSError(.invalid, "the stream acknowledged nothing") }
        return Acknowledgement(result.pointee)
    }

    /// Publishes a message, and calls a closure when the stream has stored it or the deadline is over.
    ///
    /// The closure is called exactly once, by a thread of the library or, if the message was not sent, by this one; the
    /// error `timeout` means that the message may be stored.
    ///
    /// - Parameters:
    ///   - publication: The message.
    ///   - completion: Gets the stream's acknowledgement or the error.
    package func publish(
        _ publication: Publication,
        completion: @escaping @Sendable (Result<Acknowledgement, NATSError>) -> Void
    ) {
        let message: OpaquePointer
        do throws(NATSError) { message = try create(publication) } catch { return completion(.failure(error)) }
        guard isConnected else {
            natsMsg_Destroy(message)
            let kind: NATSError.Kind = isClosed ? .closed : .unavailable
            return completion(
                .failure(NATSError(kind, "cannot publish to \(publication.subject): no server is connected"))
            )
        }
        let strings = CStrings()
        var options = self.options(publication, strings)
        options.MaxWait = self.options.timeout.milliseconds
        // The acknowledgement may arrive before the call returns.
        pending.add(message, publication.subject, completion)
        var owned: OpaquePointer? = message
        let status = js_PublishMsgAsync(publisher, &owned, &options)
        guard status != NATS_OK else { return }
        let error = NATSError(status, "publish to \(publication.subject)")
        let waiting = pending.remove(message)
        // The message is still this function's if the library did not take it.
        if owned != nil { natsMsg_Destroy(owned) }
        waiting?.completion(.failure(error))
    }

    private func options(_ publication: Publication, _ strings: CStrings) -> jsPubOptions {
        var options = jsPubOptions()
        jsPubOptions_Init(&options)
        options.MsgId = publication.id.map(strings.copy)
        options.ExpectStream = publication.stream.map(strings.copy)
        return options
    }

    private func create(_ publication: Publication) throws(NATSError) -> OpaquePointer {
        var message: OpaquePointer?
        var status = publication.body.withUnsafeBufferPointer { body in
            body.withMemoryRebound(to: CChar.self) {
                natsMsg_Create(&message, publication.subject, nil, $0.baseAddress, Int32($0.count))
            }
        }
        for (name, value) in publication.headers where status == NATS_OK {
            status = natsMsgHeader_Set(message, name, value)
        }
        guard status == NATS_OK, let message else {
            natsMsg_Destroy(message)
            throw NATSError(status, "publish to \(publication.subject)")
        }
        return message
    }
}

/// The publications that were sent and not acknowledged.
final class PendingPublications: Sendable {
    struct Waiting: Sendable {
        let subject: String
        let completion: @Sendable (Result<Acknowledgement, NATSError>) -> Void
    }

    /// By the address of the library's message, which lives until its acknowledgement was handled.
    private let waiting = Mutex<[UInt: Waiting]>([:])

    func add(
        _ message: OpaquePointer,
        _ subject: String,
        _ completion: @escaping @Sendable (Result<Acknowledgement, NATSError>) -> Void
    ) {
        waiting.withLock { $0[UInt(bitPattern: message)] = Waiting(subject: subject, completion: completion) }
    }

    func remove(_ message: OpaquePointer) -> Waiting? {
        waiting.withLock { $0.removeValue(forKey: UInt(bitPattern: message)) }
    }

    /// Completes all with an error: nobody will answer them.
    func failAll() {
        let all = waiting.withLock { waiting in
            defer { waiting = [:] }
            return Array(waiting.values)
        }
        for one in all {
            let text = "cannot publish to \(one.subject): the connection was closed before the acknowledgement"
            one.completion(.failure(NATSError(.timeout, text)))
        }
    }

    /// Registers for the acknowledgements.
    ///
    /// This object is never freed, as a thread of the library may call while the connection is destroyed.
    func register(with options: inout jsOptions) {
        options.PublishAsync.AckHandlerClosure = Unmanaged.passRetained(self).toOpaque()
        options.PublishAsync.AckHandler = { _, message, acknowledgement, error, closure in
            guard let message, let closure else { return }
            defer { natsMsg_Destroy(message) }
            let pending = Unmanaged<PendingPublications>.fromOpaque(closure).takeUnretainedValue()
            guard let waiting = pending.remove(message) else { return }
            if let acknowledgement {
                waiting.completion(.success(Acknowledgement(acknowledgement.pointee)))
            } else if let error = error?.pointee {
                let detail = error.ErrText.map { String(cString: $0) }
                let doing = "publish to \(waiting.subject)"
                waiting.completion(.failure(NATSError(error.Err, doing, code: error.ErrCode, detail: detail)))
            }
        }
    }
}
