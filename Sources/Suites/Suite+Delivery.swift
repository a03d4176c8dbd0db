internal import GRDB

/// A pending record as a flush takes it: its value and user are JSON text, which nobody needs to read on the way.
public struct StoredRecord: Equatable, Sendable {
    /// Its number in the suite.
    public let id: Int64
    /// What it will become.
    public let kind: RecordKind
    /// The event's name, the attribute's key or the profile's field.
    public let name: String
    /// The event's properties, where it has any, or the value, as JSON text.
    public let value: String?
    /// The time of capture in milliseconds since 1970.
    public let time: Int64
    /// Whom it is about, where that was known at capture, as JSON text.
    public let user: String?
    /// How often it may have been sent without anybody knowing.
    public let timesUncertain: Int64

    /// A record.
    public init(
        id: Int64,
        kind: RecordKind,
        name: String,
        value: String?,
        time: Int64,
        user: String?,
        timesUncertain: Int64 = 0
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.value = value
        self.time = time
        self.user = user
        self.timesUncertain = timesUncertain
    }

    /// Its texts in bytes.
    public var bytes: Int { name.utf8.count + (value?.utf8.count ?? 0) + (user?.utf8.count ?? 0) }

    fileprivate init(_ row: Row) throws(DamagedRecord) {
        id = row[0]
        kind = try DamagedRecord.kind(row)
        guard row[7] else { throw DamagedRecord(id: id, problem: "its value or user is not JSON") }
        name = row[2]
        value = row[3]
        time = row[4]
        user = row[5]
        timesUncertain = row[6]
    }
}

/// What became of the records of a claim; those in none of the lists were not attempted.
public struct Settlement: Equatable, Sendable {
    /// Safely there: deleted.
    public var delivered: [Int64] = []
    /// Become dead letters, each with its reason.
    public var deadLetters: [(id: Int64, reason: String)] = []
    /// May have been sent without anybody knowing, and stay.
    public var uncertain: [Int64] = []
    /// How many of all of them may have been sent without anybody knowing.
    public var possiblySent: Int64 = 0

    /// Nothing became of anything.
    public init() {}

    /// Whether both say the same.
    public static func == (left: Settlement, right: Settlement) -> Bool {
        left.delivered == right.delivered && left.uncertain == right.uncertain
            && left.possiblySent == right.possiblySent && left.deadLetters.elementsEqual(right.deadLetters) { $0 == $1 }
    }
}

extension Suite {
    private static let deliverableColumns = """
        id, kind, name, value, time, user, uncertain,
        (value IS NULL OR json_valid(value)) AND (user IS NULL OR json_valid(user))
        """

