/// The lock that a process must hold to flush a suite; only one process holds it at a time.
///
/// The kernel releases it when the process dies; it never expires, so two
/// flushers never send the same record.
public final class FlushLock {
    private let lock: FileLock

    fileprivate init(_ lock: FileLock) { self.lock = lock }
}

extension Suite {
    /// Acquires the suite's flush lock.
    ///
    /// - Returns: The lock, held as long as the object exists; nil if another process holds it.
    /// - Throws: An error if the lock's file cannot be opened.
    public func lockFlush() throws(SuiteError) -> FlushLock? {
        let lock = try FileLock(path: "\(store.folder)/\(name).flush")
        return try lock.acquire(.exclusive) ? FlushLock(lock) : nil
    }
}
