internal import GRDB
public import JSON

/// The pending records of a suite.
public struct PendingRecords {
    let suite: Suite

    /// Adds a record and returns its id; the cost does not depend on the number of pending records.
    public func save(_ record: RecordContent) throws(SuiteError) -> Int64 {
        try suite.change { file in try insert(record, into: file) }
    }

    /// Adds a record within the open transaction.
    func insert(_ record: RecordContent, into file: SuiteFile) throws -> Int64 {
        let id = suite.counters.newestID + 1
        let bytes = try file.saveStatement().insert(record, id: id) { valueSize, size in
            guard valueSize <= suite.store.limits.valueBytes else {
                throw SuiteError.recordTooLarge(bytes: valueSize, limit: suite.store.limits.valueBytes)
            }
            try suite.counters.checkRoom(for: size)
        }
        suite.counters.countSaved(record.kind, bytes: bytes)
        return id
    }

    /// The number of pending records of a kind, or of all kinds; reads a stored total, so the cost does not grow with
    /// the suite.
    public func total(_ kind: RecordKind?) throws(SuiteError) -> Int64 {
        let counters = try suite.currentCounters()
        return kind.map { counters[$0].records } ?? counters.allRecords
    }

    /// Pending records in order of their ids.
    ///
    /// - Parameters:
    ///   - kind: The kind, or nil for all kinds.
    ///   - after: Only records with greater ids.
    ///   - limit: The maximum number of records.
    ///   - byteLimit: The size in bytes after which no further record is added.
    ///   - damaged: Called for each row that cannot be read; the row is skipped.
    /// - Returns: The records; none if the suite has no file.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func records(
        _ kind: RecordKind?,
        after: Int64 = 0,
        limit: Int64,
        byteLimit: Int64,
        damaged: (DamagedRecord) -> Void = { _ in }
    ) throws(SuiteError) -> [Record] {
        try suite.readState { db in
            try Record.fetch(db, kind, after: after, limit: limit, byteLimit: byteLimit, onlyFree: false, damaged)
        } ?? []
    }

    /// Pending rows of unknown kinds, which reads by kind never return.
    public func recordsOfUnknownKind(limit: Int) throws(SuiteError) -> [DamagedRecord] {
        try suite.read { try DamagedRecord.ofUnknownKind($0, limit: limit) } ?? []
    }

    /// The estimated overhead of a record's flat form, in bytes.
    private static let flatOverhead: Int64 = 24

    /// Throws if the records of some kinds are too large in their flat form; uses the counters and reads no rows.
    ///
    /// - Parameters:
    ///   - kinds: The kinds.
    ///   - byteLimit: The maximum size of the records.
    /// - Returns: The number of records and their size.
    /// - Throws: ``SuiteError/tooLarge(bytes:)`` if they exceed the limit.
    @discardableResult
    public func checkFlatSize(_ kinds: [RecordKind], byteLimit: Int64) throws(SuiteError) -> (
        records: Int64, bytes: Int64
    ) {
        // The names of members count too: a million records with short values still make a long reply.
        let counters = try suite.currentCounters()
        let records = kinds.reduce(0) { $0 + counters[$1].records }
        let bytes = kinds.reduce(0) { $0 + counters[$1].bytes } + records * Self.flatOverhead
        guard bytes <= byteLimit else { throw .tooLarge(bytes: byteLimit) }
        return (records, bytes)
    }

    /// Every record of a kind in the flat form that Braze's guide stores, oldest first.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - byteLimit: The maximum size of the records.
    /// - Returns: An array, or nil if no record of the kind is pending.
    /// - Throws: ``SuiteError/tooLarge(bytes:)`` if they exceed the limit.
    public func flatRecords(_ kind: RecordKind, byteLimit: Int64) throws(SuiteError) -> JSON? {
        try checkFlatSize([kind], byteLimit: byteLimit)
        var damaged: DamagedRecord?
        let records = try records(kind, limit: .max, byteLimit: .max) { damaged = $0 }
        // The flat form has no member that could report a skipped record.
        if let damaged { throw .unreadable("the record \(damaged.id) is damaged: \(damaged.problem)") }
        return records.isEmpty ? nil : JSON(records.lazy.map(\.flat))
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
        var conditions = "id BETWEEN ? AND ?"
        var arguments: StatementArguments = []
        if let kind {
            conditions += " AND kind = ?"
            arguments += [kind.rawValue]
        }
        if onlyFree { conditions += " AND lease IS NULL" }
        let statement = try db.cachedStatement(
            sql: "SELECT \(Schema.recordColumns) FROM pending WHERE \(conditions) ORDER BY id"
        )
        var records: [Record] = []
        var bytes: Int64 = 0
        guard after < .max else { return [] }
        for part in try VisibleRows.ranges(db, in: after + 1...Int64.max)
        where Int64(records.count) < limit && bytes <= byteLimit {
            let range: StatementArguments = [part.lowerBound, part.upperBound]
            let rows = try Row.fetchCursor(statement, arguments: range + arguments)
            while Int64(records.count) < limit, bytes <= byteLimit, let row = try rows.next() {
                do throws(DamagedRecord) {
                    let record = try Record(row)
                    bytes += record.bytes
                    records.append(record)
                } catch {
                    damaged(error)
                }
            }
        }
        return records
    }

    private init(_ row: Row) throws(DamagedRecord) {
        id = row.integer(0)
        let kind = try DamagedRecord.kind(row)
        do throws(SuiteError) {
            content = RecordContent(
                kind: kind,
                name: row.text(2) ?? "",
                value: try row.text(3).map { text throws(SuiteError) in try JSON(stored: text) },
                time: row.integer(4),
                user: try row.text(5).map { text throws(SuiteError) in try JSON(stored: text) }
            )
        } catch {
            throw DamagedRecord(id: row.integer(0), problem: "its value or user is not JSON")
        }
        isLeased = row.integer(6) != 0
        timesUncertain = row.integer(7)
        bytes = row.integer(8)
    }
}
