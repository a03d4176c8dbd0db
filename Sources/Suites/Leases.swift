internal import GRDB

/// A lease: records that are kept for one caller until it acknowledges them.
public struct Lease: Sendable {
    /// The token that the caller passes to `acknowledge`; unguessable unless the host has a seed.
    public let token: String
    /// The time at which the records become free again, in milliseconds since 1970.
    public let expires: Int64

    /// A lease.
    public init(token: String, expires: Int64) {
        self.token = token
        self.expires = expires
    }
}

/// The leases of a suite, under which records are kept for callers.
public struct Leases {
    let suite: Suite

    /// Reads the records that are not leased and removes or leases them: events, then custom attributes, then user
    /// attributes, each in order of capture.
    ///
    /// Without a lease they are deleted in the open transaction, so they are gone
    /// before the reply is sent. With a lease they stay, and no other caller gets them.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records.
    ///   - byteLimit: The size in bytes after which no further record is added.
    ///   - lease: The lease under which they are kept; nil to delete them.
    ///   - now: The time in milliseconds since 1970, to find expired leases.
    ///   - damaged: Called for each row that cannot be read; the row is skipped.
    /// - Returns: The records, and how many free ones remain.
    /// - Throws: An error if the suite cannot be changed; then no record is removed or leased.
    public func take(
        limit: Int64,
        byteLimit: Int64,
        lease: Lease?,
        now: Int64,
        damaged: (DamagedRecord) -> Void = { _ in }
    ) throws(SuiteError) -> (records: [Record], remaining: Int64) {
        guard try suite.pending.total(nil) > 0 else { return ([], 0) }
        let byteLimit = suite.store.reserve.releaseIfFull() ? min(byteLimit, Reserve.drainBytes) : byteLimit
        var deleted = Counters()
        let result = try suite.write { db in
            var records: [Record] = []
            var remaining: Int64 = 0
            try db.inSavepoint {
                try Lease.endExpired(db, now: now)
                var bytes: Int64 = 0
                for kind in RecordKind.allCases where Int64(records.count) < limit && bytes <= byteLimit {
                    let part = try Record.fetch(
                        db,
                        kind,
                        after: 0,
                        limit: limit - Int64(records.count),
                        byteLimit: byteLimit - bytes,
                        onlyFree: true,
                        damaged
                    )
                    bytes += part.reduce(0) { $0 + $1.bytes }
                    records += part
                }
                try DamagedRecord.ofUnknownKind(db, limit: 20).forEach(damaged)
                if let lease {
                    try lease.store(db, records)
                } else {
                    for record in records {
                        try db.cachedStatement(sql: "DELETE FROM pending WHERE id = ?").execute(arguments: [record.id])
                        deleted.count(record.content.kind, records: -1, bytes: -record.bytes)
                    }
                }
                remaining = (suite.counters.current + deleted).allRecords - (try Lease.leasedRecords(db))
                return .commit
            }
            return (records, remaining)
        }
        suite.counters.add(deleted)
        return result
    }

