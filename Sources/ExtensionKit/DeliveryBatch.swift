public import JSON
internal import JSONRPC

/// A batch of records for a destination to deliver.
public struct DeliveryBatch: Sendable {
    /// The suite that contains the records.
    public let suite: String
    /// The records in the order of capture, which delivery must keep for each user.
    public let records: [DeliveryRecord]
    /// Whether to send the service a harmless request before anything is delivered.
    ///
    /// It is true if the last reply was ambiguous, or if the batch holds records that may have been sent before. If the
    /// service does not answer that request, deliver nothing and return an empty result. Otherwise each outage costs
    /// records, since a record that is uncertain twice becomes a dead letter.
    public let probe: Bool

    /// A batch of those records.
    public init(suite: String, records: [DeliveryRecord], probe: Bool = false) {
        self.suite = suite
        self.records = records
        self.probe = probe
    }
}

/// A record of a suite: an event or a change of a user's profile.
public struct DeliveryRecord: Sendable {
    /// The content of a record.
    public enum Content: Sendable {
        /// A custom event; the properties are nil if it has none.
        case customEvent(name: String, properties: JSON.Object?)
        /// A custom attribute: a value, `null` to remove it, or an object that describes a change.
        case customAttribute(key: String, value: JSON)
        /// A standard field of the user's profile.
        case userAttribute(field: String, value: JSON)
    }

    /// The id by which the result refers to the record.
    public let id: Int64
    /// The event or the change.
    public let content: Content
    /// The time of capture: RFC 3339, UTC, milliseconds.
    public let time: String
    /// The user, such as `{"external_id": "ada"}`: the record's own, or that of the flush if the record has none.
    public let user: JSON.Object?
    /// How often the record may have been sent before.
    public let possiblySent: Int

    /// A record.
    public init(id: Int64, _ content: Content, time: String, user: JSON.Object? = nil, possiblySent: Int = 0) {
        self.id = id
        self.content = content
        self.time = time
        self.user = user
        self.possiblySent = possiblySent
    }
}

extension DeliveryRecord {
    /// Reads a record from its form on the wire.
    ///
    /// All members are visited in one pass: a batch has up to a thousand records, and a
    /// lookup hashes each name.
    init(_ json: JSON.Object) throws(RecordFormatError) {
        var (id, kind, time, possiblySent) = (Int64?.none, Kind?.none, String?.none, Int64(0))
        var (name, value): (String?, JSON?)
        var user: JSON.Object?
        json.visit { member in
            if member.isNamed("id") {
                id = member.value.integer
            } else if member.isNamed("kind") {
                kind = Kind(member)
            } else if member.isNamed("time") {
                time = member.value.string
            } else if member.isNamed("user") {
                user = member.value.object
            } else if member.isNamed("possiblySent") {
                possiblySent = member.value.integer ?? 0
            } else if member.isNamed("name") || member.isNamed("key") || member.isNamed("field") {
                name = member.value.string
            } else if member.isNamed("properties") || member.isNamed("value") {
                value = member.value
            }
        }
        guard let id else { throw RecordFormatError(id: nil, text: "has no id") }
        guard let time else { throw RecordFormatError(id: id, text: "has no time") }
        guard let name else { throw RecordFormatError(id: id, text: "has no name") }
        let content: Content
        switch kind {
        case .customEvent: content = .customEvent(name: name, properties: value?.object)
        case .customAttribute: content = .customAttribute(key: name, value: value ?? .null)
        case .userAttribute: content = .userAttribute(field: name, value: value ?? .null)
        case nil: throw RecordFormatError(id: id, text: "has the unknown kind \(json["kind"] ?? .null)")
        }
        self.init(id: id, content, time: time, user: user, possiblySent: Int(clamping: possiblySent))
    }

    private enum Kind {
        case customEvent, customAttribute, userAttribute

        init?(_ member: JSON.Object.Member) {
            if member.isText("customEvent") {
                self = .customEvent
            } else if member.isText("customAttribute") {
                self = .customAttribute
            } else if member.isText("userAttribute") {
                self = .userAttribute
            } else {
                return nil
            }
        }
    }
}

/// The error for a record that cannot be read.
struct RecordFormatError: Error {
    let id: Int64?
    let text: String
}

extension DeliveryBatch {
    /// Reads a batch from its form on the wire.
    ///
    /// - Returns: The batch, and the records that cannot be read, which stay pending with a reason.
    /// - Throws: An error if a record has no id, since the result could not refer to it.
    static func read(
        suite: String,
        _ records: JSON.Array,
        probe: Bool
    ) throws(RPCError) -> (batch: DeliveryBatch, held: [DeliveryResult.Refusal]) {
        var read: [DeliveryRecord] = []
        read.reserveCapacity(records.count)
        var held: [DeliveryResult.Refusal] = []
        for (index, record) in records.enumerated() {
            do throws(RecordFormatError) {
                guard let object = record.object else { throw RecordFormatError(id: nil, text: "is not an object") }
                read.append(try DeliveryRecord(object))
            } catch {
                let text = "the record \(error.text)"
                guard let id = error.id else {
                    throw .invalidParams(path: "/params/batch/\(index)", text)
                }
                held.append(DeliveryResult.Refusal(id, text))
            }
        }
        return (DeliveryBatch(suite: suite, records: read, probe: probe), held)
    }
}
