import BrazeRules

/// Cuts the records of a batch into requests.
///
/// Braze applies the attributes of a request before its events. So that each user's
/// order stays, a request holds no attribute that was saved after one of its events
/// of that user: it goes into a later request, and others fill the first.
struct Packing {
    private let limits: RequestLimits
    private let options: MappingOptions
    private var requests: [OpenRequest] = []
    /// The last request that holds something of a user.
    private var last: [Int: Int] = [:]
    /// The requests before it are full.
    private var firstOpen = 0

    init(_ limits: RequestLimits, _ options: MappingOptions) {
        self.limits = limits
        self.options = options
    }

    /// Finds a record its place; records come in order of capture.
    mutating func add(_ draft: Draft, of user: Identity) throws(Unsendable) {
        let size = draft.bytes.count + (draft.isEvent ? 1 : TrackObject.overhead(user, options) + 2)
        guard size + TrackRequest.overhead <= limits.bytes else {
            throw .rejected("it makes a request of \(size) bytes; one has at most \(limits.bytes)")
        }
        var first = firstOpen
        if let previous = last[draft.user] {
            // Into the same request, but for an attribute after an event.
            let isLater = !draft.isEvent && requests[previous].holdsEvent(of: draft.user)
            if !isLater && requests[previous].take(draft, of: user) { return }
            first = max(first, previous + 1)
        }
        while first < requests.count, !requests[first].take(draft, of: user) { first += 1 }
        if first >= requests.count {
            first = requests.count
            requests.append(OpenRequest(limits, options))
            guard requests[first].take(draft, of: user) else { preconditionFailure("an empty request has room") }
        }
        last[draft.user] = first
        while firstOpen < requests.count, requests[firstOpen].isFull { firstOpen += 1 }
    }

    /// The requests in the order in which they are to be sent where they share a user.
    func finish(_ users: [Identity]) -> [TrackRequest] { requests.map { $0.finish(users) } }
}
