public import JSON

/// Records that a source hands out, and the state of the source.
public struct PulledRecords: Sendable {
    /// The records, at most as many as were asked for.
    public var records: [SourceRecord]
    /// An identifier of the source's queue, as 32 hexadecimal digits.
    ///
    /// The id of a record is never used for another one while the identifier stays the same.
    public var identity: String
    /// The part of the destination's rate limit that this host may use now: more than 0 and at most 1.
    public var share: Double
    /// The number of records in the queue that are not settled; nil if the source does not know.
    public var pending: Int64?
    /// The time of the oldest of these records: RFC 3339, UTC, milliseconds.
    public var oldest: String?

    /// Records of a source.
    public init(
        _ records: [SourceRecord] = [],
        identity: String,
        share: Double = 1,
        pending: Int64? = nil,
        oldest: String? = nil
    ) {
        self.records = records
        self.identity = identity
        self.share = share
        self.pending = pending
        self.oldest = oldest
    }
}

/// A record that a source hands out.
public struct SourceRecord: Sendable {
    /// The id by which the host settles the record: positive, unique in the source, ascending for each user.
    public let id: Int64
    /// The record on the wire.
    let json: JSON

    /// A record of a suite.
    ///
    /// - Parameters:
    ///   - record: The record, with the id by which the host settles it.
    ///   - suite: The suite that the record comes from.
    public init(_ record: DeliveryRecord, suite: String) {
        var members: [(String, JSON)] = [("id", .integer(record.id)), ("suite", .string(suite))]
        switch record.content {
        case .customEvent(let name, let properties):
            members += [("kind", "customEvent"), ("name", .string(name))]
            if let properties { members.append(("properties", .object(properties))) }
        case .customAttribute(let key, let value):
            members += [("kind", "customAttribute"), ("key", .string(key)), ("value", value)]
        case .userAttribute(let field, let value):
            members += [("kind", "userAttribute"), ("field", .string(field)), ("value", value)]
        }
        members.append(("time", .string(record.time)))
        if let user = record.user { members.append(("user", .object(user))) }
        self.init(id: record.id, members, possiblySent: record.possiblySent)
    }

    /// A record in the form that it has in `deliver`, with its suite as the member `suite`.
    ///
    /// A record that the host cannot read becomes a dead letter of the source.
    ///
    /// - Parameters:
    ///   - id: The id by which the host settles the record; it replaces the one in the members.
    ///   - members: The members of the record; any that the contract does not name are left out.
    ///   - possiblySent: How often the record may have been sent before.
    public init(id: Int64, members: JSON.Object, possiblySent: Int) {
        let known = Self.names.compactMap { name in members[name].map { (name, $0) } }
        self.init(id: id, [("id", .integer(id))] + known, possiblySent: possiblySent)
    }

    private static let names = ["suite", "kind", "name", "key", "field", "properties", "value", "time", "user"]

    private init(id: Int64, _ members: [(String, JSON)], possiblySent: Int) {
        self.id = id
        let sent = possiblySent > 0 ? [("possiblySent", JSON(possiblySent))] : []
        json = .object(JSON.Object(members + sent))
    }
}

extension PulledRecords {
    /// The records as a reply on the wire.
    var reply: JSON {
        JSON(present: [
            "records": JSON(records.map(\.json)), "identity": .string(identity),
            "share": share == 1 ? nil : .real(share), "pending": pending.map(JSON.integer),
            "oldest": oldest.map(JSON.string),
        ])
    }
}
