internal import GRDB

/// The outcome of the records of a claim; a record in none of the lists was not attempted.
public struct Settlement: Equatable, Sendable {
    /// The delivered records, which are deleted.
    public var delivered: [Int64] = []
    /// The records that become dead letters, each with the reason.
    public var deadLetters: [(id: Int64, reason: String)] = []
    /// The records whose delivery was ambiguous and that stay pending.
    public var ambiguousPending: [Int64] = []
    /// How many records of the claim had an ambiguous delivery: these, and those of them that become dead letters.
    public var ambiguousRecords: Int64 = 0

    /// An empty outcome: nothing was attempted.
    public init() {}

    /// Whether both are equal.
    public static func == (left: Settlement, right: Settlement) -> Bool {
        left.delivered == right.delivered && left.ambiguousPending == right.ambiguousPending
            && left.ambiguousRecords == right.ambiguousRecords
            && left.deadLetters.elementsEqual(right.deadLetters) { $0 == $1 }
    }
}

/// The records that a flush sends, and its claims: what was being sent if the host dies.
public struct Claims {
    let suite: Suite

    private static let deliverableColumns = """
        id, kind, name, value, time, user, uncertain,
        (value IS NULL OR json_valid(value)) AND (user IS NULL OR json_valid(user))
        """

    /// Pending records that are not leased, in order of their ids.
    ///
    /// - Parameters:
    ///   - range: The range of ids to read.
    ///   - limit: The maximum number of records.
    ///   - byteLimit: The size in bytes after which no further record is added.
    ///   - now: The time at which a lease must have expired for its records to be read too, in milliseconds since 1970; nil
    ///     for no such records.
    ///   - damaged: Called for each row that cannot be read; the row is skipped.
    /// - Returns: The records.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func deliverable(
        _ range: ClosedRange<Int64>,
        limit: Int,
        byteLimit: Int,
        withLeasesExpiredAt now: Int64? = nil,
        damaged: (DamagedRecord) -> Void = { _ in }
    ) throws(SuiteError) -> [StoredRecord] {
        let expired = now.map { " OR lease IN (SELECT id FROM leases WHERE expires <= \($0))" } ?? ""
        return try suite.readState { db in
            let sql = """
                SELECT \(Self.deliverableColumns) FROM pending NOT INDEXED
                WHERE id BETWEEN ? AND ? AND (lease IS NULL\(expired)) ORDER BY id
                """
            let statement = now == nil ? try db.cachedStatement(sql: sql) : try db.makeStatement(sql: sql)
            var records: [StoredRecord] = []
            var bytes = 0
            for part in try VisibleRows.ranges(db, in: range) where records.count < limit && bytes <= byteLimit {
                try statement.visit(part) { row in
                    do throws(DamagedRecord) {
                        let record = try StoredRecord(row, after: records.last)
                        bytes += record.bytes
                        records.append(record)
                    } catch {
                        damaged(error)
                    }
                    return records.count < limit && bytes <= byteLimit
                }
            }
            return records
        } ?? []
    }

    /// The id of the newest pending record; 0 if no record is pending.
    public func newestRecord() throws(SuiteError) -> Int64 {
        let newest = try suite.readState { db in
            let statement = try db.cachedStatement(sql: "SELECT max(id) FROM pending WHERE id BETWEEN ? AND ?")
            for part in try VisibleRows.ranges(db, in: 1...Int64.max).reversed() {
                let arguments: StatementArguments = [part.lowerBound, part.upperBound]
                if let newest = try Int64.fetchOne(statement, arguments: arguments) { return newest }
            }
            return 0
        }
        return newest ?? 0
    }

    // MARK: Claims

    /// Claims records before they are delivered.
    ///
    /// - Parameters:
    ///   - ids: The ids of the records.
    ///   - destination: The destination.
    /// - Returns: The claim's id, for ``settle(_:_:destination:state:now:)``, and those of the records that are no longer
    ///   pending and must not be delivered.
    /// - Throws: An error if the suite cannot be read or changed; then nothing is claimed or may be delivered.
    public func claim(ids: [Int64], for destination: String) throws(SuiteError) -> (id: Int64, missing: Set<Int64>) {
        suite.store.reserve.releaseIfFull()
        let runs = IDRuns(ids)
        return try suite.write { db in
            // The transaction is open, so no other process can remove any records from now on.
            let missing = try missing(ids, runs, db)
            try db.cachedStatement(sql: "INSERT INTO claims (destination, records) VALUES (?, ?)")
                .execute(arguments: [destination, runs.text])
            return (db.lastInsertedRowID, missing)
        }
    }

    /// Those of the given ids whose records are no longer pending.
    private func missing(_ ids: [Int64], _ runs: IDRuns, _ db: Database) throws -> Set<Int64> {
        let count = try db.cachedStatement(sql: "SELECT count(*) FROM pending NOT INDEXED WHERE id BETWEEN ? AND ?")
        let total = try runs.runs.reduce(0) { total, run in
            try total + (Int.fetchOne(count, arguments: [run.lowerBound, run.upperBound]) ?? 0)
        }
        guard total < ids.count else { return [] }
        let list = try db.cachedStatement(sql: "SELECT id FROM pending NOT INDEXED WHERE id BETWEEN ? AND ?")
        return try runs.runs.reduce(into: Set(ids)) { missing, run in
            missing.subtract(try Int64.fetchAll(list, arguments: [run.lowerBound, run.upperBound]))
        }
    }

    /// A claim of a host that died.
    public struct Abandoned: Sendable {
        /// The claim's id.
        public let claim: Int64
        /// The destination of its records.
        public let destination: String
        /// The records of the claim that are still pending.
        public let records: [StoredRecord]
    }

    /// The claims of hosts that died; the caller must have the flush lock.
    public func abandonedClaims() throws(SuiteError) -> [Abandoned] {
        try suite.read { db in
            let claims = try Row.fetchAll(db.cachedStatement(sql: "SELECT id, destination, records FROM claims"))
            return try claims.map { claim in
                let statement = try db.cachedStatement(
                    sql: "SELECT \(Self.deliverableColumns) FROM pending NOT INDEXED WHERE id BETWEEN ? AND ?"
                )
                let records = try IDRuns(text: claim.text(2) ?? "").runs.flatMap { run in
                    var records: [StoredRecord] = []
                    try statement.visit(run) { row in
                        // A damaged record stays pending, and the next batch reports it.
                        if let record = try? StoredRecord(row, after: records.last) { records.append(record) }
                        return true
                    }
                    return records
                }
                return Abandoned(claim: claim.integer(0), destination: claim.text(1) ?? "", records: records)
            }
        } ?? []
    }

    /// Ends a claim: deletes delivered records, moves rejected ones to the dead letters, counts ambiguous ones.
    ///
    /// Records that were removed meanwhile are skipped.
    ///
    /// - Parameters:
    ///   - claim: The claim's id.
    ///   - settlement: The outcome of its records.
    ///   - destination: The destination, whose totals are updated.
    ///   - state: The new state of the destination, if it changed.
    ///   - now: The time in milliseconds since 1970, for dead letters.
    /// - Throws: An error if the suite cannot be changed; then the claim stays.
    public func settle(
        _ claim: Int64,
        _ settlement: Settlement,
        destination: String,
        state: DestinationState? = nil,
        now: Int64
    ) throws(SuiteError) {
        var counted = Counters()
        suite.store.reserve.releaseIfFull()
        let digest = try state.map { state throws(SuiteError) in try suite.digest(of: state.configuration) ?? "" }
        try suite.write { db in
            try db.inSavepoint {
                for run in IDRuns(settlement.delivered).runs { try Self.delete(db, run, &counted) }
                for (id, reason) in settlement.deadLetters {
                    try DeadLetters.add(db, id, reason: reason, now: now, &counted)
                }
                for run in IDRuns(settlement.ambiguousPending).runs {
                    try db.cachedStatement(sql: "UPDATE pending SET uncertain = uncertain + 1 WHERE id BETWEEN ? AND ?")
                        .execute(arguments: [run.lowerBound, run.upperBound])
                }
                try db.cachedStatement(sql: "DELETE FROM claims WHERE id = ?").execute(arguments: [claim])
                try DeliveryTotals.add(db, settlement, destination: destination)
                try state?.store(db, destination: destination, digest: digest ?? "")
                return .commit
            }
        }
        suite.counters.add(counted)
    }

    private static func delete(_ db: Database, _ run: ClosedRange<Int64>, _ counted: inout Counters) throws {
        // One by one, since SQLite would sort the rows to group them by kind.
        let sizes = try db.cachedStatement(
            sql: "SELECT kind, \(Schema.recordBytes) FROM pending NOT INDEXED WHERE id BETWEEN ? AND ?"
        )
        try sizes.visit(run) { row in
            if let kind = RecordKind(rawValue: Int(row.integer(0))) {
                counted.count(kind, records: -1, bytes: -row.integer(1))
            }
            return true
        }
        try db.cachedStatement(sql: "DELETE FROM pending WHERE id BETWEEN ? AND ?")
            .execute(arguments: [run.lowerBound, run.upperBound])
    }
}

