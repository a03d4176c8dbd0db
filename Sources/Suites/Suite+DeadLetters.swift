internal import Foundation
internal import GRDB
internal import JSON

extension Suite {
    /// What a dead letter takes of the suite's room: its texts and bytes, and the reason.
    private static let deadLetterBytes = """
        (coalesce(length(CAST(name AS BLOB)), 0) + coalesce(length(CAST(value AS BLOB)), 0)
            + coalesce(length(CAST(user AS BLOB)), 0) + coalesce(length(bytes), 0) + length(CAST(reason AS BLOB)))
        """

    /// Dead letters in order of their ids.
    ///
    /// - Parameters:
    ///   - after: Only those of greater ids.
    ///   - limit: The greatest number.
    ///   - byteLimit: None is added once the ones before it have that many bytes.
    /// - Returns: The dead letters; none where the suite has no file.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func deadLetters(after: Int64 = 0, limit: Int64, byteLimit: Int64) throws(SuiteError) -> [DeadLetter] {
        try read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT id, kind, name, value, time, user, bytes, reason, died, \(Self.deadLetterBytes)
                    FROM dead_letters WHERE id > ? ORDER BY id LIMIT ?
                    """
            )
            let rows = try Row.fetchCursor(statement, arguments: [after, limit])
            var letters: [DeadLetter] = []
            var bytes: Int64 = 0
            while bytes <= byteLimit, let row = try rows.next() {
                bytes += row[9] as Int64
                letters.append(try DeadLetter(row))
            }
            return letters
        } ?? []
    }

    /// Adds a dead letter that never was pending.
    ///
    /// - Parameters:
    ///   - record: What nobody takes.
    ///   - reason: Why.
    ///   - time: The time in milliseconds since 1970.
    /// - Returns: Its id.
    /// - Throws: ``SuiteError/full(records:bytes:)`` where the suite has no room for it.
    public func bury(_ record: NewRecord, reason: String, at time: Int64) throws(SuiteError) -> Int64 {
        let row: [String: (any DatabaseValueConvertible)?] = [
            "kind": record.kind.rawValue, "name": record.name, "value": record.value?.description,
            "time": record.time, "user": record.user?.description,
        ]
        return try insert(row, reason: reason, at: time)
    }

    /// Adds bytes that could not be read as a record.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - kind: What they were to become, as far as that is known.
    ///   - reason: Why they cannot be read.
    ///   - time: The time in milliseconds since 1970.
    /// - Returns: The dead letter's id.
    /// - Throws: ``SuiteError/full(records:bytes:)`` where the suite has no room for it.
    public func bury(
        _ bytes: [UInt8],
        kind: RecordKind?,
        reason: String,
        at time: Int64
    ) throws(SuiteError) -> Int64 {
        try insert(["kind": kind?.rawValue, "bytes": Data(bytes)], reason: reason, at: time)
    }

    private func insert(
        _ row: [String: (any DatabaseValueConvertible)?],
        reason: String,
        at time: Int64
    ) throws(SuiteError) -> Int64 {
        let inserted: (id: Int64, bytes: Int64) = try write { db in
            var id: Int64 = 0
            var bytes: Int64 = 0
            try db.inSavepoint {
                id = try Self.nextID(db)
                let statement = try db.cachedStatement(
                    sql: """
                        INSERT INTO dead_letters (id, kind, name, value, time, user, bytes, reason, died)
                        VALUES (:id, :kind, :name, :value, :time, :user, :bytes, :reason, :died)
                        """
                )
                var arguments: [String: (any DatabaseValueConvertible)?] = [
                    "id": id, "kind": nil, "name": nil, "value": nil, "time": nil, "user": nil, "bytes": nil,
                    "reason": reason, "died": time,
                ]
                arguments.merge(row) { $1 }
                try statement.execute(arguments: StatementArguments(arguments))
                bytes = try Self.size(db, id)
                try checkRoom(for: bytes)
                return .commit
            }
            return (id, bytes)
        }
        changes?.deadLetters.records += 1
        changes?.deadLetters.bytes += inserted.bytes
        return inserted.id
    }

    /// A number that no record has or had.
    private static func nextID(_ db: Database) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO sqlite_sequence (name, seq)
                SELECT 'pending', 0 WHERE NOT EXISTS (SELECT * FROM sqlite_sequence WHERE name = 'pending');
                UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'pending'
                """
        )
        return try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'pending'") ?? 1
    }

    private static func size(_ db: Database, _ id: Int64) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT \(deadLetterBytes) FROM dead_letters WHERE id = ?")
        return try Int64.fetchOne(statement, arguments: [id]) ?? 0
    }

    // MARK: From pending and back

    /// Turns a pending record into a dead letter, where it is there still.
    static func bury(_ db: Database, _ id: Int64, reason: String, now: Int64, _ counted: inout Counters) throws {
        let find = try db.cachedStatement(sql: "SELECT kind, \(Schema.recordBytes) FROM pending WHERE id = ?")
        guard let row = try Row.fetchOne(find, arguments: [id]) else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO dead_letters (id, kind, name, value, time, user, reason, died)
                SELECT id, kind, name, value, time, user, ?, ? FROM pending WHERE id = ?
                """
        )
        .execute(arguments: [reason, now, id])
        try db.cachedStatement(sql: "DELETE FROM pending WHERE id = ?").execute(arguments: [id])
        if let kind = RecordKind(rawValue: row[0]) { counted.count(kind, records: -1, bytes: -(row[1] as Int64)) }
        counted.deadLetters.records += 1
        counted.deadLetters.bytes += try size(db, id)
    }

    /// Makes dead letters pending again, each at its old place in the order.
    ///
    /// - Parameter ids: Which, or all of them; unknown ones and those that could not be read are passed over.
    /// - Returns: The ids of those that are pending again.
    /// - Throws: What keeps the suite from being changed; then none is.
    public func retryDeadLetters(_ ids: [Int64]?) throws(SuiteError) -> [Int64] {
        try remove(ids, where: "kind IS NOT NULL AND name IS NOT NULL") { db, id, counted in
            try db.cachedStatement(
                sql: """
                    INSERT INTO pending (id, kind, name, value, time, user)
                    SELECT id, kind, name, value, time, user FROM dead_letters WHERE id = ?
                    """
            )
            .execute(arguments: [id])
            let statement = try db.cachedStatement(sql: "SELECT kind, \(Schema.recordBytes) FROM pending WHERE id = ?")
            guard let row = try Row.fetchOne(statement, arguments: [id]), let kind = RecordKind(rawValue: row[0])
            else { return }
            counted.count(kind, records: 1, bytes: row[1])
        }
    }

    /// Deletes dead letters for good.
    ///
    /// - Parameter ids: Which, or all of them; unknown ones are passed over.
    /// - Returns: The ids of those that were deleted.
    /// - Throws: What keeps the suite from being changed; then none is.
    public func removeDeadLetters(_ ids: [Int64]?) throws(SuiteError) -> [Int64] {
        try remove(ids, where: "TRUE") { _, _, _ in }
    }

    private func remove(
        _ ids: [Int64]?,
        where condition: String,
        _ body: (Database, Int64, inout Counters) throws -> Void
    ) throws(SuiteError) -> [Int64] {
        // A suite without a file is not made only to find nothing in it.
        guard try totalDeadLetters() > 0 else { return [] }
        var counted = Counters()
        let removed = try write { db in
            var removed: [Int64] = []
            try db.inSavepoint {
                let sql = "SELECT id FROM dead_letters WHERE \(condition)"
                let found =
                    if let ids {
                        try ids.filter { id in
                            try Int64.fetchOne(db.cachedStatement(sql: sql + " AND id = ?"), arguments: [id]) != nil
                        }
                    } else {
                        try Int64.fetchAll(db, sql: sql + " ORDER BY id")
                    }
                for id in Set(found).sorted() {
                    counted.deadLetters.records -= 1
                    counted.deadLetters.bytes -= try Self.size(db, id)
                    try body(db, id, &counted)
                    try db.cachedStatement(sql: "DELETE FROM dead_letters WHERE id = ?").execute(arguments: [id])
                    removed.append(id)
                }
                return .commit
            }
            return removed
        }
        changes = changes.map { $0 + counted }
        return removed
    }
}

extension DeadLetter {
    fileprivate init(_ row: Row) throws {
        id = row[0]
        kind = (row[1] as Int?).flatMap(RecordKind.init(rawValue:))
        let name: String? = row[2]
        if let kind, let name {
            record = NewRecord(
                kind: kind,
                name: name,
                value: try (row[3] as String?).map { try JSON(stored: $0) },
                time: row[4],
                user: try (row[5] as String?).map { try JSON(stored: $0) }
            )
        } else {
            record = nil
        }
        bytes = (row[6] as Data?).map { [UInt8]($0) }
        reason = row[7]
        died = row[8]
    }
}
