/// Functions on paths.
package enum Paths {
    /// The absolute path with every link followed; `nil` if nothing exists there, with the reason in `errno`.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whether a path lies in a folder; links must be resolved in both.
    package static func lies(_ path: String, in folder: String) -> Bool {
        path.hasPrefix(folder == "/" ? folder : folder + "/")
    }

    /// The folder of a path's last component; links are not resolved.
    package static func parent(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
}
