internal import ArgumentParser
internal import Foundation
internal import HostClient
internal import Platform

/// The options of a command that starts a host.
struct HostOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the suites.", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("A folder of extension bundles; may be given several times.", valueName: "dir"))
    var plugins: [String] = []

    func validate() throws {
        // The host would refuse it too, but as a host that ended.
        for folder in plugins where !StandardFolders.isFolder(folder) {
            throw ValidationError("--plugins \(folder): there is no such folder")
        }
    }

    /// These options with the bundles in whose folders payloads are (absolute paths), unless `--plugins` is given.
    func usingBundles(of payloads: [String]) -> HostOptions {
        guard plugins.isEmpty else { return self }
        var options = self
        for payload in payloads {
            let folder = URL(filePath: payload).deletingLastPathComponent().path
            guard FileStamp(of: "\(folder)/Info.plist")?.kind == .file, !options.plugins.contains(folder) else {
                continue
            }
            options.plugins.append(folder)
        }
        return options
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
