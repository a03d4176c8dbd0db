/// The right to flush a suite, which one process has at a time.
///
/// The kernel takes it back when the process dies; time never does, so two
/// flushers never send the same record.
public final class FlushLock {
    private let lock: FileLock

    fileprivate init(_ lock: FileLock) { self.lock = lock }
}

extension Suite {
    /// Takes the right to flush the suite.
    ///
    /// - Returns: The right, held as long as the object lives; nothing where somebody else has it.
    /// - Throws: What keeps the lock's file from being opened.
    public func lockFlush() throws(SuiteError) -> FlushLock? {
        let lock = try FileLock(path: "\(store.folder)/\(name).flush")
        return try lock.take(.exclusive) ? FlushLock(lock) : nil
    }
}
