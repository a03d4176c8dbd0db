internal import ArgumentParser
internal import ExtensionHost
internal import HostClient
internal import Platform

/// A command that is a client of a host, which it starts as a child process.
protocol ClientCommand: ParsableCommand {
    /// Does the work of the command, which a signal interrupts, and returns the exit code.
    func run(_ signals: SignalSource) throws(ClientError) -> Int32

    /// The exit code if the host cannot be used.
    static var failureCode: Int32 { get }
}

extension ClientCommand {
    static var failureCode: Int32 { EX_SOFTWARE }

    func run() throws {
        // Before a folder or a host exists that a signal would leave behind.
        let signals = CommandContext.current.makeSignals()
        var code: Int32
        do throws(ClientError) {
            code = try run(signals)
        } catch {
            switch error {
            case .interrupted(let signal): code = 128 + signal
            case .failed: code = Self.failureCode
            case .refused: code = 1
            }
            if code <= 128 {
                console.writeError(error.text)
            }
        }
        guard code == 0 else { throw ExitCode(code) }
    }
}

/// The options of a command that starts a host.
struct HostOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Use the suites in this folder.", valueName: "dir"), completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("Find extension bundles in this folder; repeat for more.", valueName: "dir"),
        completion: .directory
    )
    var plugins: [String] = []

    @OptionGroup var sandbox: SandboxOptions

    func validate() throws {
        // The host would refuse them too, but as a host that ended.
        if let data { try requireFolder("data", data) }
        try requireBundles(plugins)
    }

    /// The folder of the suites.
    var dataFolder: String { data.map(Paths.absolute) ?? StandardFolders().data }

    /// These options with the bundles in whose folders payloads are, unless `--plugins` is given.
    ///
    /// The paths are absolute. With `rendering`, the installed extension that renders templates is added, if no bundle
    /// does that.
    func usingBundles(of payloads: [String], rendering: Bool = false) -> HostOptions {
        guard plugins.isEmpty else { return self }
        var options = self
        for payload in payloads {
            let folder = URL(filePath: payload).deletingLastPathComponent().path
            guard FileStamp(of: "\(folder)/Info.plist")?.kind == .file, !options.plugins.contains(folder) else {
                continue
            }
            if let installed = Self.installed(insteadOf: folder) {
                console.writeWarning("\(folder) is not built; \(installed.path) is used in its place")
                options.plugins.append(installed.path)
            } else {
                options.plugins.append(folder)
            }
        }
        if rendering, !options.plugins.isEmpty, BundleCatalog(folders: options.plugins).personalization == nil,
            let renderer = BundleCatalog(folders: StandardFolders().plugins).personalization
        {
            options.plugins.append(renderer.path)
        }
        return options
    }

    /// The installed bundle of the same identifier, if the one in a folder has no executable and the installed one has.
    private static func installed(insteadOf folder: String) -> ExtensionBundle? {
        let folders = StandardFolders()
        let hasExecutable = { (bundle: ExtensionBundle) in
            (try? bundle.executablePath(hostFolder: folders.host)) != nil
        }
        guard let bundle = try? ExtensionBundle(folder: folder), !hasExecutable(bundle) else { return nil }
        return BundleCatalog(folders: folders.plugins).bundles
            .first { $0.identifier == bundle.identifier && hasExecutable($0) }
    }

    /// Starts a host with these options and further arguments of `serve`.
    ///
    /// Its suites are in `dataFolder` if `--data` is not given; nil means the user's own folder. At a terminal it asks
    /// first about bundles of `--plugins` that nobody has allowed, unless it runs none.
    func start(
        dataFolder: String? = nil,
        runsBundles: Bool = true,
        _ arguments: [String] = [],
        _ signals: SignalSource
    ) throws(ClientError) -> HostClient {
        let folders = StandardFolders()
        if runsBundles { try sandbox.askAbout(plugins, signals) }
        // The host is the command's own, and as short-lived.
        var words = ["serve", "--no-control"] + sandbox.serveArguments
        if let folder = data.map(Paths.absolute) ?? dataFolder { words += ["--data", folder] }
        for folder in plugins { words += ["--plugins", Paths.absolute(folder)] }
        let program = Program(path: folders.program, arguments: words + arguments, environment: folders.environment)
        return try HostClient(program, signals: signals)
    }
}

/// The option that names the texts of an app.
struct AppOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Take texts that the extension lacks from this folder of the app.", valueName: "dir"),
        completion: .directory
    )
    var app: String?

    func validate() throws {
        if let app { try requireExistingFolder("app", app) }
    }

    /// The arguments of `serve` that say the same.
    var serveArguments: [String] { app.map { ["--app", Paths.absolute($0)] } ?? [] }
}

/// The options of a command that shows a notification.
struct NotificationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Render the Liquid in the payload with this profile of the user.", valueName: "file"),
        completion: .file()
    )
    var profile: String?

    @OptionGroup var app: AppOption

    @Flag(help: "Let service extensions fetch the files that the payload names.")
    var fetchAttachments = false

    @Option(help: "Fix the extensions' random numbers, so that each run is the same.")
    var seed: UInt64?

    /// The arguments of `serve` that say the same.
    var serveArguments: [String] {
        app.serveArguments + (fetchAttachments ? ["--fetch-attachments"] : [])
            + (seed.map { ["--seed", String($0)] } ?? [])
    }
}