/// Records that a host may have sent before it died, and that no later flush has settled yet.
extension Claims {
    /// Whether batches are under way, or were when a host died.
    func exist() throws(SuiteError) -> Bool {
        try suite.read { db in
            try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT * FROM claims)")) ?? false
        } ?? false
    }

    /// The ids of the records that hosts were delivering when they died, whether or not they are still pending.
    ///
    /// - Returns: The ids as runs, since a damaged claim may name any number of them; none while a process flushes the
    ///   suite, since its batches are not abandoned.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func abandonedRecords() throws(SuiteError) -> IDRuns {
        let claims = try suite.read { try String.fetchAll($0.cachedStatement(sql: "SELECT records FROM claims")) } ?? []
        guard !claims.isEmpty else { return [] }
        // A flush has the lock; claims are abandoned only if it can be acquired here.
        guard let lock = try? suite.lockFlush() else { return [] }
        return try withExtendedLifetime(lock) { () throws(SuiteError) in
            var runs: [ClosedRange<Int64>] = []
            for claim in claims { runs += try IDRuns(text: claim).runs }
            return IDRuns(merging: runs)
        }
    }

    /// The number of pending records that may have been sent without a definite answer, including those of hosts that
    /// died.
    public func possiblySentRecords() throws(SuiteError) -> Int64 {
        let abandoned = try abandonedRecords()
        let count = try suite.read { db in
            let known = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT count(*) FROM pending INDEXED BY pending_in_doubt WHERE uncertain > 0")
            )
            let fresh = try db.cachedStatement(
                sql: "SELECT count(*) FROM pending NOT INDEXED WHERE id BETWEEN ? AND ? AND uncertain = 0"
            )
            return try abandoned.runs.reduce(known ?? 0) { total, run in
                try total + (Int64.fetchOne(fresh, arguments: [run.lowerBound, run.upperBound]) ?? 0)
            }
        }
        return count ?? 0
    }
}