    /// The number of pending records that are not leased.
    ///
    /// - Parameter now: The time in milliseconds since 1970, to find expired leases.
    /// - Returns: The number.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func freeRecords(now: Int64) throws(SuiteError) -> Int64 {
        let leased = try suite.read { db in
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT coalesce(sum(\(Lease.count)), 0) FROM leases WHERE expires > ?"),
                arguments: [now]
            )
        }
        return try suite.pending.total(nil) - ((leased ?? nil) ?? 0)
    }

    /// Frees the records of expired leases.
    ///
    /// - Parameter now: The time in milliseconds since 1970.
    /// - Throws: An error if the suite cannot be changed.
    public func endExpiredLeases(now: Int64) throws(SuiteError) {
        let expired = try suite.read { db in
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT * FROM leases WHERE expires <= ?)"),
                arguments: [now]
            )
        }
        guard (expired ?? nil) ?? false else { return }
        try suite.write { db in
            try db.inSavepoint {
                try Lease.endExpired(db, now: now)
                return .commit
            }
        }
    }

    /// Whether a lease with that token exists, expired or not.
    public func contains(_ token: String) throws(SuiteError) -> Bool {
        let found = try suite.read { db in
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT * FROM leases WHERE token = ?)"),
                arguments: [token]
            )
        }
        return (found ?? nil) ?? false
    }

    /// Deletes the records of a lease.
    ///
    /// - Parameters:
    ///   - token: The lease's token.
    ///   - now: The time in milliseconds since 1970.
    /// - Returns: The number of records that were deleted.
    /// - Throws: ``SuiteError/leaseExpired`` if there is no such lease or it has expired.
    public func acknowledge(_ token: String, now: Int64) throws(SuiteError) -> Int64 {
        func live(_ db: Database) throws -> Int64? {
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT id FROM leases WHERE token = ? AND expires > ?"),
                arguments: [token, now]
            )
        }
        // Otherwise a suite without a file would get one.
        guard try suite.read(live) ?? nil != nil else { throw .leaseExpired }
        suite.store.reserve.releaseIfFull()
        var deleted = Counters()
        try suite.write { db in
            try db.inSavepoint {
                // Another process may have ended it before this transaction began.
                guard let lease = try live(db) else { throw SuiteError.leaseExpired }
                let statement = try db.cachedStatement(
                    sql: "SELECT kind, count(*), sum(\(Schema.recordBytes)) FROM pending WHERE lease = ? GROUP BY kind"
                )
                for row in try Row.fetchAll(statement, arguments: [lease]) {
                    guard let kind = RecordKind(rawValue: Int(row.integer(0))) else { continue }
                    deleted.count(kind, records: -row.integer(1), bytes: -row.integer(2))
                }
                try db.execute(sql: "DELETE FROM pending WHERE lease = ?", arguments: [lease])
                try db.execute(sql: "DELETE FROM leases WHERE id = ?", arguments: [lease])
                return .commit
            }
        }
        suite.counters.add(deleted)
        return -deleted.allRecords
    }
}

extension Lease {
    fileprivate func store(_ db: Database, _ records: [Record]) throws {
        guard !records.isEmpty else { return }
        try db.execute(
            sql: "INSERT INTO leases (token, expires, records) VALUES (?, ?, ?)",
            arguments: [token, expires, records.count]
        )
        let lease = db.lastInsertedRowID
        for record in records {
            let statement = try db.cachedStatement(sql: "UPDATE pending SET lease = ? WHERE id = ?")
            try statement.execute(arguments: [lease, record.id])
        }
    }

    /// Frees the records of expired leases.
    fileprivate static func endExpired(_ db: Database, now: Int64) throws {
        let statement = try db.cachedStatement(sql: "SELECT id FROM leases WHERE expires <= ?")
        for lease in try Int64.fetchAll(statement, arguments: [now]) {
            try db.execute(sql: "UPDATE pending SET lease = NULL WHERE lease = ?", arguments: [lease])
            try db.execute(sql: "DELETE FROM leases WHERE id = ?", arguments: [lease])
        }
    }

    /// Subtracts records of a kind from the counts of their leases, before they are deleted.
    static func release(_ db: Database, _ kind: RecordKind, _ ids: ClosedRange<Int64>) throws {
        let leased = try db.cachedStatement(
            sql: """
                SELECT lease, count(*) FROM pending
                WHERE kind = ? AND id BETWEEN ? AND ? AND lease IS NOT NULL GROUP BY +lease
                """
        )
        for row in try Row.fetchAll(leased, arguments: [kind.rawValue, ids.lowerBound, ids.upperBound]) {
            try db.cachedStatement(sql: "UPDATE leases SET records = records - ? WHERE id = ?")
                .execute(arguments: [row.integer(1), row.integer(0)])
        }
    }

    /// The number of a lease's records, within limits in which sums cannot overflow.
    fileprivate static let count = "min(max(records, 0), \(Int64(1) << 53))"

    fileprivate static func leasedRecords(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT coalesce(sum(\(count)), 0) FROM leases")) ?? 0
    }
}
