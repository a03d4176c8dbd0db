internal import GRDB
public import JSON

extension Suite {
    /// Sets the value of a key; its types come back as they went.
    ///
    /// The key is without U+0000 and none of the keys of pending records.
    public func store(_ value: JSON, forKey key: String) throws(SuiteError) {
        try write { db in
            try refuseWhileMerging(db)
            let statement = try db.cachedStatement(
                sql: "INSERT INTO defaults VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
            )
            try statement.execute(arguments: [key, value.description])
        }
    }

    /// The value of a key, where there is one.
    public func retrieve(forKey key: String) throws(SuiteError) -> JSON? {
        let text = try read { db in
            try refuseWhileMerging(db)
            return try String.fetchOne(
                db.cachedStatement(sql: "SELECT value FROM defaults WHERE key = ?"),
                arguments: [key]
            )
        }
        return try (text ?? nil).map { text throws(SuiteError) in try JSON(stored: text) }
    }

    /// Removes a key and its value, and says whether there was one.
    public func removeObject(forKey key: String) throws(SuiteError) -> Bool {
        // A suite without a file is not made only to remove something from it.
        guard try retrieve(forKey: key) != nil else { return false }
        _ = store.reserve.release()
        return try write { db in
            try db.cachedStatement(sql: "DELETE FROM defaults WHERE key = ?").execute(arguments: [key])
            return db.changesCount > 0
        }
    }
}

extension JSON {
    /// A value that this program wrote into a suite.
    init(stored text: String) throws(SuiteError) {
        do throws(JSONParseError) {
            self = try JSON(parsing: text)
        } catch {
            throw .unreadable("it holds a value that is not JSON: \(error)")
        }
    }
}
