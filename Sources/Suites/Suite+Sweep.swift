internal import GRDB
internal import JSON

// Cleans up imports that will never be finished: their process died, or they were cancelled.

extension Suite {
    /// Finds how much room unfinished imports take.
    ///
    /// - Returns: The totals of the suite, which the same query reads: it is part of every transaction.
    func fetchTotals(_ db: Database) throws -> Counters {
        let statement = try db.cachedStatement(
            sql: """
                SELECT kind, records, bytes FROM counters
                UNION ALL SELECT NULL, sum(records), sum(bytes) FROM imports
                """
        )
        var totals = Counters()
        (stagedRecords, stagedBytes) = (0, 0)
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() {
            guard row.hasNull(atIndex: 0) else {
                totals.take(row)
                continue
            }
            // The sum of no rows is NULL.
            guard !row.hasNull(atIndex: 1) else { continue }
            store.noteUnfinishedImport(self)
            (stagedRecords, stagedBytes) = (row[1], row[2])
        }
        return totals
    }

    /// Keeps everybody from the defaults while those of an import are moved there, since some are there already.
    func refuseWhileMerging(_ db: Database) throws {
        guard !isMerging else { return }
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT * FROM imports WHERE published)")
        guard try Bool.fetchOne(statement) ?? false else { return }
        store.noteUnfinishedImport(self)
        throw SuiteError.busy
    }

    /// Removes some of the rows of abandoned imports, and commits.
    ///
    /// - Parameter mayGoOn: Returns whether to continue; called after a few hundred records.
    /// - Returns: Whether anything is left to be removed.
    /// - Throws: An error if the suite cannot be changed.
    public func sweep(while mayGoOn: () -> Bool) throws(SuiteError) -> Bool {
        let found = try read { db in
            try Int64.fetchAll(db.cachedStatement(sql: "SELECT id FROM imports ORDER BY id"))
        }
        for id in found ?? [] {
            let lock = try FileLock(path: lockPath(ofImport: id))
            guard try lock.take(.exclusive) else { continue }
            let isLeft = try finish(id, while: mayGoOn)
            // The lock is released even if rows are left; the next slice acquires it again.
            if !isLeft { lock.remove() }
            guard !isLeft else { return true }
        }
        return false
    }

    /// Moves the defaults of a published import, or removes an unpublished one, and commits that.
    ///
    /// - Returns: Whether anything of it is left.
    /// - Throws: An error if the suite cannot be changed.
    func finish(_ id: Int64, while mayGoOn: () -> Bool) throws(SuiteError) -> Bool {
        do throws(SuiteError) {
            let published = try write { db in
                try Bool.fetchOne(
                    db.cachedStatement(sql: "SELECT published FROM imports WHERE id = ?"),
                    arguments: [id]
                )
            }
            var isLeft = published != nil
            while isLeft {
                isLeft = try published == true ? mergeSome(of: id) : removeSome(of: id)
                guard mayGoOn() else { break }
            }
            try commit()
            return isLeft
        } catch {
            rollback()
            throw error
        }
    }

    private func mergeSome(of id: Int64) throws(SuiteError) -> Bool {
        let rows = try write { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT id, key, value FROM staged_defaults WHERE import = ? ORDER BY id LIMIT 50"
                ),
                arguments: [id]
            )
        }
        isMerging = true
        defer { isMerging = false }
        for row in rows { try store(JSON(stored: row[2]), forKey: row[1]) }
        return try write { db in
            guard let last = rows.last?[0] as Int64? else {
                try db.cachedStatement(sql: "DELETE FROM imports WHERE id = ?").execute(arguments: [id])
                return false
            }
            try db.cachedStatement(sql: "DELETE FROM staged_defaults WHERE import = ? AND id <= ?")
                .execute(arguments: [id, last])
            return true
        }
    }

    private func removeSome(of id: Int64) throws(SuiteError) -> Bool {
        try write { db in
            let staged = try db.cachedStatement(sql: "SELECT first, last FROM staged WHERE import = ? LIMIT 1")
            if let range = try Row.fetchOne(staged, arguments: [id]) {
                try Self.removeRows(db, in: range[0]...range[1])
                return true
            }
            try db.cachedStatement(
                sql:
                    "DELETE FROM staged_defaults WHERE id IN (SELECT id FROM staged_defaults WHERE import = ? LIMIT 200)"
            )
            .execute(arguments: [id])
            guard db.changesCount == 0 else { return true }
            try db.cachedStatement(sql: "DELETE FROM imports WHERE id = ?").execute(arguments: [id])
            return false
        }
    }

    /// Removes the last rows of a range of an import, which then is so much shorter.
    private static func removeRows(_ db: Database, in range: ClosedRange<Int64>) throws {
        let start = max(range.lowerBound, range.upperBound - 200 + 1)
        for table in ["pending", "dead_letters"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE id BETWEEN ? AND ?")
                .execute(arguments: [start, range.upperBound])
        }
        if start > range.lowerBound {
            try db.cachedStatement(sql: "UPDATE staged SET last = ? WHERE first = ?")
                .execute(arguments: [start - 1, range.lowerBound])
        } else {
            try db.cachedStatement(sql: "DELETE FROM staged WHERE first = ?").execute(arguments: [range.lowerBound])
        }
    }
}

extension StagedImport {
    /// Goes on to remove what was added, or to move the defaults after ``publish(_:)``, and commits that.
    ///
    /// - Parameter mayGoOn: Returns whether to continue; called after a few hundred records.
    /// - Returns: Whether anything is left of that.
    /// - Throws: An error if the suite cannot be changed.
    public func finish(while mayGoOn: () -> Bool) throws(SuiteError) -> Bool {
        guard isBegun else { return false }
        return try suite.finish(id, while: mayGoOn)
    }
}
