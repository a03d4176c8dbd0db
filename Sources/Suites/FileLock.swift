internal import CSystem
internal import Platform

/// A lock between processes on a file of its own; the kernel drops it when its process ends.
final class FileLock {
    enum Kind {
        case shared
        case exclusive
    }

    private let descriptor: CInt
    private let path: String

    /// Opens the file, or creates it; does not lock it yet.
    init(path: String) throws(SuiteError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SuiteError(systemError: errno, doing: "open \(path)") }
    }

    deinit {
        // A process that is being started may have a copy of the descriptor for a moment, which would keep the lock.
        csystem_unlock(descriptor)
        close(descriptor)
    }

    /// Acquires the lock, without waiting.
    ///
    /// - Returns: False if another process has the lock.
    func acquire(_ kind: Kind) throws(SuiteError) -> Bool {
        let result = csystem_lock(descriptor, kind == .exclusive ? 1 : 0, 0)
        if result == 0 { return true }
        guard result == -EWOULDBLOCK else { throw SuiteError(systemError: -result, doing: "lock a suite") }
        return false
    }

    func release() { csystem_unlock(descriptor) }

    /// A mark that the process leaves to the next ones: the file has one byte instead of none.
    ///
    /// It need not survive a power loss.
    var isMarked: Bool {
        get { FileStamp(of: descriptor).map { $0.size > 0 } ?? false }
        set { _ = ftruncate(descriptor, newValue ? 1 : 0) }
    }

    /// Removes the lock's file when the lock is no longer needed.
    func remove() { unlink(path) }
}

extension SuiteError {
    /// The error for a failed system call.
    init(systemError number: CInt, doing what: String) {
        let text = "cannot \(what): \(String(cString: strerror(number)))"
        self =
            switch number {
            case EMFILE, ENFILE: .tooManyFilesNow
            case ENOSPC, EDQUOT, EFBIG, EIO, EROFS: .notStored(text)
            default: .unreadable(text)
            }
    }
}

/// The lock that a process needs to flush a suite; only one process has it at a time.
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
    /// - Returns: The lock, kept as long as the object exists; nil if another process has it.
    /// - Throws: An error if the lock's file cannot be opened.
    public func lockFlush() throws(SuiteError) -> FlushLock? {
        let lock = try FileLock(path: "\(store.folder)/\(name).flush")
        return try lock.acquire(.exclusive) ? FlushLock(lock) : nil
    }
}
