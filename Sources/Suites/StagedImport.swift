internal import GRDB
public import JSON

/// An unfinished import: its records are in the suite's file, but not visible.
///
/// Each ``add(_:)`` may be a transaction of its own; ``publish(_:)`` makes everything visible in one. If the process
/// dies before, the kernel releases the import's lock, and the next process that sees its records removes them with
/// ``ImportSweep/sweep(while:)``.
public final class StagedImport {
    /// The suite.
    public let suite: Suite
    let id: Int64
    private var lock: FileLock?
    /// The numbers and sizes of what was added so far.
    private(set) var added = Counters()
    /// The range of ids that was reserved last, and the next unused id in it.
    private var ids: (range: ClosedRange<Int64>, next: Int64)?
    /// Whether the file has the import's row.
    private(set) var isBegun = false
    /// Whether defaults are staged, which ``finish(while:)`` must move after ``publish(_:)``.
    public private(set) var hasDefaults = false
    /// The size of the staged defaults.
    private var defaultsBytes: Int64 = 0
    /// The state before the open transaction.
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
    /// - Parameter rows: The next rows of the import, in order.
    /// - Throws: An error if they cannot be added. The caller must then roll back the open transaction and call
    ///   ``didRollBack()``.
    public func add(_ rows: [StagedRow]) throws(SuiteError) {
        guard !rows.isEmpty else { return }
        try begin()
        try suite.change { file in
            try file.access { db in try reserve(db, Int64(rows.count)) }
            let statements = try file.importStatements()
            for row in rows {
                try suite.counters.checkRoom(for: row.size)
                try statements.insert(row, id: nextID())
                suite.counters.staged.records += 1
                suite.counters.staged.bytes += row.size
                added.count(row)
            }
            try file.access { db in try storeCounts(db) }
        }
    }

