internal import GRDB

extension SuiteFile {
    /// How many free pages of 4 KiB a file keeps for what is saved next.
    private static let freePageLimit = 256
    /// The maximum number of used pages that are moved at once: 4 MiB, a few milliseconds.
    private static let usedPageLimit = 1_024

    /// Gives freed space back to the file system if little is left in use, unless another process uses the file.
    ///
    /// SQLite's `auto_vacuum` would give space back while much is in use too, but every save would pay for it: 5 % of
    /// SQLite's time, measured. A suite that was flushed is small.
    ///
    /// - Returns: Whether it was tried: the log holds a new, shorter database, or what a full disk let it write of one.
    ///   The next checkpoint empties it.
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
