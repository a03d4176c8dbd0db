/// The right to flush a suite, which one process has at a time.
///
/// The kernel releases it when the process dies; it never expires, so two
/// flushers never send the same record.
public final class FlushLock {
    private let lock: FileLock

    fileprivate init(_ lock: FileLock) { self.lock = lock }
}

extension Suite {
    /// Takes the right to flush the suite.
    ///
    /// - Returns: The lock, held as long as the object lives; nil if another process holds it.
    /// - Throws: An error if the lock's file cannot be opened.
    public func lockFlush() throws(SuiteError) -> FlushLock? {
        let lock = try FileLock(path: "\(store.folder)/\(name).flush")
        return try lock.take(.exclusive) ? FlushLock(lock) : nil
    }
}
