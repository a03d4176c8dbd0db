internal import GRDB

// Records that a host may have sent before it died, and that no later flush has settled yet.

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
        // A flush holds the lock; claims are abandoned only if it can be acquired here.
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
