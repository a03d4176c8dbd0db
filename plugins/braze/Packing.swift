import BrazeRules

/// Packs the records of a batch into requests.
///
/// Braze applies the attributes of a request before its events. To keep each user's
/// order, an attribute that was saved after an event of the same user goes into a
/// later request; records of other users fill the first.
struct Packing {
    private let limits: RequestLimits
    private let options: MappingOptions
    private var requests: [OpenRequest] = []
    /// The last request with a record of each user; nil if there is none.
    private var lastRequest: [Int?] = []
    /// The index of the first request that is not full.
    private var firstOpen = 0
    /// How many requests were taken.
    private var taken = 0

    init(_ limits: RequestLimits, _ options: MappingOptions) {
        self.limits = limits
        self.options = options
    }

    /// Adds a record to a request; call it in the order of capture.
    mutating func add(_ record: EncodedRecord, of user: Identity) throws(Unsendable) {
        let object = record.isEvent ? 0 : TrackObject.overhead(user, options, record.object) + TrackRequest.separator
        let size = TrackRequest.overhead + object + record.bytes.count + TrackRequest.separator
        guard size <= limits.bytes else {
            throw .rejected("it makes a request of \(size) bytes; one has at most \(limits.bytes)")
        }
        var first = firstOpen
        while lastRequest.count <= record.userIndex { lastRequest.append(nil) }
        if let previous = lastRequest[record.userIndex] {
            // The same request, unless an attribute follows an event, or the request was taken.
            let isLater = previous < taken || !record.isEvent && requests[previous].holdsEvent(of: record.userIndex)
            if !isLater && requests[previous].add(record, of: user) { return }
            first = max(first, previous + 1)
        }
        while first < requests.count, !requests[first].add(record, of: user) { first += 1 }
        if first >= requests.count {
            first = requests.count
            requests.append(OpenRequest(limits, options))
            guard requests[first].add(record, of: user) else { preconditionFailure("an empty request has room") }
        }
        lastRequest[record.userIndex] = first
        while firstOpen < requests.count, requests[firstOpen].isFull { firstOpen += 1 }
    }

    /// Whether no later record can join the first request, so that ``takeFull(_:)`` returns it.
    var hasFull: Bool { taken < firstOpen && requests[taken].holdsEventsOnly }

    /// Removes and returns the first requests, if no later record can join them.
    ///
    /// A full request with attribute objects may still take an attribute into one of them; one of events alone takes
    /// nothing.
    mutating func takeFull(_ users: [Identity]) -> [TrackRequest] {
        var full: [TrackRequest] = []
        while hasFull {
            full.append(requests[taken].finish(users))
            requests[taken] = OpenRequest(limits, options)
            taken += 1
        }
        return full
    }

    /// The requests that were not taken; those that share a user must be sent in this order.
    func finish(_ users: [Identity]) -> [TrackRequest] { requests[taken...].map { $0.finish(users) } }
}
