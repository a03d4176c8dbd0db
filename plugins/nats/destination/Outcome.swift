internal import NATS

/// What the answer to a publication means for its record, and for the others of the batch.
enum Outcome: Equatable, Sendable {
    /// The stream has it.
    case accepted
    /// The stream will never take it.
    case rejected(String)
    /// The stream may have it.
    case uncertain(String)
    /// Nothing was stored, and a later attempt may succeed.
    case retryLater(String, after: Duration)
    /// Nothing was stored, and nothing will be until an operator acts.
    case stop(String)

    /// The meaning of an error.
    ///
    /// - Parameter error: The error of a publication or of a request before it.
    init(_ error: NATSError) {
        let text = error.text
        switch error.kind {
        case .timeout: self = .uncertain(text)
        case .tooLarge: self = .rejected(text)
        case .unavailable, .closed, .gap: self = .retryLater(text, after: .seconds(1))
        case .full: self = .retryLater("\(text): the stream is full, until relays remove records", after: .seconds(5))
        case .unauthorized: self = .stop("\(text). Check NATS_URL, NATS_CREDS, NATS_CA and NATS_CERT")
        case .notPermitted: self = .stop("\(text). Give the account the permissions that plugins/nats/README.md lists")
        case .notFound, .conflict: self = .stop("\(text). Check NATS_STREAM")
        case .invalid: self = .stop(text)
        }
    }

    /// Whether the next message of the same partition may be published.
    var goesOn: Bool {
        switch self {
        case .accepted, .rejected: true
        case .uncertain, .retryLater, .stop: false
        }
    }
}
