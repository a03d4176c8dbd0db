internal import ExtensionKit
internal import NATS

/// Publishes the messages of a batch, those of different users at the same time.
struct BatchDelivery {
    /// How many messages may wait for their acknowledgement at once.
    private static let inFlight = 256

    private let messages: [RecordMessage]
    private let connection: Connection
    private var queues: UserQueues
    private var underway = 0
    /// Whether nothing more is published, because of one answer.
    private var isOver = false
    private(set) var result = DeliveryResult()
    /// Whether the stream must be read again.
    private(set) var isStreamInQuestion = false

    init(_ messages: [RecordMessage], on connection: Connection) {
        self.messages = messages
        self.connection = connection
        queues = UserQueues(messages)
    }

    /// Publishes the messages.
    ///
    /// - Parameter deadline: When nothing more is published, so that the host gets its answer in time.
    mutating func run(until deadline: ContinuousClock.Instant) async {
        let refusals = connection.refusals
        let (answers, continuation) = AsyncStream.makeStream(of: (Int, Result<Acknowledgement, NATSError>).self)
        publish(continuation, deadline)
        guard underway > 0 else { return }
        for await (place, answer) in answers {
            underway -= 1
            finish(place, answer, connection.refusal(since: refusals))
            publish(continuation, deadline)
            if underway == 0 { break }
        }
    }

    private mutating func publish(
        _ continuation: AsyncStream<(Int, Result<Acknowledgement, NATSError>)>.Continuation,
        _ deadline: ContinuousClock.Instant
    ) {
        while !isOver, underway < Self.inFlight, .now < deadline, let place = queues.next() {
            underway += 1
            connection.publish(messages[place].publication) { continuation.yield((place, $0)) }
        }
    }

    private mutating func finish(
        _ place: Int,
        _ answer: Result<Acknowledgement, NATSError>,
        _ refusal: String?
    ) {
        let record = messages[place].record
        let outcome: Outcome =
            switch answer {
            case .success: .accepted
            // The server answers a publication that it does not permit only with an error of the connection.
            case .failure(let error) where error.kind == .timeout && refusal != nil:
                .stop("cannot publish to the stream: \(refusal ?? ""). Check the permissions of the account")
            case .failure(let error): Outcome(error)
            }
        queues.finish(place, goesOn: outcome.goesOn)
        isOver = isOver || !outcome.goesOn
        switch outcome {
        case .accepted: result.accepted.append(record)
        case .rejected(let text): result.rejected.append(DeliveryResult.Refusal(record, text))
        case .uncertain(let text):
            result.uncertain.append(record)
            add("uncertain", text)
        case .retryLater(let text, let pause):
            result.retryAfter = max(result.retryAfter ?? .zero, pause)
            isStreamInQuestion = true
            add("notDelivered", text)
        case .stop(let text): result.stop = text
        }
    }

    /// Adds a diagnostic, unless one with that reason is there: an outage gives one to each user.
    private mutating func add(_ reason: String, _ text: String) {
        guard !result.diagnostics.contains(where: { $0.reason == reason }) else { return }
        result.diagnostics.append(.init(reason: reason, text))
    }
}
