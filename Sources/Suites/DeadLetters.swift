internal import GRDB
internal import JSON

/// A dead letter: a record that cannot be delivered, kept with the reason for inspection.
public struct DeadLetter: Sendable {
    /// Its id, the same that it had as a pending record.
    public let id: Int64
    /// The record; nil if it could not be read as one.
    public let record: RecordContent?
    /// The bytes that could not be read as a record; nil if ``record`` is set.
    public let bytes: [UInt8]?
    /// The kind of the record, if known.
    public let kind: RecordKind?
    /// Why it cannot be delivered.
    public let reason: String
    /// When it became a dead letter, in milliseconds since 1970.
    public let died: Int64
}

/// The dead letters of a suite.
public struct DeadLetters {
    let suite: Suite

    /// The size of a dead letter, as it counts towards the suite's limit: its texts, its bytes and the reason.
    private static let deadLetterBytes = """
        (coalesce(length(CAST(name AS BLOB)), 0) + coalesce(length(CAST(value AS BLOB)), 0)
            + coalesce(length(CAST(user AS BLOB)), 0) + coalesce(length(bytes), 0) + length(CAST(reason AS BLOB)))
        """

    /// Whether a dead letter is a record; one of a kind that only a later version knows is none to this one.
    private static let isRecord = "kind IN (\(Schema.kinds)) AND name IS NOT NULL"

    /// Dead letters in order of their ids.
    ///
    /// - Parameters:
    ///   - after: Only dead letters with greater ids.
    ///   - limit: The maximum number of dead letters.
    ///   - byteLimit: The size in bytes after which no further dead letter is added.
    /// - Returns: The dead letters; none if the suite has no file.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func page(after: Int64 = 0, limit: Int64, byteLimit: Int64) throws(SuiteError) -> [DeadLetter] {
        guard after < .max else { return [] }
        return try suite.readState { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT id, kind, name, value, time, user, bytes, reason, died, \(Self.deadLetterBytes)
                    FROM dead_letters WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?
                    """
            )
            var letters: [DeadLetter] = []
            var bytes: Int64 = 0
            for part in try VisibleRows.ranges(db, in: after + 1...Int64.max) where Int64(letters.count) < limit {
                let arguments: StatementArguments = [
                    part.lowerBound, part.upperBound, limit - Int64(letters.count),
                ]
                let rows = try Row.fetchCursor(statement, arguments: arguments)
                while bytes <= byteLimit, let row = try rows.next() {
                    bytes += row.integer(9)
                    letters.append(try DeadLetter(row))
                }
            }
            return letters
        } ?? []
    }

    /// The number of dead letters; a stored total, so the cost does not grow with the suite.
    public func total() throws(SuiteError) -> Int64 { try suite.currentCounters().deadLetters.records }

    // MARK: From pending and back

    /// Turns a pending record into a dead letter, if it is still pending.
    static func add(_ db: Database, _ id: Int64, reason: String, now: Int64, _ counted: inout Counters)
        throws
    {
        let find = try db.cachedStatement(sql: "SELECT kind, \(Schema.recordBytes) FROM pending WHERE id = ?")
        guard let row = try Row.fetchOne(find, arguments: [id]) else { return }
        // A text is stored up to its first U+0000, and what is counted must be what is stored.
        let reason = reason.replacing("\0", with: "\u{FFFD}")
        try db.cachedStatement(
            sql: """
                INSERT INTO dead_letters (id, kind, name, value, time, user, reason, died)
                SELECT id, kind, name, value, time, user, ?, ? FROM pending WHERE id = ?
                """
        )
        .execute(arguments: [reason, now, id])
        try db.cachedStatement(sql: "DELETE FROM pending WHERE id = ?").execute(arguments: [id])
        if let kind = RecordKind(rawValue: Int(row.integer(0))) {
            counted.count(kind, records: -1, bytes: -row.integer(1))
        }
        counted.deadLetters.records += 1
        counted.deadLetters.bytes += row.integer(1) + Int64(reason.utf8.count)
    }

    /// Makes the dead letters of some ids pending again, except those that could not be read.
    static func retry(_ db: Database, _ ids: ClosedRange<Int64>, _ counted: inout Counters) throws {
        let condition = "id BETWEEN ? AND ? AND \(isRecord)"
        let arguments: StatementArguments = [ids.lowerBound, ids.upperBound]
        let count = try db.cachedStatement(
            sql: "SELECT kind, count(*), sum(\(Schema.recordBytes)) FROM dead_letters WHERE \(condition) GROUP BY kind"
        )
        for row in try Row.fetchAll(count, arguments: arguments) {
            guard let kind = RecordKind(rawValue: Int(row.integer(0))) else { continue }
            counted.count(kind, records: row.integer(1), bytes: row.integer(2))
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO pending (id, kind, name, value, time, user)
                SELECT id, kind, name, value, time, user FROM dead_letters WHERE \(condition)
                """
        )
        .execute(arguments: arguments)
        try discard(db, ids, where: isRecord, &counted)
    }

    /// Deletes the dead letters of some ids.
    static func discard(
        _ db: Database,
        _ ids: ClosedRange<Int64>,
        where condition: String,
        _ counted: inout Counters
    ) throws {
        let condition = "id BETWEEN ? AND ? AND \(condition)"
        let arguments: StatementArguments = [ids.lowerBound, ids.upperBound]
        let count = try db.cachedStatement(
            sql: "SELECT count(*), coalesce(sum(\(deadLetterBytes)), 0) FROM dead_letters WHERE \(condition)"
        )
        guard let row = try Row.fetchOne(count, arguments: arguments) else { return }
        counted.deadLetters.records -= row.integer(0)
        counted.deadLetters.bytes -= row.integer(1)
        try db.cachedStatement(sql: "DELETE FROM dead_letters WHERE \(condition)").execute(arguments: arguments)
    }
}

extension DeadLetter {
    fileprivate init(_ row: Row) throws {
        id = row.integer(0)
        kind = row.hasNull(atIndex: 1) ? nil : RecordKind(rawValue: Int(row.integer(1)))
        let name = row.text(2)
        if let kind, let name {
            record = RecordContent(
                kind: kind,
                name: name,
                value: try row.text(3).map { try JSON(stored: $0) },
                time: row.time(4),
                user: try row.text(5).map { try JSON(stored: $0) }
            )
        } else {
            record = nil
        }
        bytes = row.bytes(6)
        reason = row.text(7) ?? ""
        died = row.time(8)
    }
}
