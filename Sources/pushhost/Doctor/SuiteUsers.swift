internal import CSystem
internal import Foundation

/// The other processes that use the suites of a folder.
///
/// SQLite holds a lock on the file of a suite while it is open, and a flush holds one on the file `<suite>.flush`.
struct SuiteUsers {
    private let folder: String

    init(_ folder: String) { self.folder = folder }

    var findings: [DoctorFinding] {
        let name = "other processes"
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let findings = files.compactMap { file -> DoctorFinding? in
            let path = "\(folder)/\(file)"
            if file.hasSuffix(".flush"), Self.isLocked(path) {
                let text = "another process flushes \(file.dropLast(6))"
                return .warning(name, text, "a flush of this suite waits for its end")
            }
            guard file.hasSuffix(".sqlite"), let user = Self.user(of: path) else { return nil }
            return .ok(name, "process \(user) uses \(file.dropLast(7)) too, which is allowed")
        }
        return findings.isEmpty ? [.ok(name, "no other process uses the suites")] : findings
    }

    /// Whether a process holds the flush lock whose file this is.
    ///
    /// The lock is shared for a moment: a host that tries to take it just then tries again.
    private static func isLocked(_ path: String) -> Bool {
        withFile(path) { csystem_lock($0, 0, 0) == -EWOULDBLOCK } ?? false
    }

    /// A process that has the file of a suite open; nil if none has.
    ///
    /// The lock is not taken.
    private static func user(of path: String) -> Int32? {
        withFile(path) { descriptor in
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            lock.l_whence = Int16(SEEK_SET)
            guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
            return lock.l_pid
        }
    }

    private static func withFile<Result>(_ path: String, _ body: (Int32) -> Result?) -> Result? {
        // Not a pipe, whose opening would wait.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return body(descriptor)
    }
}
