internal import Foundation
internal import GRDB

/// The outcome of a save with an idempotency key.
public struct Saved: Equatable, Sendable {
    /// The record's id.
    public let id: Int64
    /// Whether an earlier save with this key made the record, and this one made nothing.
    public let isRepeated: Bool
}

/// A save that may be sent again.
public struct RepeatableSave: Sendable {
    /// The record's id.
    public let key: IdempotencyKey
    /// The record.
    public let record: RecordContent
    /// Whether the caller gave the record's time, which then counts as content.
    public let hasTime: Bool
    /// The time now in milliseconds since 1970.
    public let now: Int64

    /// A save with a key.
    public init(_ record: RecordContent, key: IdempotencyKey, hasTime: Bool, now: Int64) {
        (self.record, self.key, self.hasTime, self.now) = (record, key, hasTime, now)
    }
}

extension Suite {
    /// Adds a record, unless a save with its key did before; record and key are one change.
    ///
    /// The key stays when the record leaves the suite, in whatever way.
    ///
    /// - Throws: ``SuiteError/keyReused(id:)`` if the earlier save had other content; nothing is added.
    public func save(_ save: RepeatableSave) throws(SuiteError) -> Saved {
        try change { file in
            let fingerprint = try fingerprint(of: save, in: file)
            if let found = try find(save, fingerprint, isUserKnown: true, in: file) { return found }
            let id = try insert(save.record, into: file)
            do {
                try remember(save, fingerprint, id, in: file)
            } catch {
                // A record without its key would be made twice.
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
    public func findRepeated(_ save: RepeatableSave) throws(SuiteError) -> Saved? {
        guard try exists() else { return nil }
        return try change { file in
            try find(save, fingerprint(of: save, in: file), isUserKnown: save.record.user != nil, in: file)
        }
    }

    private func fingerprint(of save: RepeatableSave, in file: SuiteFile) throws -> Fingerprint {
        Fingerprint(save.record, hasTime: save.hasTime, secret: try file.secret(), buffer: &keys.text)
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
        if let run = keys.run {
            if let found = run.find(key) { return found }
            if run.isFollowed(by: key) {
                let next = try run.nextInFile ?? file.access { try KeyTable.next($0, run) }
                keys.run?.nextInFile = next
                if key.number < next { return nil }
            }
        }
        return try file.access { db in
            try writeKeyRun(db)
            return try KeyTable.find(db, key)
        }
    }

    /// Keeps the key of a record that was just added.
    private func remember(_ save: RepeatableSave, _ fingerprint: Fingerprint, _ id: Int64, in file: SuiteFile) throws {
        if keys.run?.add(save.key, fingerprint, id: id, time: save.now) == true { return }
        if keys.run != nil { try file.access { try writeKeyRun($0) } }
        keys.run = KeyRun(save.key, fingerprint, id: id, time: save.now)
    }

    /// Writes the run that grows, if there is one.
    private func writeKeyRun(_ db: Database) throws {
        guard let run = keys.run else { return }
        try KeyTable.insert(db, run)
        changes?.keys += Int64(run.count)
        keys.time = run.time
        keys.run = nil
    }

    /// Writes what is left of the transaction's keys, and forgets old ones: at most twice as many as came, so that no
    /// commit has much to remove, and a limit that was lowered is reached in time.
    func finishKeys(_ db: Database) throws {
        try writeKeyRun(db)
        guard let changes, changes.keys > 0 else { return }
        let removed = try KeyTable.removeOldest(
            db,
            most: 2 * changes.keys,
            spare: totals.keys + changes.keys - limits.idempotencyKeys,
            now: keys.time,
            age: limits.idempotencyTime
        )
        self.changes?.keys -= removed
    }
}

/// The idempotency keys of an open transaction.
struct TransactionKeys {
    /// The run that grows; its keys are not in the file yet.
    var run: KeyRun?
    /// The time of the last key that was written to the file.
    var time: Int64 = 0
    /// The text of which a fingerprint is made; kept for its room.
    var text: [UInt8] = []
}

/// The rows of idempotency keys.
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
        guard let fingerprint = Fingerprint(row[1] as Data) else {
            throw SuiteError.unreadable("the idempotency key of the record \(row[0] as Int64) is damaged")
        }
        return (row[0], fingerprint)
    }

    /// The least number behind a run's stem that the file has above the run's.
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
    ///   - most: The number of keys past which no further row is removed.
    ///   - spare: How many keys there are more than must be kept.
    ///   - now: The time now; a key of a later time came when a clock was wrong, and has no age.
    ///   - age: How long a key is kept, in milliseconds.
    /// - Returns: How many keys were removed.
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
            let (count, time): (Int64, Int64) = (row[1], row[2])
            let isOver = (time < before && !isBeforeAll) || time > now
            guard removed < most, removed + count <= spare, isOver else { break }
            removed += count
            last = row[0]
        }
        guard let last else { return 0 }
        try db.cachedStatement(sql: "DELETE FROM idempotency_keys WHERE id <= ?").execute(arguments: [last])
        return removed
    }
}
