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
        let bytes = totals.roomBytes + (changes?.roomBytes ?? 0)
        guard records < store.limits.records, bytes + size <= store.limits.bytes else {
            throw .full(records: records, bytes: bytes)
        }
    }

    /// Pending records in order of their ids.
    ///
    /// - Parameters:
    ///   - kind: The kind, or all of them.
    ///   - after: Only records of greater ids.
    ///   - limit: The greatest number of records.
    ///   - byteLimit: No record is added once the ones before it have that many bytes.
    ///   - damaged: Takes each row that is no record; it is passed over.
    /// - Returns: The records; none where the suite has no file.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func records(
        _ kind: RecordKind?,
        after: Int64 = 0,
        limit: Int64,
        byteLimit: Int64,
        damaged: (DamagedRecord) -> Void = { _ in }
    ) throws(SuiteError) -> [Record] {
        try read { db in
            try Record.fetch(db, kind, after: after, limit: limit, byteLimit: byteLimit, onlyFree: false, damaged)
        } ?? []
    }

    /// Pending rows whose kind is none: reads of a kind never meet them.
    public func recordsOfUnknownKind(limit: Int) throws(SuiteError) -> [DamagedRecord] {
        try read { try DamagedRecord.ofUnknownKind($0, limit: limit) } ?? []
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
        var damaged: DamagedRecord?
        let records = try records(kind, limit: byteLimit / Self.flatOverhead + 1, byteLimit: byteLimit) { damaged = $0 }
        // The flat form has no place where a record that is missing could be named.
        if let damaged { throw .unreadable("the record \(damaged.id) is damaged: \(damaged.problem)") }
        let bytes = records.reduce(0) { $0 + $1.bytes + Self.flatOverhead }
        guard bytes <= byteLimit else { throw .tooLarge(bytes: byteLimit) }
        return records.isEmpty ? nil : JSON(records.lazy.map(\.flat))
    }

    /// Deletes every record of some kinds, all or nothing, and says how many there were.
    public func removeRecords(_ kinds: [RecordKind]) throws(SuiteError) -> Int64 {
        // A suite without a file is not made only to remove something from it.
        guard try total(nil) > 0 else { return 0 }
        _ = store.reserve.release()
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
                if kinds == RecordKind.allCases, try !DamagedRecord.ofUnknownKind(db, limit: 1).isEmpty {
                    // They counted as what they were when they were saved.
                    try db.execute(sql: "DELETE FROM pending; UPDATE leases SET records = 0")
                    let counted = totals + (changes ?? Counters())
                    for kind in kinds {
                        deleted[kind] = .init(records: -counted[kind].records, bytes: -counted[kind].bytes)
                    }
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
        onlyFree: Bool,
        _ damaged: (DamagedRecord) -> Void
    ) throws -> [Record] {
        var conditions = "id > ?"
        var arguments: StatementArguments = [after]
        if let kind {
            conditions += " AND kind = ?"
            arguments += [kind.rawValue]
        }
        if onlyFree { conditions += " AND lease IS NULL" }
        let statement = try db.cachedStatement(
            sql: "SELECT \(Schema.recordColumns) FROM pending WHERE \(conditions) ORDER BY id"
        )
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var records: [Record] = []
        var bytes: Int64 = 0
        while Int64(records.count) < limit, bytes <= byteLimit, let row = try rows.next() {
            do throws(DamagedRecord) {
                let record = try Record(row)
                bytes += record.bytes
                records.append(record)
            } catch {
                damaged(error)
            }
        }
        return records
    }

    private init(_ row: Row) throws(DamagedRecord) {
        id = row[0]
        let kind = try DamagedRecord.kind(row)
        do throws(SuiteError) {
            content = NewRecord(
                kind: kind,
                name: row[2],
                value: try (row[3] as String?).map { text throws(SuiteError) in try JSON(stored: text) },
                time: row[4],
                user: try (row[5] as String?).map { text throws(SuiteError) in try JSON(stored: text) }
            )
        } catch {
            throw DamagedRecord(id: row[0], problem: "its value or user is not JSON")
        }
        isLeased = row[6]
        timesUncertain = row[7]
        bytes = row[8]
    }
}
