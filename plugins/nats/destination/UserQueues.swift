/// The order in which messages are published: those of one user one after the other, each after the last was acknowledged.
///
/// If a message was lost while later ones of its user arrived, relays would deliver them in another order. A value
/// without I/O: publish what ``next()`` returns, and report each with ``finish(_:goesOn:)``.
struct UserQueues {
    private let messages: [RecordMessage]
    /// By user: the places of the messages that wait for an earlier one of that user, in reverse order.
    private var waiting: [String: [Int]] = [:]
    /// The places that can be published now, in reverse order.
    private var ready: [Int] = []

    init(_ messages: [RecordMessage]) {
        self.messages = messages
        for place in messages.indices.reversed() { waiting[messages[place].key, default: []].append(place) }
        ready = waiting.values.compactMap(\.last).sorted(by: >)
        for place in ready { waiting[messages[place].key]?.removeLast() }
    }

    /// The place of a message to publish now; nil if none can be.
    mutating func next() -> Int? { ready.popLast() }

    /// Handles the outcome of a message.
    ///
    /// - Parameters:
    ///   - place: Its place.
    ///   - goesOn: Whether the next message of its user may be published.
    mutating func finish(_ place: Int, goesOn: Bool) {
        let key = messages[place].key
        guard goesOn else {
            waiting[key] = nil
            return
        }
        if let next = waiting[key]?.popLast() { ready.append(next) }
    }
}
