internal import Foundation

/// Room on the disk that is kept for deleting: before a record can leave a suite, the suite's log must grow.
///
/// A file of that size lies beside the suites. It is removed when something is to be deleted from a suite while the disk
/// has no such room, and made again after the commit, when the log that needed the room was emptied. So saves never
/// have it, and a disk that they filled can still be drained.
final class Reserve {
    /// The size of the file in bytes: room for the log of the largest settlement.
    static let size: Int64 = 4 << 20
    /// The least size that is worth anything.
    private static let leastSize: Int64 = 256 << 10
    /// How many bytes of records leave a suite at once while the disk is full.
    static let drainBytes: Int64 = 512 << 10

    private let folder: String
    private var path: String { "\(folder)/.reserve" }
    /// Whether it was found or made since the start.
    private var isKept = false
    /// Whether it was given up for a deletion that may still need it.
    private(set) var isReleased = false

    init(folder: String) { self.folder = folder }

    /// How many bytes the disk has left, as far as that is known.
    private var room: Int64? {
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { return nil }
        return Int64(disk.f_bavail) * Int64(disk.f_frsize)
    }

    /// Gives the room back if the disk has no other.
    ///
    /// - Returns: Whether the disk has none, so that little is to be deleted at once.
    func release() -> Bool {
        guard !isReleased else { return true }
        guard let room, room < Self.size else { return false }
        unlink(path)
        isReleased = true
        return true
    }

    /// Takes the room again, or as much of it as there is, unless another process did.
    func restore() {
        guard isReleased || !isKept else { return }
        var status = stat()
        if stat(path, &status) != 0 {
            // The first time it must not be what fills the disk.
            guard Self.mayWrite(Self.size), isReleased || (room ?? 0) >= 4 * Self.size else { return }
            var size = Self.size
            while size >= Self.leastSize, !make(size) { size /= 2 }
        }
        isKept = true
        isReleased = false
    }

    private func make(_ size: Int64) -> Bool {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard Self.allocate(descriptor, size) else {
            unlink(path)
            return false
        }
        return true
    }

    /// Gives a file blocks of the disk.
    private static func allocate(_ descriptor: CInt, _ size: Int64) -> Bool {
        #if os(Linux)
        return posix_fallocate(descriptor, 0, off_t(size)) == 0
        #else
        let zeros = [UInt8](repeating: 0, count: Int(size))
        return write(descriptor, zeros, zeros.count) == zeros.count
        #endif
    }

    /// Whether this process may write a file of that size: one that is larger costs it a signal.
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
