internal import GRDB
public import JSON

/// A row that an import adds: a record or a dead letter.
public struct StagedRow: Sendable {
    let kind: RecordKind?
    let name: [UInt8]?
    /// The value as JSON text.
    let value: [UInt8]?
    let time: Int64
    /// The user as JSON text.
    let user: [UInt8]?
    /// Bytes that could not be read as a record.
    let bytes: [UInt8]?
    /// Why it is a dead letter; nil for a pending record.
    let reason: [UInt8]?
    /// When it became one, in milliseconds since 1970.
    let died: Int64

    /// A record.
    public init(_ record: RecordContent) { self.init(record, nil, at: 0) }

    /// A dead letter that is a record.
    ///
    /// - Parameters:
    ///   - record: The record that cannot be delivered.
    ///   - reason: Why.
    ///   - time: When it became a dead letter, in milliseconds since 1970.
    public init(_ record: RecordContent, reason: String, at time: Int64) { self.init(record, reason, at: time) }

    private init(_ record: RecordContent, _ reason: String?, at time: Int64) {
        kind = record.kind
        name = Array(record.name.utf8)
        value = record.value?.bytes
        self.time = record.time
        user = record.user?.bytes
        bytes = nil
        self.reason = reason.map { Array($0.utf8) }
        died = time
    }

    /// A dead letter of bytes that could not be read as a record.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - kind: The kind of the record, if known.
    ///   - reason: Why they cannot be read.
    ///   - time: When they became a dead letter, in milliseconds since 1970.
    public init(_ bytes: [UInt8], kind: RecordKind?, reason: String, at time: Int64) {
        self.kind = kind
        name = nil
        value = nil
        self.time = time
        user = nil
        self.bytes = bytes
        died = time
        self.reason = Array(reason.utf8)
    }

    /// The size of the value in bytes.
    public var valueSize: Int { value?.count ?? 0 }

    /// Its size, as it counts towards the suite's limit.
    public var size: Int64 {
        let texts = (name?.count ?? 0) + (value?.count ?? 0) + (user?.count ?? 0)
        return Int64(texts + (bytes?.count ?? 0) + (reason?.count ?? 0))
    }
}

/// A key and its value that an import adds to the defaults.
public struct StagedDefault: Sendable {
    let key: String
    let value: JSON

    /// A default.
    ///
    /// The key must not contain U+0000 and must not be a ``RecordKind/storageKey``.
    public init(key: String, value: JSON) {
        self.key = key
        self.value = value
    }
}

/// The statements that write the rows of imports.
final class StagingStatements {
    private let record: InsertStatement
    private let deadLetter: InsertStatement

    init(_ db: Database) throws {
        record = try InsertStatement(
            db,
            sql: "INSERT INTO pending (id, kind, name, value, time, user) VALUES (?, ?, ?, ?, ?, ?)"
        )
        deadLetter = try InsertStatement(
            db,
            sql: """
                INSERT INTO dead_letters (id, kind, name, value, time, user, bytes, reason, died)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
    }

    func insert(_ row: StagedRow, id: Int64) throws {
        let kind: InsertStatement.Column = row.kind.map { .integer(Int64($0.rawValue)) } ?? .null
        let name: InsertStatement.Column = row.name.map { .text($0) } ?? .null
        let value: InsertStatement.Column = row.value.map { .text($0) } ?? .null
        let user: InsertStatement.Column = row.user.map { .text($0) } ?? .null
        if let reason = row.reason {
            let time: InsertStatement.Column = row.name == nil ? .null : .integer(row.time)
            let bytes: InsertStatement.Column = row.bytes.map { .blob($0) } ?? .null
            try deadLetter.insert(
                .integer(id),
                kind,
                name,
                value,
                time,
                user,
                bytes,
                .text(reason),
                .integer(row.died)
            )
        } else {
            try record.insert(.integer(id), kind, name, value, .integer(row.time), user)
        }
    }
}
