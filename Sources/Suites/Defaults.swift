internal import GRDB
public import JSON

/// The keys and values that applications store in a suite.
public struct Defaults {
    let suite: Suite

    /// Sets the value of a key; reading it returns the same JSON types.
    ///
    /// The key must not contain U+0000 and must not be a ``RecordKind/storageKey``. Key and value count towards the
    /// suite's maximum size; a value that is not larger than the previous one is always stored.
    public func store(_ value: JSON, forKey key: String) throws(SuiteError) {
        try store(value, forKey: key, isStaged: false)
    }

    /// Sets the value of a key; a staged value is part of a published import, whose size was checked, and which is what merges.
    func store(_ value: JSON, forKey key: String, isStaged: Bool) throws(SuiteError) {
        let text = value.description
        let size = Int64(key.utf8.count + text.utf8.count)
        let growth = try suite.write { db in
            if !isStaged { try suite.refuseWhileMerging(db) }
            let old = try Self.size(db, ofKey: key)
            let growth = Counters.Count(records: old == nil ? 1 : 0, bytes: size - (old ?? 0))
            if growth.bytes > 0, !isStaged { try suite.counters.checkRoom(forBytes: growth.bytes) }
            let statement = try db.cachedStatement(
                sql: "INSERT INTO defaults VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
            )
            try statement.execute(arguments: [key, text])
            return growth
        }
        suite.counters.countDefaults(growth)
    }

    /// The size of a key and its value, as it counts towards the suite's limit; nil if the key is absent.
    private static func size(_ db: Database, ofKey key: String) throws -> Int64? {
        let sql = "SELECT length(CAST(key AS BLOB)) + length(CAST(value AS BLOB)) FROM defaults WHERE key = ?"
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [key])
    }

    /// The value of a key, or nil if the key is absent.
    public func retrieve(forKey key: String) throws(SuiteError) -> JSON? {
        let text = try suite.read { db in
            try suite.refuseWhileMerging(db)
            return try String.fetchOne(
                db.cachedStatement(sql: "SELECT value FROM defaults WHERE key = ?"),
                arguments: [key]
            )
        }
        return try (text ?? nil).map { text throws(SuiteError) in try JSON(stored: text) }
    }

    /// Removes a key and its value; returns whether the key was present.
    public func removeObject(forKey key: String) throws(SuiteError) -> Bool {
        // A suite without a file must not get one only to remove nothing from it; this also refuses while an import merges.
        guard try retrieve(forKey: key) != nil else { return false }
        suite.store.reserve.releaseIfFull()
        let size = try suite.write { db in
            guard let size = try Self.size(db, ofKey: key) else { return nil as Int64? }
            try db.cachedStatement(sql: "DELETE FROM defaults WHERE key = ?").execute(arguments: [key])
            return size
        }
        if let size { suite.counters.countDefaults(Counters.Count(records: -1, bytes: -size)) }
        return size != nil
    }
}
