import Foundation

/// The folders of the hosts that this process starts without folders of their own: tests never use those of the user.
public enum Runtime {
    /// The variables that name them; every bundle of the tests may have what it declares.
    public static let variables = ["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": "\(folder)/state"]

    /// An environment with the variables, in place of those that the tests were started with.
    public static func environment(_ environment: [String: String]) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        return environment.merging(variables.filter { environment[$0.key] == own[$0.key] }) { $1 }
    }

    /// The folder of all; it is removed when the tests end.
    private static let folder: String = {
        let path = FileManager.default.temporaryDirectory.appending(path: "pushhost-run-\(getpid())").path
        try? FileManager.default.createDirectory(
            atPath: "\(path)/state/pushhost",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let answers = Data(#"{"bundles":{},"folders":["/"]}"#.utf8)
        try? answers.write(to: URL(filePath: "\(path)/state/pushhost/allowed-bundles.json"))
        atexit { try? FileManager.default.removeItem(atPath: Runtime.folder) }
        return path
    }()
}
