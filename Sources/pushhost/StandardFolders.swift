internal import Foundation

/// Where things are unless an option says otherwise.
struct StandardFolders {
    /// The environment of this process.
    let environment = ProcessInfo.processInfo.environment

    /// The folder of this program's executable, links resolved.
    let host: String
    /// What starts this very program again.
    let program: String

    init() {
        #if os(Linux)
        // Also where the file was replaced since this process began.
        program = "/proc/self/exe"
        // Foundation's main bundle would list the whole folder, a tenth of the time to the first reply.
        let path = realpath("/proc/self/exe", nil).map { path in
            defer { free(path) }
            return String(cString: path)
        }
        #else
        let path = Bundle.main.executableURL?.resolvingSymlinksInPath().path
        program = path ?? CommandLine.arguments[0]
        #endif
        host = Self.parent(of: path ?? CommandLine.arguments[0])
    }

    private static func parent(of path: String) -> String {
        path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }

    /// `$XDG_DATA_HOME/pushhost`; the specification wants `~/.local/share` if it is unset or relative.
    var data: String {
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder + "/pushhost" }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (home ?? NSHomeDirectory()) + "/.local/share/pushhost"
    }

    /// The user's bundles, then those that were installed with the program.
    var plugins: [String] {
        [data + "/plugins", Self.parent(of: host) + "/libexec/pushhost/plugins"]
    }

    /// What an extension may know of its surroundings: an allow-list, so that no secret gets through.
    var extensionEnvironment: [String: String] {
        environment.filter { ["HOME", "LANG", "PATH", "TMPDIR", "TZ"].contains($0.key) || $0.key.hasPrefix("LC_") }
    }

    /// Whether there is a folder at a path.
    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
