public import JSON
internal import JSONRPC

/// Records that a destination is to deliver.
public struct DeliveryBatch: Sendable {
    /// The suite that holds them.
    public let suite: String
    /// The records in order of capture, which is to be kept for each user.
    public let records: [DeliveryRecord]
    /// Whether to ask the service something harmless before anything is delivered.
    ///
    /// The last answer was ambiguous, or the batch holds records that may have been sent already. If the service does
    /// not answer, attempt nothing: a result that names no record. Otherwise each outage costs records, since one that
    /// is uncertain twice becomes a dead letter.
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
    /// What a record says.
    public enum Content: Sendable {
        /// Something happened; properties only where there are some.
        case customEvent(name: String, properties: JSON.Object?)
        /// An attribute of the app's own: a value, `null` to remove it, or an object that changes it.
        case customAttribute(key: String, value: JSON)
        /// A standard field of a profile.
        case userAttribute(field: String, value: JSON)
    }

    /// The number by which the result names the record.
    public let id: Int64
    /// What it says.
    public let content: Content
    /// The time of capture: RFC 3339, UTC, milliseconds.
    public let time: String
    /// Whom it is about, such as `{"external_id": "ada"}`; the record's own identity, else the flush's.
    public let user: JSON.Object?
    /// How often it may have been sent before.
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
    /// Reads a record as the wire has it; the error says what it lacks.
    ///
    /// The members are walked once: a batch has a thousand records, and a search
    /// hashes each name.
    init(_ json: JSON.Object) throws(RecordFault) {
        var (id, kind, time, possiblySent) = (Int64?.none, JSON?.none, String?.none, Int64(0))
        var (name, value): (String?, JSON?)
        var user: JSON.Object?
        json.visit { member in
            if member.isNamed("id") {
                id = member.value.integer
            } else if member.isNamed("kind") {
                kind = member.value
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
        guard let id else { throw RecordFault(id: nil, text: "has no id") }
        guard let time else { throw RecordFault(id: id, text: "has no time") }
        guard let name else { throw RecordFault(id: id, text: "has no name") }
        let content: Content
        switch kind?.string {
        case "customEvent": content = .customEvent(name: name, properties: value?.object)
        case "customAttribute": content = .customAttribute(key: name, value: value ?? .null)
        case "userAttribute": content = .userAttribute(field: name, value: value ?? .null)
        default: throw RecordFault(id: id, text: "is of the kind \(kind ?? .null), which is not known here")
        }
        self.init(id: id, content, time: time, user: user, possiblySent: Int(clamping: possiblySent))
    }
}

/// What a record lacks, and which one it is.
struct RecordFault: Error {
    let id: Int64?
    let text: String
}

extension DeliveryBatch {
    /// Reads a batch as the wire has it.
    ///
    /// - Returns: The batch, and the records that cannot be read, which stay pending with a reason.
    /// - Throws: Where a record names no id, so that nothing can be said of it.
    static func read(
        suite: String,
        _ records: JSON.Array,
        probe: Bool
    ) throws(RPCError) -> (batch: DeliveryBatch, held: [DeliveryResult.Refusal]) {
        var read: [DeliveryRecord] = []
        read.reserveCapacity(records.count)
        var held: [DeliveryResult.Refusal] = []
        for (index, record) in records.enumerated() {
            do throws(RecordFault) {
                guard let object = record.object else { throw RecordFault(id: nil, text: "is no object") }
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
