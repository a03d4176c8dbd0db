internal import Foundation

/// Paths with their symbolic links resolved.
package enum Paths {
    /// The absolute path with every link followed; `nil` if nothing exists there, with the reason in `errno`.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whether a path lies in a folder, below its root; both must be resolved.
    package static func lies(_ path: String, in folder: String) -> Bool {
        path.hasPrefix(folder == "/" ? folder : folder + "/")
    }

    /// The folder that holds the entry of a path; the path itself is not resolved.
    package static func parent(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
}
