internal import Foundation
internal import GRDB

/// The outcome of a save with an idempotency key.
public struct Saved: Equatable, Sendable {
    /// The record's id.
    public let id: Int64
    /// Whether an earlier save with this key added the record, and this one added nothing.
    public let isRepeated: Bool

    /// The outcome of a save.
    public init(id: Int64, isRepeated: Bool) { (self.id, self.isRepeated) = (id, isRepeated) }
}

/// A save that may be sent again.
public struct RepeatableSave: Sendable {
    /// The idempotency key.
    public let key: IdempotencyKey
    /// The record.
    public let record: RecordContent
    /// Whether the caller passed the record's time, which then counts as content.
    public let hasTime: Bool
    /// The time now in milliseconds since 1970.
    public let now: Int64

    /// A save with a key.
    public init(_ record: RecordContent, key: IdempotencyKey, hasTime: Bool, now: Int64) {
        (self.record, self.key, self.hasTime, self.now) = (record, key, hasTime, now)
    }
}

/// The saves with idempotency keys, which have an effect only once.
public struct RepeatableSaves {
    let suite: Suite

    /// Adds a record, unless an earlier save with the same key has added it; record and key are stored together.
    ///
    /// The key stays in the suite even when the record has been delivered or removed.
    ///
    /// - Throws: ``SuiteError/keyReused(id:)`` if the earlier save had other content; nothing is added.
    public func save(_ save: RepeatableSave) throws(SuiteError) -> Saved {
        try suite.change { file in
            let fingerprint = try fingerprint(of: save, in: file)
            if let found = try find(save, fingerprint, isUserKnown: true, in: file) { return found }
            let id = try suite.pending.insert(save.record, into: file)
            do {
                try storeKey(of: save, fingerprint, id, in: file)
            } catch {
                // Otherwise a record without its key stays, and the repeated save adds it again.
                file.rollback()
                throw error
            }
            return Saved(id: id, isRepeated: false)
        }
    }

    /// Finds the record of an earlier save with that key when the current user is unknown.
    ///
    /// - Returns: The outcome of the earlier save, or nil if there was none.
    /// - Throws: ``SuiteError/keyReused(id:)`` if the earlier save had other content; the user counts if this save has one.
    public func find(_ save: RepeatableSave) throws(SuiteError) -> Saved? {
        guard try suite.exists() else { return nil }
        return try suite.change { file in
            try find(save, fingerprint(of: save, in: file), isUserKnown: save.record.user != nil, in: file)
        }
    }

    private func fingerprint(of save: RepeatableSave, in file: SuiteFile) throws -> Fingerprint {
        Fingerprint(save.record, hasTime: save.hasTime, secret: try file.secret(), buffer: &suite.keys.text)
    }

    private func find(
        _ save: RepeatableSave,
        _ fingerprint: Fingerprint,
        isUserKnown: Bool,
        in file: SuiteFile
    ) throws -> Saved? {
        guard let found = try find(save.key, in: file) else { return nil }
        guard fingerprint.matches(found.fingerprint, isUserKnown: isUserKnown) else {
            throw SuiteError.keyReused(id: found.id)
        }
        return Saved(id: found.id, isRepeated: true)
    }

    /// The record of a key, and the fingerprint of the save that made it.
    private func find(_ key: IdempotencyKey, in file: SuiteFile) throws -> (id: Int64, fingerprint: Fingerprint)? {
        if let run = suite.keys.run {
            if let found = run.find(key) { return found }
            if run.isFollowed(by: key) {
                let next = try run.nextInFile ?? file.access { try KeyTable.next($0, run) }
                suite.keys.run?.nextInFile = next
                if key.number < next { return nil }
            }
        }
        return try file.access { db in
            try writeKeyRun(db)
            return try KeyTable.find(db, key)
        }
    }

    /// Stores the key of a record that was just added.
    private func storeKey(of save: RepeatableSave, _ fingerprint: Fingerprint, _ id: Int64, in file: SuiteFile) throws {
        if suite.keys.run?.add(save.key, fingerprint, id: id, time: save.now) == true { return }
        if suite.keys.run != nil { try file.access { try writeKeyRun($0) } }
        suite.keys.run = KeyRun(save.key, fingerprint, id: id, time: save.now)
    }

