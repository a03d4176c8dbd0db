internal import ArgumentParser
internal import ExtensionHost
internal import Foundation
internal import HostClient
internal import Platform

/// The options of a command that starts a host.
struct HostOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the suites.", valueName: "dir"), completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("A folder of extension bundles; may be given several times.", valueName: "dir"),
        completion: .directory
    )
    var plugins: [String] = []

    func validate() throws {
        // The host would refuse them too, but as a host that ended.
        if let data { try requireFolder("data", data) }
        for folder in plugins where !StandardFolders.isFolder(folder) {
            throw ValidationError("--plugins \(folder): there is no such folder")
        }
    }

    /// These options with the bundles in whose folders payloads are, unless `--plugins` is given.
    ///
    /// - Parameters:
    ///   - payloads: The absolute paths of the payloads.
    ///   - rendering: Whether to add the installed extension that renders templates, if none of the bundles does.
    /// - Returns: The options.
    func usingBundles(of payloads: [String], rendering: Bool = false) -> HostOptions {
        guard plugins.isEmpty else { return self }
        var options = self
        for payload in payloads {
            let folder = URL(filePath: payload).deletingLastPathComponent().path
            guard FileStamp(of: "\(folder)/Info.plist")?.kind == .file, !options.plugins.contains(folder) else {
                continue
            }
            if let installed = Self.installed(insteadOf: folder) {
                Terminal.writeWarning("\(folder) is not built; \(installed.path) is used in its place")
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

    /// Starts a host with these options.
    ///
    /// - Parameters:
    ///   - dataFolder: The folder of the suites if `--data` is not given; nil for the user's own.
    ///   - arguments: Further arguments of `serve`.
    ///   - signals: The signals to this process.
    /// - Returns: A client of the host.
    /// - Throws: Why the host cannot be started.
    func start(dataFolder: String? = nil, _ arguments: [String] = [], _ signals: SignalSource) throws(ClientError)
        -> HostClient
    {
        let folders = StandardFolders()
        // The host is the command's own, and as short-lived.
        var words = ["serve", "--no-control"]
        if let folder = data.map(StandardFolders.absolute) ?? dataFolder { words += ["--data", folder] }
        for folder in plugins { words += ["--plugins", StandardFolders.absolute(folder)] }
        return try HostClient(Program(path: folders.program, arguments: words + arguments), signals: signals)
    }
}
