internal import GRDB
internal import JSON

/// Removes or finishes the remains of imports that were cancelled or whose process died.
public struct ImportSweep {
    let suite: Suite

    /// Removes or finishes some of the rows of abandoned imports, and commits.
    ///
    /// - Parameter shouldContinue: Returns whether to continue; called after a few hundred records.
    /// - Returns: Whether rows of abandoned imports are left.
    /// - Throws: An error if the suite cannot be changed.
    public func sweep(while shouldContinue: () -> Bool) throws(SuiteError) -> Bool {
        let found = try suite.read { db in
            try Int64.fetchAll(db.cachedStatement(sql: "SELECT id FROM imports ORDER BY id"))
        }
        for id in found ?? [] {
            let lock = try FileLock(path: lockPath(ofImport: id))
            guard try lock.acquire(.exclusive) else { continue }
            let isLeft = try finish(id, while: shouldContinue)
            // The lock is released even if rows are left; the next slice acquires it again.
            if !isLeft { lock.remove() }
            guard !isLeft else { return true }
        }
        return false
    }

    /// Moves some defaults of a published import, or removes some rows of an unpublished one, and commits.
    ///
    /// - Returns: Whether anything of it is left.
    /// - Throws: An error if the suite cannot be changed.
    func finish(_ id: Int64, while shouldContinue: () -> Bool) throws(SuiteError) -> Bool {
        do throws(SuiteError) {
            let published = try suite.write { db in
                try Bool.fetchOne(
                    db.cachedStatement(sql: "SELECT published FROM imports WHERE id = ?"),
                    arguments: [id]
                )
            }
            var isLeft = published != nil
            while isLeft {
                isLeft = try published == true ? mergeSome(of: id) : removeSome(of: id)
                guard shouldContinue() else { break }
            }
            try suite.commit()
            return isLeft
        } catch {
            suite.rollback()
            throw error
        }
    }

    /// The path of the lock that an import has while its process lives.
    func lockPath(ofImport id: Int64) -> String {
        "\(suite.store.folder)/\(suite.name).import-\(String(id, radix: 16))"
    }

    private func mergeSome(of id: Int64) throws(SuiteError) -> Bool {
        let rows = try suite.write { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT id, key, value FROM staged_defaults WHERE import = ? ORDER BY id LIMIT 50"
                ),
                arguments: [id]
            )
        }
        for row in rows {
            let (key, value) = (row.text(1) ?? "", try JSON(stored: row.text(2) ?? ""))
            try suite.defaults.store(value, forKey: key, isStaged: true)
        }
        return try suite.write { db in
            guard let last = rows.last?.integer(0) else {
                try db.cachedStatement(sql: "DELETE FROM imports WHERE id = ?").execute(arguments: [id])
                return false
            }
            try db.cachedStatement(sql: "DELETE FROM staged_defaults WHERE import = ? AND id <= ?")
                .execute(arguments: [id, last])
            return true
        }
    }

    private func removeSome(of id: Int64) throws(SuiteError) -> Bool {
        try suite.write { db in
            let staged = try db.cachedStatement(sql: "SELECT first, last FROM staged WHERE import = ? LIMIT 1")
            if let range = try Row.fetchOne(staged, arguments: [id]) {
                try Self.removeRows(db, from: range.integer(0), to: range.integer(1))
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

    /// Removes some rows of a range of an import, or the range if it has none.
    ///
    /// The cost is that of the rows, since a damaged range may name any number of ids.
    private static func removeRows(_ db: Database, from first: Int64, to last: Int64) throws {
        var removed = 0
        for table in ["pending", "dead_letters"] {
            let some = "SELECT id FROM \(table) WHERE id BETWEEN ? AND ? LIMIT 200"
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE id IN (\(some))").execute(arguments: [first, last])
            removed += db.changesCount
        }
        guard removed == 0 else { return }
        try db.cachedStatement(sql: "DELETE FROM staged WHERE first = ?").execute(arguments: [first])
    }
}

extension StagedImport {
    /// Moves some defaults after ``publish(_:)``, or removes some added rows if the import was not published, and
    /// commits.
    ///
    /// - Parameter shouldContinue: Returns whether to continue; called after a few hundred records.
    /// - Returns: Whether the import has rows left.
    /// - Throws: An error if the suite cannot be changed.
    public func finish(while shouldContinue: () -> Bool) throws(SuiteError) -> Bool {
        guard isBegun else { return false }
        return try suite.imports.finish(id, while: shouldContinue)
    }
}

/// The ids of rows that readers may see: records of unfinished imports are in the file already, and are skipped.
enum VisibleRows {
    /// The ranges of ids that are reserved for unfinished imports, in ascending order; usually none.
    static func hidden(_ db: Database) throws -> [ClosedRange<Int64>] {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: "SELECT first, last FROM staged ORDER BY first"))
        var ranges: [ClosedRange<Int64>] = []
        while let row = try rows.next() {
            let (first, last) = (row.integer(0), row.integer(1))
            // Otherwise another program wrote the row.
            if first <= last { ranges.append(first...last) }
        }
        return ranges
    }

    /// The parts of a range of ids that do not belong to unfinished imports, in ascending order.
    static func ranges(_ db: Database, in range: ClosedRange<Int64>) throws -> [ClosedRange<Int64>] {
        var parts: [ClosedRange<Int64>] = []
        var start = range.lowerBound
        for hidden in try hidden(db) where hidden.upperBound >= start && hidden.lowerBound <= range.upperBound {
            if hidden.lowerBound > start { parts.append(start...hidden.lowerBound - 1) }
            // No row is behind the greatest id, which a damaged row may name.
            guard hidden.upperBound < range.upperBound else { return parts }
            start = hidden.upperBound + 1
        }
        if start <= range.upperBound { parts.append(start...range.upperBound) }
        return parts
    }
}
