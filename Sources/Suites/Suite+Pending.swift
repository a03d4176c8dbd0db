internal import GRDB
public import JSON

extension Suite {
    /// Adds a record and gives its id; costs the same however many are pending.
    public func save(_ record: NewRecord) throws(SuiteError) -> Int64 {
        try change { file in
            let inserted = try file.insert().insert(record) { valueSize, size in
                guard valueSize <= store.limits.valueBytes else {
                    throw SuiteError.recordTooLarge(bytes: valueSize, limit: store.limits.valueBytes)
                }
                try checkRoom(for: size)
            }
            changes?.count(record.kind, records: 1, bytes: inserted.bytes)
            return inserted.id
        }
    }

    /// Refuses what the suite has no room for; dead letters take room too, so that they never grow unseen.
    func checkRoom(for size: Int64) throws(SuiteError) {
        let records = totals.roomRecords + (changes?.roomRecords ?? 0)
        guard records < store.limits.records else { throw full }
        try checkRoom(forBytes: size)
    }

    /// Refuses what would make the suite larger than it may be.
    func checkRoom(forBytes size: Int64) throws(SuiteError) {
        let bytes = totals.roomBytes + (changes?.roomBytes ?? 0)
        guard bytes + size <= store.limits.bytes else { throw full }
    }

    private var full: SuiteError {
        let all = changes.map { totals + $0 } ?? totals
        return .full(records: all.roomRecords, bytes: all.roomBytes)
    }

    /// Pending records in order of their ids.
    ///
    /// - Parameters:
    ///   - kind: The kind, or all of them.
    ///   - after: Only records of greater ids.
    ///   - limit: The greatest number of records.
    ///   - byteLimit: No record is added once the ones before it have that many bytes.
    /// - Returns: The records; none where the suite has no file.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func records(
        _ kind: RecordKind?,
        after: Int64 = 0,
        limit: Int64,
        byteLimit: Int64
    ) throws(SuiteError) -> [Record] {
        try read { db in
            try Record.fetch(db, kind, after: after, limit: limit, byteLimit: byteLimit, onlyFree: false)
        } ?? []
    }

    /// What a record's flat form has besides its texts, in bytes.
    public static let flatOverhead: Int64 = 24

    /// Every record of a kind in the flat form of the guide's recipe, oldest first.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - byteLimit: The greatest size of the records.
    /// - Returns: An array, or nothing where no record of the kind is pending.
    /// - Throws: ``SuiteError/tooLarge(bytes:)`` past the limit.
    public func flatRecords(_ kind: RecordKind, byteLimit: Int64) throws(SuiteError) -> JSON? {
        // Names of members count too: a million short names are a long reply.
        let records = try records(kind, limit: byteLimit / Self.flatOverhead + 1, byteLimit: byteLimit)
        let bytes = records.reduce(0) { $0 + $1.bytes + Self.flatOverhead }
        guard bytes <= byteLimit else { throw .tooLarge(bytes: byteLimit) }
        return records.isEmpty ? nil : JSON(records.lazy.map(\.flat))
    }

    /// Deletes every record of some kinds, all or nothing, and says how many there were.
    public func removeRecords(_ kinds: [RecordKind]) throws(SuiteError) -> Int64 {
        // A suite without a file is not made only to remove something from it.
        guard try total(nil) > 0 else { return 0 }
        var deleted = Counters()
        try write { db in
            try db.inSavepoint {
                for kind in kinds {
                    let count = try db.cachedStatement(
                        sql: "SELECT count(*), coalesce(sum(\(Schema.recordBytes)), 0) FROM pending WHERE kind = ?"
                    )
                    guard let row = try Row.fetchOne(count, arguments: [kind.rawValue]) else { continue }
                    try Lease.release(db, kind)
                    let delete = try db.cachedStatement(sql: "DELETE FROM pending WHERE kind = ?")
                    try delete.execute(arguments: [kind.rawValue])
                    deleted.count(kind, records: -(row[0] as Int64), bytes: -(row[1] as Int64))
                }
                return .commit
            }
        }
        changes = changes.map { $0 + deleted }
        return -deleted.allRecords
    }
}

extension Record {
    /// Reads records in order of their ids.
    static func fetch(
        _ db: Database,
        _ kind: RecordKind?,
        after: Int64,
        limit: Int64,
        byteLimit: Int64,
        onlyFree: Bool
    ) throws -> [Record] {
        var conditions = "id > ?"
        var arguments: StatementArguments = [after]
        if let kind {
            conditions += " AND kind = ?"
            arguments += [kind.rawValue]
        }
        if onlyFree { conditions += " AND lease IS NULL" }
        let statement = try db.cachedStatement(
            sql: "SELECT \(Schema.recordColumns) FROM pending WHERE \(conditions) ORDER BY id LIMIT ?"
        )
        let rows = try Row.fetchCursor(statement, arguments: arguments + [limit])
        var records: [Record] = []
        var bytes: Int64 = 0
        while bytes <= byteLimit, let row = try rows.next() {
            let record = try Record(row)
            bytes += record.bytes
            records.append(record)
        }
        return records
    }

    private init(_ row: Row) throws {
        id = row[0]
        guard let kind = RecordKind(rawValue: row[1]) else {
            throw SuiteError.unreadable("it holds a record of the unknown kind \(row[1] as Int)")
        }
        content = NewRecord(
            kind: kind,
            name: row[2],
            value: try (row[3] as String?).map { try JSON(stored: $0) },
            time: row[4],
            user: try (row[5] as String?).map { try JSON(stored: $0) }
        )
        isLeased = row[6]
        timesUncertain = row[7]
        bytes = row[8]
    }
}
