/// A pending record as a flush reads it: its value and user stay JSON text, since delivery does not need to parse them.
public struct StoredRecord: Equatable, Sendable {
    /// The id in the suite.
    public let id: Int64
    /// The kind of the record.
    public let kind: RecordKind
    /// The event's name, the attribute's key or the profile's field.
    public let name: String
    /// The event's properties if it has any, or the value, as JSON text.
    public let value: String?
    /// The time of capture in milliseconds since 1970.
    public let time: Int64
    /// The user as JSON text, if known at capture.
    public let user: String?
    /// How often it may have been sent without a definite answer.
    public let timesUncertain: Int64
    /// The suite that the record was saved to; nil if the queue itself is that suite.
    public let suite: String?

    /// A record.
    public init(
        id: Int64,
        kind: RecordKind,
        name: String,
        value: String?,
        time: Int64,
        user: String?,
        timesUncertain: Int64 = 0,
        suite: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.value = value
        self.time = time
        self.user = user
        self.timesUncertain = timesUncertain
        self.suite = suite
    }

    /// The size of its texts in bytes.
    public var bytes: Int { name.utf8.count + (value?.utf8.count ?? 0) + (user?.utf8.count ?? 0) }

    /// Reads a row with the columns that ``Claims/deliverable(_:limit:byteLimit:damaged:)`` selects.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - previous: The record before it, which often has the same name and user.
    /// - Throws: What is wrong with the row.
    init(_ row: DirectRow, after previous: StoredRecord?) throws(DamagedRecord) {
        id = row.integer(0)
        guard let kind = RecordKind(rawValue: Int(row.integer(1))) else {
            throw DamagedRecord(id: id, problem: "its kind is \(row.integer(1))")
        }
        guard row.integer(7) != 0 else { throw DamagedRecord(id: id, problem: "its value or user is not JSON") }
        self.kind = kind
        name = row.text(2, likely: previous?.name) ?? ""
        value = row.text(3)
        time = row.integer(4)
        user = row.text(5, likely: previous?.user)
        timesUncertain = row.integer(6)
        suite = nil
    }
}
