import Foundation

/// The folder with the sockets of the hosts that this process starts without a folder of their own.
enum Runtime {
    static let variable = "XDG_RUNTIME_DIR"

    /// Its path; it is removed when the tests end.
    static let folder: String = {
        let path = FileManager.default.temporaryDirectory.appending(path: "pushhost-run-\(getpid())").path
        try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        atexit { try? FileManager.default.removeItem(atPath: Runtime.folder) }
        return path
    }()
}
