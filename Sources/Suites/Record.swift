internal import GRDB
public import JSON

/// The kind of a record; the raw values are stored in the file.
public enum RecordKind: Int, CaseIterable, Sendable {
    /// A custom event with its name and properties.
    case customEvent = 0
    /// A custom attribute with its key and value.
    case customAttribute = 1
    /// A standard field of the user's profile with its value.
    case userAttribute = 2

    /// The name of the kind on the wire.
    public var word: String {
        switch self {
        case .customEvent: "customEvent"
        case .customAttribute: "customAttribute"
        case .userAttribute: "userAttribute"
        }
    }

    /// The key under which Braze's guide stores records of this kind in its app group example.
    public var storageKey: String {
        switch self {
        case .customEvent: "pending_custom_events"
        case .customAttribute: "pending_custom_attributes"
        case .userAttribute: "pending_user_attributes"
        }
    }

    /// The kind with that name on the wire.
    public init?(word: String) {
        guard let kind = RecordKind.allCases.first(where: { $0.word == word }) else { return nil }
        self = kind
    }

    /// The kind with that ``storageKey``.
    public init?(storageKey: String) {
        guard let kind = RecordKind.allCases.first(where: { $0.storageKey == storageKey }) else { return nil }
        self = kind
    }
}

/// The content of a record: everything except its id and state.
public struct RecordContent: Sendable {
    /// The kind of the record.
    public let kind: RecordKind
    /// The event's name, the attribute's key or the profile's field; never with U+0000.
    public let name: String
    /// The event's properties if it has any, or the value.
    public let value: JSON?
    /// The time of capture in milliseconds since 1970.
    public let time: Int64
    /// The user, if known at capture.
    public var user: JSON?

    /// Creates the content of a record.
    public init(kind: RecordKind, name: String, value: JSON?, time: Int64, user: JSON?) {
        self.kind = kind
        self.name = name
        self.value = value
        self.time = time
        self.user = user
    }

    /// The record in the flat form that Braze's guide stores.
    ///
    /// The event's name is the member `event_name`, and no property can overwrite it.
    public var flat: JSON {
        guard kind == .customEvent else {
            return [name: value ?? .null]
        }
        var members = [("event_name", JSON.string(name))]
        if let properties = value?.object {
            members += properties.filter { $0.name != "event_name" }.map { ($0.name, $0.value) }
        }
        return .object(JSON.Object(members))
    }
}

/// A pending record.
public struct Record: Sendable {
    /// Its id in the suite; ids increase and are never reused.
    public let id: Int64
    /// The content.
    public let content: RecordContent
    /// Whether it is leased.
    public let isLeased: Bool
    /// How often it may have been sent without a definite answer.
    public let possiblySent: Int64
    /// Its size, as it counts towards the suite's limit.
    public let bytes: Int64
}

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
    public let possiblySent: Int64
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
        possiblySent: Int64 = 0,
        suite: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.value = value
        self.time = time
        self.user = user
        self.possiblySent = possiblySent
        self.suite = suite
    }

    /// The size of its texts in bytes.
    public var bytes: Int { name.utf8.count + (value?.utf8.count ?? 0) + (user?.utf8.count ?? 0) }

    /// Reads a row with the columns that ``Claims/deliverable(_:limit:byteLimit:damaged:)`` selects.
    ///
    /// The record before it often has the same name and user.
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
        try DamagedRecord.check(time: time, of: id)
        user = row.text(5, likely: previous?.user)
        possiblySent = row.amount(6)
        suite = nil
    }
}

/// A pending row that is not a valid record: another program wrote to the file, or the disk damaged it.
///
/// The row stays in the file, and the rows after it are still read.
public struct DamagedRecord: Error, Equatable {
    /// The row's number.
    public let id: Int64
    /// The problem of the row, as a clause for an error message.
    public let problem: String

    /// A row that is not a valid record.
    public init(id: Int64, problem: String) {
        self.id = id
        self.problem = problem
    }

    /// The kind of a row whose first two columns are id and kind.
    static func kind(_ row: Row) throws(DamagedRecord) -> RecordKind {
        guard let kind = RecordKind(rawValue: Int(row.integer(1))) else {
            throw DamagedRecord(id: row.integer(0), problem: "its kind is \(row.text(1) ?? "NULL")")
        }
        return kind
    }

    /// Throws unless a time can be written, which has a year of four digits.
    static func check(time: Int64, of id: Int64) throws(DamagedRecord) {
        guard !Schema.times.contains(time) else { return }
        throw DamagedRecord(id: id, problem: "its time is \(time) ms since 1970")
    }

    /// The pending rows whose kind is unknown, at most `limit` of them.
    static func ofUnknownKind(_ db: Database, limit: Int) throws -> [DamagedRecord] {
        let (first, last) = (RecordKind.allCases.first?.rawValue, RecordKind.allCases.last?.rawValue)
        let statement = try db.cachedStatement(
            sql:
                "SELECT id, kind FROM pending WHERE kind < ? UNION ALL SELECT id, kind FROM pending WHERE kind > ? LIMIT ?"
        )
        return try Row.fetchAll(statement, arguments: [first, last, limit]).map {
            DamagedRecord(id: $0.integer(0), problem: "its kind is \($0.text(1) ?? "NULL")")
        }
    }
}

extension JSON {
    /// Parses a value that this program stored in a suite.
    init(stored text: String) throws(SuiteError) {
        do throws(JSONParseError) {
            self = try JSON(parsing: text)
        } catch {
            throw .unreadable("it holds a value that is not JSON: \(error)")
        }
    }
}
