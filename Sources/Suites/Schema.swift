/// The tables of a suite.
enum Schema {
    /// What a new file gets.
    ///
    /// `counters` holds totals by kind, kept in each transaction, so that no
    /// reply ever counts rows. `lease` names the lease under which a caller
    /// holds a record. `value` and `user` are JSON text.
    static let version1 = """
        CREATE TABLE defaults (
            key TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        );
        CREATE TABLE pending (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind INTEGER NOT NULL,
            name TEXT NOT NULL,
            value TEXT,
            time INTEGER NOT NULL,
            user TEXT,
            lease INTEGER
        );
        CREATE INDEX pending_by_kind ON pending (kind, id);
        CREATE INDEX pending_by_lease ON pending (lease) WHERE lease IS NOT NULL;
        CREATE TABLE leases (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            token TEXT NOT NULL UNIQUE,
            expires INTEGER NOT NULL,
            records INTEGER NOT NULL
        );
        CREATE TABLE dead_letters (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            name TEXT NOT NULL,
            value TEXT,
            time INTEGER NOT NULL,
            user TEXT,
            reason TEXT NOT NULL,
            died INTEGER NOT NULL
        );
        CREATE TABLE counters (
            kind INTEGER PRIMARY KEY NOT NULL,
            records INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        );
        INSERT INTO counters VALUES (0, 0, 0), (1, 0, 0), (2, 0, 0);
        """

    /// The columns of `pending` in the order in which records are read.
    static let recordColumns = """
        id, kind, name, value, time, user, lease IS NOT NULL, \(recordBytes)
        """

    /// What a record counts towards a suite's greatest size: its texts in bytes.
    static let recordBytes = """
        (length(CAST(name AS BLOB)) + coalesce(length(CAST(value AS BLOB)), 0) + coalesce(length(CAST(user AS BLOB)), 0))
        """
}
