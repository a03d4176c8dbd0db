internal import GRDB

extension SuiteFile {
    /// The number of free pages of 4 KiB that a file keeps for the next saves.
    private static let freePageLimit = 256
    /// The maximum number of used pages for which a file is vacuumed: 4 MiB, which takes a few milliseconds.
    private static let usedPageLimit = 1_024

    /// Returns free space to the file system if few pages are in use, unless another process checkpoints the file.
    ///
    /// SQLite's `auto_vacuum` would also return space while many pages are in use, but it would slow down every save by
    /// 5 % of SQLite's time (measured), and a suite is small after a flush.
    ///
    /// - Returns: Whether a vacuum was attempted. The log then holds the smaller database, or a part of it if the disk
    ///   is full; the next checkpoint empties the log.
    func shrink() -> Bool {
        guard (try? beginWriting()) == true else { return false }
        defer { endWriting() }
        var isTried = false
        _ = try? access { db in
            let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            guard free > Self.freePageLimit else { return }
            let used = (try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) - free
            guard used <= Self.usedPageLimit, used < free else { return }
            isTried = true
            // Records must not be copied to a temporary file elsewhere.
            try db.execute(sql: "PRAGMA temp_store = MEMORY; VACUUM")
        }
        return isTried
    }
}
