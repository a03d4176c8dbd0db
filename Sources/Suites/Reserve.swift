internal import Platform

/// Disk space reserved for deletions: SQLite must append to the suite's log before it can delete a record.
///
/// A file beside the suites occupies the space. The file is removed before a deletion if the disk is otherwise too
/// full, and created again after the commit, once the log has been checkpointed. Saves can therefore never use this
/// space, and records can still leave the suites on a disk that saves have filled.
final class Reserve {
    /// The size of the file in bytes: enough for the log of the largest settlement.
    static let size: Int64 = 4 << 20
    /// The smallest useful size.
    private static let leastSize: Int64 = 256 << 10
    /// The maximum number of bytes of records that are deleted at once while the disk is full.
    static let drainBytes: Int64 = 512 << 10

    private let folder: String
    private var path: String { "\(folder)/.reserve" }
    /// Whether this process has found or created the file.
    private var isKept = false
    /// Whether the file was removed for a deletion that may still need the space.
    private(set) var isReleased = false

    init(folder: String) { self.folder = folder }

    /// The number of free bytes on the disk; nil if it is unknown.
    private var freeBytes: Int64? {
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { return nil }
        // A network file system may say that it has no end.
        let (bytes, overflow) = UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    /// Releases the reserved space if the disk is otherwise full.
    ///
    /// - Returns: Whether the disk is full, also if the space was released before: then only a little may be deleted at once.
    @discardableResult
    func releaseIfFull() -> Bool {
        guard !isReleased else { return true }
        guard let freeBytes, freeBytes < Self.size else { return false }
        unlink(path)
        isReleased = true
        return true
    }

    /// Reserves the space again, or as much as the disk has, unless another process has done so.
    func restore() {
        guard isReleased || !isKept else { return }
        // A process that was killed before it had allocated the space leaves an empty file. Another one may be just making it.
        if let file = FileStamp(of: path), file.size < Self.leastSize, file.isReliable { unlink(path) }
        if FileStamp(of: path) == nil {
            // The first file is created only on a disk with plenty of space, so that it does not fill the disk itself.
            guard Self.mayWrite(Self.size), isReleased || (freeBytes ?? 0) >= 4 * Self.size else { return }
            var size = Self.size
            while !createFile(size) {
                size /= 2
                guard size >= Self.leastSize else { return }
            }
        }
        isKept = true
        isReleased = false
    }

    private func createFile(_ size: Int64) -> Bool {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard Self.allocate(descriptor, size) else {
            unlink(path)
            return false
        }
        return true
    }

    /// Allocates disk blocks for a file.
    private static func allocate(_ descriptor: CInt, _ size: Int64) -> Bool {
        #if os(Linux)
        var error = EINTR
        while error == EINTR { error = posix_fallocate(descriptor, 0, off_t(size)) }
        return error == 0
        #else
        let zeros = [UInt8](repeating: 0, count: Int(size))
        return write(descriptor, zeros, zeros.count) == zeros.count
        #endif
    }

    /// Whether this process may write a file of that size; beyond its limit it would receive the signal SIGXFSZ.
    private static func mayWrite(_ size: Int64) -> Bool {
        var limit = rlimit()
        #if os(Linux)
        let result = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
        let result = getrlimit(RLIMIT_FSIZE, &limit)
        #endif
        return result == 0 && limit.rlim_cur >= UInt64(size)
    }
}
