internal import GRDB

/// The tables of a suite.
enum Schema {
    /// The version of the file format, stored as SQLite's `user_version`.
    ///
    /// Formats with lower versions were never released.
    static let version = 5

    /// The tables of a new file.
    ///
    /// - `pending`: the records. `lease` names the lease under which a caller has a record, `uncertain` counts how
    ///   often the record may have been sent without a definite answer. `value` and `user` are JSON text.
    /// - `claims`: one row for each batch that is being delivered, with the ids of its records as runs. The commit that
    ///   stores the outcome deletes the row, so a row that exists when a flush starts belongs to a host that died.
    /// - `counters`: totals, updated in each transaction so that no reply must count rows. 0 to 2 are pending records by
    ///   kind, 3 is dead letters, 4 the stored defaults, 5 the idempotency keys, 6 the greatest id that a record has or
    ///   had: SQLite's `AUTOINCREMENT` would read and write it in a table of its own with every save.
    /// - `imports`: one row for each unfinished import, with the number and size of its records so far. `staged` has the
    ///   ranges of ids reserved for the import, which readers skip. One commit removes the ranges and adds the import's
    ///   counts to `counters`, which makes all of its records visible. The row stays as
    ///   `published` until the last default has moved from `staged_defaults` to `defaults`.
    /// - `idempotency_keys`: one row for each ``KeyRun``: `count` keys made of the text `stem` and a number from
    ///   `first` on, for the records from `id` on. `time` is that of the latest key. Rows are removed in the order of
    ///   `id`, which is the order of their age.
    /// - `secret`: one row, the key of the hashes in `fingerprints`.
    ///
    /// - `deliveries`: `configuration` is a hash of the configuration to which the three columns before it belong.
    ///
    /// With the index `pending_in_doubt`, counting the uncertain records reads only these, not all pending records.
    static let tables = """
        CREATE TABLE defaults (
            key TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        );
        CREATE TABLE pending (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            name TEXT NOT NULL,
            value TEXT,
            time INTEGER NOT NULL,
            user TEXT,
            lease INTEGER,
            uncertain INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX pending_by_kind ON pending (kind, id);
        CREATE INDEX pending_by_lease ON pending (lease) WHERE lease IS NOT NULL;
        CREATE INDEX pending_in_doubt ON pending (id) WHERE uncertain > 0;
        CREATE TABLE leases (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            token TEXT NOT NULL UNIQUE,
            expires INTEGER NOT NULL,
            records INTEGER NOT NULL
        );
        CREATE TABLE dead_letters (
            id INTEGER PRIMARY KEY,
            kind INTEGER,
            name TEXT,
            value TEXT,
            time INTEGER,
            user TEXT,
            bytes BLOB,
            reason TEXT NOT NULL,
            died INTEGER NOT NULL
        );
        CREATE TABLE claims (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            destination TEXT NOT NULL,
            records TEXT NOT NULL
        );
        CREATE TABLE deliveries (
            destination TEXT PRIMARY KEY NOT NULL,
            delivered INTEGER NOT NULL DEFAULT 0,
            rejected INTEGER NOT NULL DEFAULT 0,
            possibly_sent INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0,
            not_before INTEGER,
            problem TEXT,
            configuration TEXT
        );
        CREATE TABLE imports (
            id INTEGER PRIMARY KEY,
            records INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            published INTEGER NOT NULL
        );
        CREATE TABLE staged (
            first INTEGER PRIMARY KEY, last INTEGER NOT NULL, import INTEGER NOT NULL
        );
        CREATE TABLE staged_defaults (
            id INTEGER PRIMARY KEY, import INTEGER NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL
        );
        CREATE TABLE idempotency_keys (
            id INTEGER PRIMARY KEY,
            stem TEXT NOT NULL,
            first INTEGER NOT NULL,
            count INTEGER NOT NULL,
            time INTEGER NOT NULL,
            fingerprints BLOB NOT NULL
        );
        CREATE UNIQUE INDEX idempotency_keys_by_key ON idempotency_keys (stem, first);
        CREATE TABLE secret (bytes BLOB NOT NULL);
        INSERT INTO secret VALUES (randomblob(16));
        CREATE TABLE counters (
            kind INTEGER PRIMARY KEY NOT NULL,
            records INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        );
        INSERT INTO counters VALUES (0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), (5, 0, 0), (6, 0, 0);
        """

    /// Adds the column `configuration` to the table of a file that an earlier program made.
    ///
    /// That program does not see it and still reads the file, so the version of the format stays.
    static func addConfigurations(_ db: Database) throws {
        if try !hasConfigurations(db) { try db.execute(sql: "ALTER TABLE deliveries ADD COLUMN configuration TEXT") }
    }

    /// Whether the table `deliveries` has the column `configuration`.
    static func hasConfigurations(_ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT * FROM pragma_table_info('deliveries') WHERE name = 'configuration')"
        )
        return try Bool.fetchOne(statement) ?? false
    }

    /// The kinds of records that this version knows, as a list in SQL.
    static let kinds = RecordKind.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")

    /// The times that can be written, in milliseconds since 1970: those of the years 0 to 9999.
    static let times: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// The columns of `pending` in the order in which records are read.
    static let recordColumns = """
        id, kind, name, value, time, user, lease IS NOT NULL, uncertain, \(recordBytes)
        """

    /// The size of a record, as it counts towards the suite's limit: the bytes of its texts.
    static let recordBytes = """
        (length(CAST(name AS BLOB)) + coalesce(length(CAST(value AS BLOB)), 0) + coalesce(length(CAST(user AS BLOB)), 0))
        """
}
