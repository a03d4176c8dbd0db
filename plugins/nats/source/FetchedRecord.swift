internal import ExtensionKit
internal import JSON
internal import NATS
internal import PartitionLeases

/// A record of a message that was fetched.
struct FetchedRecord: Sendable {
    /// What the records of a message share.
    private final class Origin: Sendable {
        let message: Message
        /// The records; nil if the message is a record, or cannot be read.
        let linked: LinkedMessage?

        init(_ message: Message, _ linked: LinkedMessage?) { (self.message, self.linked) = (message, linked) }
    }

    private let origin: Origin
    /// The id by which the host settles it.
    let id: Int64
    /// The last id that a record of the message can have, if this is its last record; otherwise ``id``.
    let end: Int64
    /// The place in the message.
    private let place: Int

    /// The message as it was fetched first.
    var message: Message { origin.message }

    /// The records of a message, in their order.
    static func records(of message: Message, _ layout: StreamLayout) -> [FetchedRecord] {
        let ids = layout.records(of: Int64(clamping: message.sequence))
        let origin = Origin(message, layout.isLinked ? LinkedMessage(message.body) : nil)
        guard let linked = origin.linked else {
            return [FetchedRecord(origin: origin, id: ids.lowerBound, end: ids.upperBound, place: 0)]
        }
        return linked.ids.indices.map { place in
            let id = ids.lowerBound + Int64(place)
            let end = place == linked.ids.count - 1 ? ids.upperBound : id
            return FetchedRecord(origin: origin, id: id, end: end, place: place)
        }
    }

    /// The size of its text.
    var bytes: Int { origin.linked?.records[place].count ?? message.body.count }

    /// The record for the host.
    ///
    /// - Parameter possiblySent: How often it may have been sent before.
    /// - Returns: The record; without members if it cannot be read, which the host then makes a dead letter.
    func record(possiblySent: Int) -> SourceRecord {
        if let linked = origin.linked {
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
        guard let linked = origin.linked else { return message.body }
        var body = JSON.object([
            "suite": .string(linked.suite), "identity": .string(linked.identity), "id": .integer(linked.ids[place]),
        ]).bytes
        body[body.count - 1] = UInt8(ascii: ",")
        return body + linked.records[place].dropFirst()
    }
}
