internal import CSystem
internal import HostClient
internal import JSON
internal import Platform

/// Checks the folders of suites and of bundles.
enum FolderCheckup {
    /// Less free space than this is an error: a suite could not be written for long.
    private static let leastSpace: UInt64 = 16 << 20
    /// Less free space than this is a warning.
    private static let scarceSpace: UInt64 = 256 << 20

    /// Checks the folder of the suites.
    static func data(_ path: String) -> [DoctorFinding] {
        let name = "data folder"
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else {
                return [.error(name, "\(path) cannot be used: \(String(cString: strerror(errno)))")]
            }
            let parent = existingParent(of: path)
            guard access(parent, W_OK) == 0 else {
                return [
                    .error(name, "\(path) does not exist and cannot be created in \(parent)", "name one with --data")
                ]
            }
            return [.ok(name, "\(path) does not exist yet; the first save creates it"), space(parent)]
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [.error(name, "\(path) is not a folder", "name one with --data")]
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            return [.error(name, "\(path) cannot be read and written", "check its owner and its mode")]
        }
        let mode = String(status.st_mode & 0o777, radix: 8)
        let advice = "chmod 700 \(path)"
        let finding: DoctorFinding =
            if status.st_mode & S_IWOTH != 0 {
                .error(name, "any user can write to \(path), which has mode \(mode)", advice)
            } else if status.st_mode & 0o077 != 0 {
                .warning(name, "other users can look into \(path), which has mode \(mode)", advice)
            } else {
                .ok(name, "\(path), mode \(mode)")
            }
        return [finding, space(path)]
    }

    /// Checks the folders of bundles; one of the standard folders may be absent.
    ///
    /// - Returns: One finding for each folder that exists, or one for all.
    static func plugins(_ paths: [String], areNamed: Bool) -> [DoctorFinding] {
        let name = "plugins folder"
        let findings = paths.compactMap { path -> DoctorFinding? in
            var status = stat()
            guard stat(path, &status) == 0 else { return areNamed ? .error(name, "there is no folder \(path)") : nil }
            guard access(path, R_OK | X_OK) == 0 else {
                return .error(name, "\(path) cannot be read", "check its owner and its mode")
            }
            guard status.st_mode & S_IWOTH == 0 else {
                let text = "any user can write to \(path), and run programs as you"
                return .error(name, text, "chmod o-w \(path)")
            }
            return .ok(name, path)
        }
        guard findings.isEmpty else { return findings }
        return [.warning(name, "there is none at \(paths.joined(separator: " and "))", "name one with --plugins")]
    }

    private static func existingParent(of path: String) -> String {
        var parent = Paths.parent(of: path)
        while parent != "/", access(parent, F_OK) != 0 { parent = Paths.parent(of: parent) }
        return parent
    }

    private static func space(_ path: String) -> DoctorFinding {
        let name = "disk space"
        var status = statvfs()
        guard statvfs(path, &status) == 0 else {
            return .warning(name, "unknown for \(path): \(String(cString: strerror(errno)))")
        }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        let free = overflow ? UInt64.max : bytes
        let text = "\(free >> 20) MiB are free at \(path)"
        if free < leastSpace { return .error(name, text, "free some space: saves will fail") }
        return free < scarceSpace ? .warning(name, text, "free some space") : .ok(name, text)
    }
}

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
                return .warning(name, text, "a flush of this suite waits for some seconds, and then exits with 75")
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

/// Checks the suites: which cannot be read, and what waits in them.
enum SuiteCheckup {
    static func findings(_ client: HostClient) throws(ClientError) -> [DoctorFinding] {
        let name = "suites"
        let suites = try client.result("suites")["suites"]?.array.map(Array.init) ?? []
        let errors = suites.compactMap { suite -> DoctorFinding? in
            suite["error"]?["message"]?.string.map { .error(name, "\(suite["suite"]?.string ?? ""): \($0)") }
        }
        let read = suites.count - errors.count
        guard read > 0 || errors.isEmpty else { return errors }
        func sum(_ member: String) -> Int64 { suites.reduce(0) { $0 + ($1[member]?.integer ?? 0) } }
        let (pending, letters) = (sum("pending"), sum("deadLetters"))
        let text = "\(read) \(read == 1 ? "suite" : "suites"), \(pending) pending, \(letters) dead letters"
        let whole: DoctorFinding =
            letters == 0 ? .ok(name, text) : .warning(name, text, "pushhost dead-letters lists them with their reasons")
        return errors + [whole]
    }
}
