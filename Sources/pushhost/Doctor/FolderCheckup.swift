internal import Foundation
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

    /// Checks the folders of bundles.
    ///
    /// - Parameters:
    ///   - paths: The folders.
    ///   - areNamed: Whether the command line names them; one of the standard folders may be absent.
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
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        let text = "\(free >> 20) MiB are free at \(path)"
        if free < leastSpace { return .error(name, text, "free some space: saves will fail") }
        return free < scarceSpace ? .warning(name, text, "free some space") : .ok(name, text)
    }
}