/// Ids as runs of consecutive ids; a delivery usually has one or two runs.
public struct IDRuns: Equatable, Sendable {
    /// The runs, in ascending order, with a gap between any two.
    public private(set) var runs: [ClosedRange<Int64>] = []

    /// The runs of some ids.
    ///
    /// - Parameter ids: The ids in any order; duplicates are ignored.
    public init(_ ids: some Sequence<Int64>) {
        let ids = Array(ids)
        // The ids are usually sorted already.
        let isSorted = zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 }
        for id in isSorted ? ids : ids.sorted() {
            if let last = runs.last, Self.continues(last, at: id) {
                runs[runs.count - 1] = last.lowerBound...max(last.upperBound, id)
            } else {
                runs.append(id...id)
            }
        }
    }

    /// Whether an id lies in a run, or right behind it.
    ///
    /// No sum is made, which overflows at the greatest id.
    private static func continues(_ run: ClosedRange<Int64>, at id: Int64) -> Bool {
        id <= run.upperBound || id - 1 == run.upperBound
    }

    /// The runs of everything in some ranges, which may overlap.
    init(merging ranges: [ClosedRange<Int64>]) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = runs.last, Self.continues(last, at: range.lowerBound) {
                runs[runs.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                runs.append(range)
            }
        }
    }

    /// Parses the runs from their ``text``.
    init(text: String) throws(SuiteError) {
        for part in text.split(separator: ",") {
            let ends = part.split(separator: "-").map { Int64($0) }
            guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, 1 <= first, first <= last
            else {
                throw .unreadable("it has a claim with invalid record ids: \(text)")
            }
            runs.append(first...last)
        }
    }

    /// The runs as `1-1000,1003`.
    var text: String {
        runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// Whether there are no ids.
    public var isEmpty: Bool { runs.isEmpty }

    /// The number of ids.
    public var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// Whether an id is among them.
    public func contains(_ id: Int64) -> Bool {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < id { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].lowerBound <= id
    }
}

extension IDRuns: ExpressibleByArrayLiteral {
    /// The runs of the ids, in any order.
    public init(arrayLiteral ids: Int64...) { self.init(ids) }
}