    /// Adds keys and values, which are not visible yet.
    ///
    /// - Parameter defaults: Keys and values, if there are too many for one ``publish(_:)``.
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
                try suite.counters.checkRoom(forBytes: defaultsBytes)
                try insert.execute(arguments: [id, each.key, value])
            }
            try storeCounts(db)
        }
    }

    /// Makes everything that was added visible when the open transaction is committed.
    ///
    /// - Parameter defaults: The last keys and values; they overwrite existing values.
    /// - Throws: As ``add(_:)``.
    public func publish(_ defaults: [StagedDefault]) throws(SuiteError) {
        if hasDefaults {
            // Staged too, so that they are stored after those that were added before.
            try add(defaults)
        } else {
            for each in defaults { try suite.defaults.store(each.value, forKey: each.key) }
        }
        guard isBegun else { return }
        try suite.write { db in
            try db.cachedStatement(sql: "DELETE FROM staged WHERE import = ?").execute(arguments: [id])
            try db.cachedStatement(sql: "UPDATE imports SET records = 0, bytes = 0, published = 1 WHERE id = ?")
                .execute(arguments: [id])
            try requireRow(db)
            // Usually there are no staged defaults, and nothing of the import is left.
            try db.cachedStatement(
                sql: """
                    DELETE FROM imports
                    WHERE id = ?1 AND NOT EXISTS (SELECT * FROM staged_defaults WHERE import = ?1)
                    """
            )
            .execute(arguments: [id])
        }
        suite.counters.staged.records -= added.roomRecords
        suite.counters.staged.bytes -= added.roomBytes
        suite.counters.add(added)
    }

    /// Called by the owner after it committed the suite's transaction.
    public func didCommit() { before = nil }

    /// Called by the owner after the suite's transaction was rolled back: restores the state before it.
    public func didRollBack() {
        guard let before else { return }
        (added, ids, isBegun, hasDefaults, defaultsBytes) = before
        self.before = nil
    }

    /// Releases the import's lock: any process may then remove or finish what is left of the import.
    public func end() {
        guard let lock else { return }
        lock.remove()
        self.lock = nil
        if isBegun { suite.store.addUnfinishedImport(suite) }
    }

    deinit { end() }

    // MARK: The file

    private func begin() throws(SuiteError) {
        // Opens the transaction, and creates the folder first if it is missing.
        try suite.change { _ in }
        if before == nil { before = (added, ids, isBegun, hasDefaults, defaultsBytes) }
        if lock == nil {
            let lock = try FileLock(path: suite.imports.lockPath(ofImport: id))
            guard try lock.acquire(.exclusive) else { throw .busy }
            self.lock = lock
        }
        guard !isBegun else { return }
        try suite.write { db in
            try db.cachedStatement(sql: "INSERT INTO imports (id, records, bytes, published) VALUES (?, 0, 0, 0)")
                .execute(arguments: [id])
        }
        isBegun = true
    }

    /// Reserves ids in the file; extends the last range unless another connection has saved since.
    private func reserve(_ db: Database, _ count: Int64) throws {
        let rest = ids.map { $0.range.upperBound - $0.next + 1 } ?? 0
        guard rest < count else { return }
        let newest = suite.counters.newestID
        let end: Int64
        if let (range, next) = ids, range.upperBound == newest {
            end = newest + count - rest
            ids = (range.lowerBound...end, next)
            try db.cachedStatement(sql: "UPDATE staged SET last = ? WHERE first = ?")
                .execute(arguments: [end, range.lowerBound])
        } else {
            // Twice as many as before: other connections may save after every slice, and each range costs readers time.
            end = newest + max(count, 2 * Int64(ids?.range.count ?? 0))
            ids = (newest + 1...end, newest + 1)
            try db.cachedStatement(sql: "INSERT INTO staged (first, last, import) VALUES (?, ?, ?)")
                .execute(arguments: [newest + 1, end, id])
        }
        suite.counters.reserveIDs(through: end)
    }

    private func nextID() throws(SuiteError) -> Int64 {
        guard let (range, next) = ids, range.contains(next) else { throw .unreadable("an import has no ids left") }
        ids = (range, next + 1)
        return next
    }

    /// Stores the number and size of the import's records in its row.
    private func storeCounts(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE imports SET records = ?, bytes = ? WHERE id = ?")
            .execute(arguments: [added.roomRecords, added.roomBytes, id])
        try requireRow(db)
    }

    /// Throws unless the statement before has changed the import's row.
    private func requireRow(_ db: Database) throws {
        guard db.changesCount == 1 else {
            throw SuiteError.unreadable("its file was removed or replaced during the import")
        }
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

/// A row that an import adds: a record or a dead letter.
public struct StagedRow: Sendable {
    let kind: RecordKind?
    let name: [UInt8]?
    /// The value as JSON text.
    let value: [UInt8]?
    let time: Int64
    /// The user as JSON text.
    let user: [UInt8]?
    /// Bytes that could not be read as a record.
    let bytes: [UInt8]?
    /// Why it is a dead letter; nil for a pending record.
    let reason: [UInt8]?
    /// When it became one, in milliseconds since 1970.
    let died: Int64

    /// A record.
    public init(_ record: RecordContent) { self.init(record, nil, at: 0) }

    /// A dead letter that is a record.
    ///
    /// - Parameters:
    ///   - record: The record that cannot be delivered.
    ///   - reason: Why.
    ///   - time: When it became a dead letter, in milliseconds since 1970.
    public init(_ record: RecordContent, reason: String, at time: Int64) { self.init(record, reason, at: time) }

    private init(_ record: RecordContent, _ reason: String?, at time: Int64) {
        kind = record.kind
        name = Array(record.name.utf8)
        value = record.value?.bytes
        self.time = record.time
        user = record.user?.bytes
        bytes = nil
        self.reason = reason.map { Array($0.utf8) }
        died = time
    }

    /// A dead letter of bytes that could not be read as a record.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - kind: The kind of the record, if known.
    ///   - reason: Why they cannot be read.
    ///   - time: When they became a dead letter, in milliseconds since 1970.
    public init(_ bytes: [UInt8], kind: RecordKind?, reason: String, at time: Int64) {
        self.kind = kind
        name = nil
        value = nil
        self.time = time
        user = nil
        self.bytes = bytes
        died = time
        self.reason = Array(reason.utf8)
    }

    /// The size of the value in bytes.
    public var valueSize: Int { value?.count ?? 0 }

    /// Its size, as it counts towards the suite's limit.
    public var size: Int64 {
        let texts = (name?.count ?? 0) + (value?.count ?? 0) + (user?.count ?? 0)
        return Int64(texts + (bytes?.count ?? 0) + (reason?.count ?? 0))
    }
}

/// A key and its value that an import adds to the defaults.
public struct StagedDefault: Sendable {
    let key: String
    let value: JSON

    /// A default.
    ///
    /// The key must not contain U+0000 and must not be a ``RecordKind/storageKey``.
    public init(key: String, value: JSON) {
        self.key = key
        self.value = value
    }
}

/// The statements that write the rows of imports.
final class StagingStatements {
    private let record: InsertStatement
    private let deadLetter: InsertStatement

    init(_ db: Database) throws {
        record = try InsertStatement(
            db,
            sql: "INSERT INTO pending (id, kind, name, value, time, user) VALUES (?, ?, ?, ?, ?, ?)"
        )
        deadLetter = try InsertStatement(
            db,
            sql: """
                INSERT INTO dead_letters (id, kind, name, value, time, user, bytes, reason, died)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
    }

    func insert(_ row: StagedRow, id: Int64) throws {
        let kind: InsertStatement.Column = row.kind.map { .integer(Int64($0.rawValue)) } ?? .null
        let name: InsertStatement.Column = row.name.map { .text($0) } ?? .null
        let value: InsertStatement.Column = row.value.map { .text($0) } ?? .null
        let user: InsertStatement.Column = row.user.map { .text($0) } ?? .null
        if let reason = row.reason {
            let time: InsertStatement.Column = row.name == nil ? .null : .integer(row.time)
            let bytes: InsertStatement.Column = row.bytes.map { .blob($0) } ?? .null
            try deadLetter.insert(
                .integer(id),
                kind,
                name,
                value,
                time,
                user,
                bytes,
                .text(reason),
                .integer(row.died)
            )
        } else {
            try record.insert(.integer(id), kind, name, value, .integer(row.time), user)
        }
    }
}