    /// Pending records that no caller holds under a lease, in order of their ids.
    ///
    /// - Parameters:
    ///   - range: Only records of these ids.
    ///   - limit: The greatest number of records.
    ///   - byteLimit: No record is added once the ones before it have that many bytes.
    ///   - damaged: Takes each row that is no record; it is passed over.
    /// - Returns: The records.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func deliverable(
        _ range: ClosedRange<Int64>,
        limit: Int,
        byteLimit: Int,
        damaged: (DamagedRecord) -> Void = { _ in }
    ) throws(SuiteError) -> [StoredRecord] {
        try readState { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT \(Self.deliverableColumns) FROM pending NOT INDEXED
                    WHERE id BETWEEN ? AND ? AND lease IS NULL ORDER BY id
                    """
            )
            var records: [StoredRecord] = []
            var bytes = 0
            for part in try Self.visible(db, in: range) where records.count < limit && bytes <= byteLimit {
                let rows = try Row.fetchCursor(statement, arguments: [part.lowerBound, part.upperBound])
                while records.count < limit, bytes <= byteLimit, let row = try rows.next() {
                    do throws(DamagedRecord) {
                        let record = try StoredRecord(row)
                        bytes += record.bytes
                        records.append(record)
                    } catch {
                        damaged(error)
                    }
                }
            }
            return records
        } ?? []
    }

    /// The id of the newest pending record; 0 where there is none.
    public func newestRecord() throws(SuiteError) -> Int64 {
        let newest = try readState { db in
            let statement = try db.cachedStatement(sql: "SELECT max(id) FROM pending WHERE id BETWEEN ? AND ?")
            for part in try Self.visible(db, in: 1...Int64.max).reversed() {
                let arguments: StatementArguments = [part.lowerBound, part.upperBound]
                if let newest = try Int64.fetchOne(statement, arguments: arguments) { return newest }
            }
            return 0
        }
        return newest ?? 0
    }

    /// The number of pending records that no caller holds under a lease.
    ///
    /// - Parameter now: The time in milliseconds since 1970, for leases that ran out.
    /// - Returns: The number.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func freeRecords(now: Int64) throws(SuiteError) -> Int64 {
        let held = try read { db in
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT coalesce(sum(records), 0) FROM leases WHERE expires > ?"),
                arguments: [now]
            )
        }
        return try total(nil) - ((held ?? nil) ?? 0)
    }

    /// Frees the records of leases that ran out, where there are any.
    ///
    /// - Parameter now: The time in milliseconds since 1970.
    /// - Throws: What keeps the suite from being changed.
    public func endExpiredLeases(now: Int64) throws(SuiteError) {
        let expired = try read { db in
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT * FROM leases WHERE expires <= ?)"),
                arguments: [now]
            )
        }
        guard (expired ?? nil) ?? false else { return }
        try write { db in
            try db.inSavepoint {
                try Lease.endExpired(db, now: now)
                return .commit
            }
        }
    }

    // MARK: Claims

    /// Notes, before they leave, that records are on their way.
    ///
    /// - Parameters:
    ///   - records: Their ids.
    ///   - destination: Where they go.
    /// - Returns: The claim's number, for ``settle(_:_:destination:now:)``.
    /// - Throws: What keeps the suite from being changed; then nothing may leave.
    public func claim(_ records: IDRuns, for destination: String) throws(SuiteError) -> Int64 {
        _ = store.reserve.release()
        return try write { db in
            try db.cachedStatement(sql: "INSERT INTO claims (destination, records) VALUES (?, ?)")
                .execute(arguments: [destination, records.text])
            return db.lastInsertedRowID
        }
    }

    /// Those of some ids that are not pending any more.
    public func missing(_ ids: [Int64]) throws(SuiteError) -> Set<Int64> {
        let runs = IDRuns(ids).runs
        let found = try read { db in
            let count = try db.cachedStatement(
                sql: "SELECT count(*) FROM pending NOT INDEXED WHERE id BETWEEN ? AND ?"
            )
            let total = try runs.reduce(0) { total, run in
                try total + (Int.fetchOne(count, arguments: [run.lowerBound, run.upperBound]) ?? 0)
            }
            guard total < ids.count else { return Set(ids) }
            let list = try db.cachedStatement(sql: "SELECT id FROM pending NOT INDEXED WHERE id BETWEEN ? AND ?")
            return try runs.reduce(into: Set<Int64>()) { found, run in
                found.formUnion(try Int64.fetchAll(list, arguments: [run.lowerBound, run.upperBound]))
            }
        }
        return Set(ids).subtracting(found ?? [])
    }

    /// A claim that a dead host left.
    public struct Abandoned: Sendable {
        /// Its number.
        public let claim: Int64
        /// Where its records went.
        public let destination: String
        /// Those of them that are pending still.
        public let records: [StoredRecord]
    }

    /// What hosts that died had on its way; only for whoever has the right to flush.
    public func abandonedClaims() throws(SuiteError) -> [Abandoned] {
        try read { db in
            let claims = try Row.fetchAll(db.cachedStatement(sql: "SELECT id, destination, records FROM claims"))
            return try claims.map { claim in
                let statement = try db.cachedStatement(
                    sql: "SELECT \(Self.deliverableColumns) FROM pending NOT INDEXED WHERE id BETWEEN ? AND ?"
                )
                let records = try IDRuns(text: claim[2]).runs.flatMap { run in
                    try Row.fetchAll(statement, arguments: [run.lowerBound, run.upperBound]).map {
                        try StoredRecord($0)
                    }
                }
                return Abandoned(claim: claim[0], destination: claim[1], records: records)
            }
        } ?? []
    }

    /// Ends a claim: deletes what is there, buries what nobody takes, marks what may have been sent.
    ///
    /// Records that somebody removed meanwhile are passed over.
    ///
    /// - Parameters:
    ///   - claim: The claim's number.
    ///   - settlement: What became of its records.
    ///   - destination: Whose totals grow by it.
    ///   - state: How far the destination can be reached, if that changed.
    ///   - now: The time in milliseconds since 1970, for dead letters.
    /// - Throws: What keeps the suite from being changed; then the claim stands.
    public func settle(
        _ claim: Int64,
        _ settlement: Settlement,
        destination: String,
        state: DestinationState? = nil,
        now: Int64
    ) throws(SuiteError) {
        var counted = Counters()
        _ = store.reserve.release()
        try write { db in
            try db.inSavepoint {
                for run in IDRuns(settlement.delivered).runs { try Self.delete(db, run, &counted) }
                for (id, reason) in settlement.deadLetters { try Self.bury(db, id, reason: reason, now: now, &counted) }
                for run in IDRuns(settlement.uncertain).runs {
                    try db.cachedStatement(sql: "UPDATE pending SET uncertain = uncertain + 1 WHERE id BETWEEN ? AND ?")
                        .execute(arguments: [run.lowerBound, run.upperBound])
                }
                try db.cachedStatement(sql: "DELETE FROM claims WHERE id = ?").execute(arguments: [claim])
                try DeliveryTotals.add(db, settlement, destination: destination)
                try state?.store(db, destination: destination)
                return .commit
            }
        }
        changes = changes.map { $0 + counted }
    }

    private static func delete(_ db: Database, _ run: ClosedRange<Int64>, _ counted: inout Counters) throws {
        let arguments: StatementArguments = [run.lowerBound, run.upperBound]
        let count = try db.cachedStatement(
            sql: """
                SELECT kind, count(*), sum(\(Schema.recordBytes)) FROM pending NOT INDEXED
                WHERE id BETWEEN ? AND ? GROUP BY kind
                """
        )
        let rows = try Row.fetchCursor(count, arguments: arguments)
        while let row = try rows.next() {
            guard let kind = RecordKind(rawValue: row[0]) else { continue }
            counted.count(kind, records: -(row[1] as Int64), bytes: -(row[2] as Int64))
        }
        try db.cachedStatement(sql: "DELETE FROM pending WHERE id BETWEEN ? AND ?").execute(arguments: arguments)
    }
}
