internal import GRDB

extension SuiteFile {
    /// How many free pages of 4 KiB a file keeps for what is saved next.
    private static let freePageLimit = 256
    /// The greatest number of pages in use that are written anew at once: 4 MiB, some milliseconds.
    private static let usedPageLimit = 1_024

    /// Gives freed space back to the file system if little is left in use, unless another process uses the file.
    ///
    /// SQLite's `auto_vacuum` would give space back while much is in use too, but every save would pay for it: 5 % of
    /// SQLite's time, measured. A suite that was flushed is small.
    ///
    /// - Returns: Whether a new, shorter database is in the log, which the next checkpoint puts into the file.
    func shrink() -> Bool {
        guard (try? beginWriting()) == true else { return false }
        defer { endWriting() }
        let isVacuumed = try? access { db in
            let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            guard free > Self.freePageLimit else { return false }
            let used = (try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) - free
            guard used <= Self.usedPageLimit, used < free else { return false }
            // Records must not stand in a temporary file elsewhere.
            try db.execute(sql: "PRAGMA temp_store = MEMORY; VACUUM")
            return true
        }
        return isVacuumed ?? false
    }
}
