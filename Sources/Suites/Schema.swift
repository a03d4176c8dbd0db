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

    /// What the second version adds: what a delivery leaves behind when its host dies.
    ///
    /// `uncertain` counts how often a record may have been sent without anybody
    /// knowing. A row of `claims` names records that are on their way, as runs of
    /// ids; it goes with the answer, so one that is found belongs to a host that
    /// died. Dead letters were never written before. Counter 3 is theirs.
    static let version2 = """
        ALTER TABLE pending ADD COLUMN uncertain INTEGER NOT NULL DEFAULT 0;
        DROP TABLE dead_letters;
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
            problem TEXT
        );
        INSERT INTO counters VALUES (3, 0, 0);
        """

    /// What the third version adds: imports that are not finished, and an index over ambiguous records, whose count
    /// then costs what these cost and not what is pending.
    ///
    /// A row of `imports` is one import and the room that its records take so far. `staged` has the ids that it
    /// gave its records and dead letters; nobody else gets one of them, and nobody sees what stands under them. An
    /// import is finished, and all of it visible, when one commit removes its ranges from `staged` and adds its
    /// counts to `counters`; until its last default is moved to `defaults` it is `published` and still has a row.
    /// Counter 4 is that of what `store` keeps.
    static let version3 = """
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
        CREATE INDEX pending_in_doubt ON pending (id) WHERE uncertain > 0;
        INSERT INTO counters
        SELECT 4, count(*), coalesce(sum(length(CAST(key AS BLOB)) + length(CAST(value AS BLOB))), 0) FROM defaults;
        """

    /// What the fourth version adds: the idempotency keys of saves.
    ///
    /// A row is a ``KeyRun``: `count` keys of the texts `stem` and a number from `first` on, of the records from `id`
    /// on. `time` is when the last of them came. Rows are removed in the order of `id`, which is that of their age.
    /// `secret` has one row, the key of the hashes in `fingerprints`. Counter 5 is that of the keys.
    static let version4 = """
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
        INSERT INTO counters VALUES (5, 0, 0);
        """

    /// The steps from an empty file to the newest version, in order.
    static let versions = [version1, version2, version3, version4]

    /// The columns of `pending` in the order in which records are read.
    static let recordColumns = """
        id, kind, name, value, time, user, lease IS NOT NULL, uncertain, \(recordBytes)
        """

    /// What a record counts towards a suite's greatest size: its texts in bytes.
    static let recordBytes = """
        (length(CAST(name AS BLOB)) + coalesce(length(CAST(value AS BLOB)), 0) + coalesce(length(CAST(user AS BLOB)), 0))
        """
}
