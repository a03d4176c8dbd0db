internal import ExtensionKit
internal import JSON
internal import NATS
internal import PartitionLeases

/// A record of a message that was fetched.
struct FetchedRecord: Sendable {
    /// The message as it was fetched first.
    let message: Message
    /// The id by which the host settles it.
    let id: Int64
    /// The last id that a record of the message can have, if this is its last record; otherwise ``id``.
    let end: Int64
    private let form: Form

    private enum Form: Sendable {
        /// The message is a record, or cannot be read.
        case message
        /// One of several records of a message: its place, and its text.
        case line(LinkedMessage, Int)
    }

    /// The records of a message, in their order.
    static func records(of message: Message, _ layout: StreamLayout) -> [FetchedRecord] {
        let ids = layout.records(of: Int64(clamping: message.sequence))
        guard layout.isLinked, let linked = LinkedMessage(message.body) else {
            return [FetchedRecord(message: message, id: ids.lowerBound, end: ids.upperBound, form: .message)]
        }
        return linked.ids.indices.map { place in
            let id = ids.lowerBound + Int64(place)
            let end = place == linked.ids.count - 1 ? ids.upperBound : id
            return FetchedRecord(message: message, id: id, end: end, form: .line(linked, place))
        }
    }

    /// The size of its text.
    var bytes: Int {
        switch form {
        case .message: message.body.count
        case .line(let linked, let place): linked.records[place].count
        }
    }

    /// The record for the host.
    ///
    /// - Parameter possiblySent: How often it may have been sent before.
    /// - Returns: The record; without members if it cannot be read, which the host then makes a dead letter.
    func record(possiblySent: Int) -> SourceRecord {
        if case .line(let linked, let place) = form {
            return SourceRecord(
                id: id,
                suite: linked.suite,
                text: linked.records[place],
                possiblySent: possiblySent
            )
        }
        let members = (try? JSON(parsing: message.body))?.object ?? JSON.Object([])
        return SourceRecord(id: id, members: members, possiblySent: possiblySent)
    }

    /// The record as a message of its own.
    var alone: [UInt8] {
        guard case .line(let linked, let place) = form else { return message.body }
        var body = JSON.object([
            "suite": .string(linked.suite), "identity": .string(linked.identity), "id": .integer(linked.ids[place]),
        ]).bytes
        body[body.count - 1] = UInt8(ascii: ",")
        return body + linked.records[place].dropFirst()
    }
}