    /// Writes the run in memory to the file, if there is one.
    private func writeKeyRun(_ db: Database) throws {
        guard let run = suite.keys.run else { return }
        try KeyTable.insert(db, run)
        suite.counters.countKeys(Int64(run.count))
        suite.keys.time = run.time
        suite.keys.run = nil
    }

    /// Writes the remaining keys of the transaction and removes old ones: at most twice as many as were added, so that
    /// no commit removes many at once, but a lowered limit is reached after some commits.
    func finishKeys(_ db: Database) throws {
        try writeKeyRun(db)
        guard let changes = suite.counters.changes, changes.keys > 0 else { return }
        let removed = try KeyTable.removeOldest(
            db,
            most: 2 * changes.keys,
            spare: suite.counters.totals.keys + changes.keys - suite.limits.idempotencyKeys,
            now: suite.keys.time,
            age: suite.limits.idempotencyTime
        )
        suite.counters.countKeys(-removed)
    }
}

/// The idempotency keys of an open transaction.
struct TransactionKeys {
    /// The last run, which may still grow; its keys are not in the file yet.
    var run: KeyRun?
    /// The time of the last key that was written to the file.
    var time: Int64 = 0
    /// A scratch buffer for the text that is hashed for a fingerprint.
    var text: [UInt8] = []
}

/// The table of idempotency keys.
private enum KeyTable {
    static func find(_ db: Database, _ key: IdempotencyKey) throws -> (id: Int64, fingerprint: Fingerprint)? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT id + ?2 - first, substr(fingerprints, (?2 - first) * \(Fingerprint.size) + 1, \(Fingerprint.size))
                FROM idempotency_keys
                WHERE stem = ?1 AND first = (SELECT max(first) FROM idempotency_keys WHERE stem = ?1 AND first <= ?2)
                    AND ?2 - first < count
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [key.stem, key.number]) else { return nil }
        guard let fingerprint = row.bytes(1).flatMap({ Fingerprint(Data($0)) }) else {
            throw SuiteError.unreadable("the idempotency key of the record \(row.integer(0)) is damaged")
        }
        return (row.integer(0), fingerprint)
    }

    /// The smallest number above a run's first one that the file has for the run's stem; the maximum `Int64` if it
    /// has no such number.
    static func next(_ db: Database, _ run: KeyRun) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: "SELECT min(first) FROM idempotency_keys WHERE stem = ? AND first > ?"
        )
        return try Int64.fetchOne(statement, arguments: [run.stem, run.first]) ?? .max
    }

    static func insert(_ db: Database, _ run: KeyRun) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT INTO idempotency_keys (id, stem, first, count, time, fingerprints) VALUES (?, ?, ?, ?, ?, ?)"
        )
        try statement.execute(
            arguments: [run.firstID, run.stem, run.first, run.count, run.time, Fingerprint.data(run.fingerprints)]
        )
    }

    /// Removes the oldest rows whose keys have expired and have enough newer keys.
    ///
    /// - Parameters:
    ///   - db: The suite's connection.
    ///   - most: The number of removed keys after which no further row is removed.
    ///   - spare: The number of keys in excess of those that must be kept.
    ///   - now: The current time. A key with a later time was added while the clock was wrong; it counts as expired.
    ///   - age: How long a key is kept, in milliseconds.
    /// - Returns: The number of removed keys.
    /// - Throws: Why the file cannot be read or written.
    static func removeOldest(_ db: Database, most: Int64, spare: Int64, now: Int64, age: Int64) throws -> Int64 {
        guard spare > 0 else { return 0 }
        let (before, isBeforeAll) = now.subtractingReportingOverflow(age)
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT id, count, time FROM idempotency_keys ORDER BY id LIMIT ?"),
            arguments: [most]
        )
        var (removed, last): (Int64, Int64?) = (0, nil)
        while let row = try rows.next() {
            let (count, time): (Int64, Int64) = (row.count(1), row.integer(2))
            let isExpired = (time < before && !isBeforeAll) || time > now
            guard removed < most, removed + count <= spare, isExpired else { break }
            removed += count
            last = row.integer(0)
        }
        guard let last else { return 0 }
        try db.cachedStatement(sql: "DELETE FROM idempotency_keys WHERE id <= ?").execute(arguments: [last])
        return removed
    }
}
