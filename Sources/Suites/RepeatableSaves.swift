internal import GRDB
internal import JSON
internal import Platform

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
    /// It opens a transaction, because keys that are only in memory must be in the file before others are looked for there.
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
            let (count, time): (Int64, Int64) = (row.amount(1), row.integer(2))
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

/// A key that a client passes with a save, so that sending the same save again adds no second record.
///
/// A key that ends in a number is stored as a stem and that number. If a client numbers its saves, one row then has
/// many of its keys, see ``KeyRun``.
public struct IdempotencyKey: Equatable, Sendable {
    /// The rule for keys, for error messages.
    public static let rule = "a string of 1 to 255 characters without U+0000"
    /// The maximum number of Unicode scalars.
    private static let limit = 255
    /// The maximum number of digits of the number, which always fit into 64 bits.
    private static let digitLimit = 18

    /// The text before the number; stem and number together identify the key.
    let stem: String
    /// The number at the end, without leading zeros; -1 without one, also in the file.
    let number: Int64

    /// Parses a key; nil if the text breaks ``rule``.
    ///
    /// - Parameter text: Valid UTF-8.
    public init?(_ text: UnsafeRawBufferPointer) {
        guard !text.isEmpty, !text.contains(0),
            // Counts the bytes that begin a scalar.
            text.count <= Self.limit || text.count(where: { $0 & 0xC0 != 0x80 }) <= Self.limit
        else { return nil }
        let stemEnd: Int
        (stemEnd, number) = Self.split(text)
        stem = String(decoding: text[..<stemEnd], as: UTF8.self)
    }

    /// The end of the stem, and the number.
    private static func split(_ bytes: UnsafeRawBufferPointer) -> (stemEnd: Int, number: Int64) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var start = bytes.count
        while start > 0, bytes.count - start < digitLimit, digits.contains(bytes[start - 1]) { start -= 1 }
        guard start < bytes.count else { return (start, -1) }
        // Leading zeros belong to the stem; a single zero is a number.
        while start < bytes.count - 1, bytes[start] == digits.lowerBound { start += 1 }
        return (start, bytes[start...].reduce(0) { $0 * 10 + Int64($1 - digits.lowerBound) })
    }
}

/// A run of idempotency keys with the same stem, consecutive numbers and consecutive record ids.
///
/// One row of the file has a run. A key in a row of its own would take 93 bytes and 1.6 to 2.2 µs of SQLite's time
/// in addition to the 2.6 µs of a record, measured with 1,600 saves in a transaction; in a run it takes 25 bytes and
/// hardly any time. The last run of a transaction grows in memory. It is written before a key is looked up in the file,
/// and before the commit.
struct KeyRun {
    /// The maximum number of keys; a row of that many still fits into a page of the file.
    static let limit = 128

    let stem: String
    let first: Int64
    /// The id of the first key's record.
    let firstID: Int64
    /// When the last key was added, in milliseconds since 1970.
    private(set) var time: Int64
    /// The fingerprints of the keys, in order.
    private(set) var fingerprints: [Fingerprint]
    /// The smallest number above ``first`` that the file has for this stem; nil until it is looked up.
    var nextInFile: Int64?

    init(_ key: IdempotencyKey, _ fingerprint: Fingerprint, id: Int64, time: Int64) {
        (stem, first, firstID, self.time) = (key.stem, key.number, id, time)
        fingerprints = [fingerprint]
    }

    var count: Int { fingerprints.count }

    /// The number of the next key.
    private var next: Int64 { first + Int64(count) }

    /// Whether the run can grow by this key.
    ///
    /// The key is new if its number is also less than ``nextInFile``.
    func isFollowed(by key: IdempotencyKey) -> Bool {
        key.number == next && count < Self.limit && hasStem(of: key)
    }

    /// The id of a key's record and its fingerprint, if the run has the key.
    func find(_ key: IdempotencyKey) -> (id: Int64, fingerprint: Fingerprint)? {
        guard key.number >= first, key.number < next, hasStem(of: key) else { return nil }
        let index = Int(key.number - first)
        return (firstID + Int64(index), fingerprints[index])
    }

    /// Adds the next key.
    ///
    /// - Returns: Whether it was added; false if its record does not directly follow the record of the previous key.
    mutating func add(_ key: IdempotencyKey, _ fingerprint: Fingerprint, id: Int64, time: Int64) -> Bool {
        guard id == firstID + Int64(count), isFollowed(by: key) else { return false }
        fingerprints.append(fingerprint)
        self.time = time
        return true
    }

    /// Compares bytes, because Swift's strings are equal if they are canonically equivalent.
    private func hasStem(of key: IdempotencyKey) -> Bool {
        var other = key.stem
        return other.withUTF8 { stem.isEqual(to: UnsafeRawBufferPointer($0)) }
    }
}
