internal import GRDB
internal import JSON

/// An unfinished import: its records are in the suite's file, but not visible.
///
/// Each ``add(_:)`` may be a transaction of its own; ``publish(_:)`` makes everything visible in one. If the
/// process dies before, the kernel drops the import's lock, and whoever comes across its records removes them:
/// ``Suite/sweep(while:)``.
public final class StagedImport {
    /// The suite.
    public let suite: Suite
    let id: Int64
    private var lock: FileLock?
    /// The additions so far.
    private(set) var added = Counters()
    /// The ids that were reserved last, and the one to be given next.
    private var ids: (range: ClosedRange<Int64>, next: Int64)?
    /// Whether the import is in the file.
    private(set) var isBegun = false
    /// Whether keys and values wait for ``finish(while:)``.
    public private(set) var hasDefaults = false
    /// The size of those keys and values.
    private var defaultsBytes: Int64 = 0
    /// The additions before the open transaction.
    private var before:
        (
            added: Counters, ids: (range: ClosedRange<Int64>, next: Int64)?, isBegun: Bool, hasDefaults: Bool,
            defaultsBytes: Int64
        )?

    /// An import into a suite; nothing is written yet.
    public init(_ suite: Suite) {
        self.suite = suite
        id = .random(in: 1...Int64.max >> 1)
    }

    /// Adds records and dead letters, which are not visible yet.
    ///
    /// - Parameter rows: Some of what the import adds, in order.
    /// - Throws: Why they are not added; then the caller rolls the open transaction back, see ``rolledBack()``.
    public func add(_ rows: [StagedRow]) throws(SuiteError) {
        guard !rows.isEmpty else { return }
        try begin()
        try suite.change { file in
            try file.access { db in try reserve(db, Int64(rows.count)) }
            let statements = try file.staging()
            for row in rows {
                try suite.checkRoom(for: row.size)
                try statements.insert(row, id: takeID())
                suite.stagedRecords += 1
                suite.stagedBytes += row.size
                added.count(row)
            }
            try file.access { db in try note(db) }
        }
    }

    /// Adds keys and values, which are not visible yet.
    ///
    /// - Parameter defaults: More of them than ``publish(_:)`` should take at once.
    /// - Throws: As ``add(_:)``.
    public func add(_ defaults: [StagedDefault]) throws(SuiteError) {
        guard !defaults.isEmpty else { return }
        try begin()
        hasDefaults = true
        try suite.write { db in
            let insert = try db.cachedStatement(
                sql: "INSERT INTO staged_defaults (import, key, value) VALUES (?, ?, ?)"
            )
            for each in defaults {
                let value = each.value.description
                defaultsBytes += Int64(each.key.utf8.count + value.utf8.count)
                try suite.checkRoom(forBytes: defaultsBytes)
                try insert.execute(arguments: [id, each.key, value])
            }
        }
    }

    /// Makes everything that was added visible: at once, by the commit that follows.
    ///
    /// - Parameter defaults: The last keys and values; they overwrite what those keys have.
    /// - Throws: As ``add(_:)``.
    public func publish(_ defaults: [StagedDefault]) throws(SuiteError) {
        if hasDefaults {
            // In order behind those that were added before.
            try add(defaults)
        } else {
            for each in defaults { try suite.store(each.value, forKey: each.key) }
        }
        guard isBegun else { return }
        try suite.write { db in
            try db.cachedStatement(sql: "DELETE FROM staged WHERE import = ?").execute(arguments: [id])
            try db.cachedStatement(sql: "UPDATE imports SET records = 0, bytes = 0, published = 1 WHERE id = ?")
                .execute(arguments: [id])
            // Mostly no default is left to be moved.
            try db.cachedStatement(
                sql: """
                    DELETE FROM imports
                    WHERE id = ?1 AND NOT EXISTS (SELECT * FROM staged_defaults WHERE import = ?1)
                    """
            )
            .execute(arguments: [id])
        }
        suite.stagedRecords -= added.roomRecords
        suite.stagedBytes -= added.roomBytes
        suite.changes = suite.changes.map { $0 + added }
    }

    /// Notes that what was done since the last commit is durable.
    public func committed() { before = nil }

    /// Notes that what was done since the last commit is not in the suite.
    public func rolledBack() {
        guard let before else { return }
        (added, ids, isBegun, hasDefaults, defaultsBytes) = before
        self.before = nil
    }

    /// Lets go of the import: what is left of it may be removed by anybody.
    public func end() {
        guard let lock else { return }
        lock.remove()
        self.lock = nil
        if isBegun { suite.store.noteUnfinishedImport(suite) }
    }

    deinit { end() }

    // MARK: The file

    private func begin() throws(SuiteError) {
        // Opens the transaction, and creates the folder first if it is missing.
        try suite.change { _ in }
        if before == nil { before = (added, ids, isBegun, hasDefaults, defaultsBytes) }
        if lock == nil {
            let lock = try FileLock(path: suite.lockPath(ofImport: id))
            guard try lock.take(.exclusive) else { throw .busy }
            self.lock = lock
        }
        guard !isBegun else { return }
        try suite.write { db in
            try db.cachedStatement(sql: "INSERT INTO imports (id, records, bytes, published) VALUES (?, 0, 0, 0)")
                .execute(arguments: [id])
        }
        isBegun = true
    }

    /// Reserves ids in the file; they are one range unless another connection saves meanwhile.
    private func reserve(_ db: Database, _ count: Int64) throws {
        let rest = ids.map { $0.range.upperBound - $0.next + 1 } ?? 0
        guard rest < count else { return }
        let newest = try Suite.newestID(db)
        let end: Int64
        if let (range, next) = ids, range.upperBound == newest {
            end = newest + count - rest
            ids = (range.lowerBound...end, next)
            try db.cachedStatement(sql: "UPDATE staged SET last = ? WHERE first = ?")
                .execute(arguments: [end, range.lowerBound])
        } else {
            // Twice as many as before: others may save after every slice, and who reads passes over each range.
            end = newest + max(count, 2 * Int64(ids?.range.count ?? 0))
            ids = (newest + 1...end, newest + 1)
            try db.cachedStatement(sql: "INSERT INTO staged (first, last, import) VALUES (?, ?, ?)")
                .execute(arguments: [newest + 1, end, id])
        }
        try db.cachedStatement(sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'pending'")
            .execute(arguments: [end])
    }

    private func takeID() throws(SuiteError) -> Int64 {
        guard let (range, next) = ids, range.contains(next) else { throw .unreadable("an import has no ids left") }
        ids = (range, next + 1)
        return next
    }

    /// Notes how much room the import takes.
    private func note(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE imports SET records = ?, bytes = ? WHERE id = ?")
            .execute(arguments: [added.roomRecords, added.roomBytes, id])
        guard db.changesCount == 1 else {
            throw SuiteError.unreadable("its file was removed or replaced during the import")
        }
    }
}

extension Suite {
    /// The lock that an import holds while its process lives.
    func lockPath(ofImport id: Int64) -> String { "\(store.folder)/\(name).import-\(String(id, radix: 16))" }

    /// The greatest id that a record has or had.
    static func newestID(_ db: Database) throws -> Int64 {
        let read = try db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'pending'")
        if let newest = try Int64.fetchOne(read) { return newest }
        try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('pending', 0)")
        return 0
    }
}

extension Counters {
    fileprivate mutating func count(_ row: StagedRow) {
        if let kind = row.kind, row.reason == nil {
            count(kind, records: 1, bytes: row.size)
        } else {
            deadLetters.records += 1
            deadLetters.bytes += row.size
        }
    }
}
