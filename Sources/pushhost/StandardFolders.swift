internal import Foundation

/// Where things are when no option says so.
struct StandardFolders {
    private let environment = ProcessInfo.processInfo.environment

    /// The folder of this program's executable, links resolved.
    let host: String

    init() {
        let path = Bundle.main.executableURL?.resolvingSymlinksInPath().path ?? CommandLine.arguments[0]
        host = URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// `$XDG_DATA_HOME/pushhost`; the specification wants `~/.local/share` where it is unset or relative.
    var data: String {
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder + "/pushhost" }
        return NSHomeDirectory() + "/.local/share/pushhost"
    }

    /// The user's bundles, then those that were installed with the program.
    var plugins: [String] {
        [data + "/plugins", URL(fileURLWithPath: host + "/../libexec/pushhost/plugins").standardized.path]
    }

    /// What an extension may know of its surroundings: an allow-list, so that no secret gets through.
    var extensionEnvironment: [String: String] {
        environment.filter { ["HOME", "LANG", "PATH", "TMPDIR", "TZ"].contains($0.key) || $0.key.hasPrefix("LC_") }
    }

    func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardized.path }
}
