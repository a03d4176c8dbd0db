internal import ExtensionKit
internal import JSON
internal import NATS

/// A record of a batch as a message of the stream.
struct RecordMessage: Sendable {
    /// The record's id in its suite.
    let record: Int64
    /// The user's key; messages with the same key are published one after the other.
    let key: String
    /// The message.
    let publication: Publication

    /// The messages of a batch, in order.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - identity: The identity of their suite.
    ///   - partitions: The stream's partitions.
    ///   - stream: The stream's name.
    /// - Returns: A message for each record.
    static func messages(
        _ batch: DeliveryBatch,
        _ identity: String,
        _ partitions: Partitions,
        _ stream: String
    ) -> [RecordMessage] {
        let suite = Partitions.token(batch.suite)
        return batch.records.map { record in
            let key = Partitions.userKey(record.user, identity: identity)
            let content = Content(record)
            var members: [(String, JSON)] = [
                ("suite", .string(batch.suite)), ("identity", .string(identity)), ("id", .integer(record.id)),
                ("kind", .string(content.kind)), (content.nameMember, .string(content.name)),
            ]
            if let value = content.value { members.append((content.valueMember, value)) }
            members.append(("time", .string(record.time)))
            if let user = record.user { members.append(("user", .object(user))) }
            let publication = Publication(
                subject: partitions.subject(suite: suite, key: key),
                id: "\(identity)-\(record.id)-\(content.digest(record.time))",
                body: JSON.object(JSON.Object(members)).bytes,
                stream: stream
            )
            return RecordMessage(record: record.id, key: key, publication: publication)
        }
    }

    /// What a record says, as the members of its message.
    private struct Content {
        let kind: String
        let nameMember: String
        let name: String
        let valueMember: String
        let value: JSON?

        init(_ record: DeliveryRecord) {
            switch record.content {
            case .customEvent(let name, let properties):
                (kind, nameMember, self.name) = ("customEvent", "name", name)
                (valueMember, value) = ("properties", properties.map(JSON.object))
            case .customAttribute(let key, let value):
                (kind, nameMember, name) = ("customAttribute", "key", key)
                (valueMember, self.value) = ("value", value)
            case .userAttribute(let field, let value):
                (kind, nameMember, name) = ("userAttribute", "field", field)
                (valueMember, self.value) = ("value", value)
            }
        }

        /// 16 digits that differ for other contents.
        ///
        /// Copies of a suite's file have the same identity, and may use the same id for other records.
        func digest(_ time: String) -> String {
            let parts = [Array(kind.utf8), Array(name.utf8), value?.bytes ?? [], Array(time.utf8)]
            let digits = String(FNV.hash(parts.joined(separator: [0])), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
    }
}
