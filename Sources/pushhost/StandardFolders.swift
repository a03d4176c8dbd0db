internal import ExtensionHost
internal import HostClient
internal import Platform

/// The folders that are used unless an option names others.
struct StandardFolders {
    /// The folder of this program's executable, links resolved.
    let host: String
    /// The path that starts this program again.
    let program: String

    init() {
        if let program = CommandContext.current.program {
            self.program = program
            host = Self.parent(of: Paths.resolved(program) ?? program)
            return
        }
        #if os(Linux)
        // Works even if the file was replaced since this process started.
        program = "/proc/self/exe"
        // Not Bundle.main: it lists the whole folder, which takes a tenth of the time to the first reply. The system has
        // resolved all links.
        let path = Paths.target(ofLink: program)
        #else
        let path = Bundle.main.executableURL?.resolvingSymlinksInPath().path
        program = path ?? CommandLine.arguments.first ?? "pushhost"
        #endif
        host = Self.parent(of: path ?? CommandLine.arguments.first ?? "")
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// `$XDG_DATA_HOME/pushhost`; if the variable is unset or relative, the specification requires `~/.local/share`.
    var data: String { Self.userFolder("XDG_DATA_HOME", ".local/share") }

    private static func userFolder(_ name: String, _ standard: String) -> String {
        if let folder = variable(name), folder.hasPrefix("/") { return folder + "/pushhost" }
        let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (home ?? FileManager.default.homeDirectoryForCurrentUser.path) + "/\(standard)/pushhost"
    }

    /// `$XDG_STATE_HOME/pushhost`, or `~/.local/state/pushhost`.
    private var state: String { Self.userFolder("XDG_STATE_HOME", ".local/state") }

    /// The checkout in whose `.build` this program is; nil if it was installed.
    var checkout: String? {
        let parts = host.split(separator: "/")
        return parts.lastIndex(of: ".build").map { "/" + parts[..<$0].joined(separator: "/") }
    }

    /// The bundles that may have what they declare: those that came with the program, those that the user allowed, and some
    /// more by their identifiers.
    func allowedBundles(and identifiers: [String] = []) -> AllowedBundles {
        let own = [Self.parent(of: host) + "/libexec/pushhost/plugins"] + (checkout.map { [$0] } ?? [])
        return AllowedBundles(file: state + "/allowed-bundles.json", trusted: own, identifiers: identifiers)
    }

    /// The user's bundles, then those that were installed with the program.
    var plugins: [String] {
        [data + "/plugins", Self.parent(of: host) + "/libexec/pushhost/plugins"]
    }

    /// The folder of the sockets for control connections.
    var control: ControlFolder { ControlFolder.standard(runtimeFolder: Self.variable("XDG_RUNTIME_DIR")) }

    /// The environment of the command.
    var environment: [String: String] { CommandContext.current.environment }

    /// The value of one variable, without the time it takes to read them all.
    private static func variable(_ name: String) -> String? {
        if let variables = CommandContext.current.variables { return variables[name] }
        return getenv(name).map { String(cString: $0) }
    }

    /// The environment of extensions: an allow-list, so that no secret reaches them.
    var extensionEnvironment: [String: String] {
        environment.filter { ["HOME", "LANG", "PATH", "TMPDIR", "TZ"].contains($0.key) || $0.key.hasPrefix("LC_") }
    }

    /// Whether there is a folder at a path.
    static func isFolder(_ path: String) -> Bool {
        FileStamp(of: path)?.kind == .folder
    }
}

/// Writes files that appear whole or not at all.
enum WholeFile {
    /// Replaces a file and keeps its permissions.
    static func write(_ data: Data, to target: URL) throws(SystemError) {
        var status = stat()
        if stat(target.path, &status) != 0 { status = try Self.newFile(beside: target.path) }
        try FileReplacement.replace(target.path, with: Array(data), mode: UInt32(status.st_mode & 0o7777))
    }

    /// What the system says of a file that is made in a folder: only by changing the umask could it be read.
    private static func newFile(beside target: String) throws(SystemError) -> stat {
        let path = "\(target).\(UInt32.random(in: 0...UInt32.max))"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .last }
        defer {
            close(descriptor)
            unlink(path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        return status
    }

    /// Checks before long work that a file can be written after it.
    ///
    /// - Throws: Why it cannot be written.
    static func check(_ target: URL) throws(ClientError) {
        var status = stat()
        if stat(target.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // A device or a pipe would be replaced.
            throw .failed("\(target.path) cannot be written: it is not a regular file")
        }
        guard access(target.deletingLastPathComponent().path, W_OK | X_OK) == 0 else {
            throw .failed("\(target.path) cannot be written: \(SystemError.last)")
        }
    }
}
