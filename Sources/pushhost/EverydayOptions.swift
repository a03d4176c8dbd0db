internal import ArgumentParser
internal import Foundation
internal import HostCore
internal import Logging

/// The options of `serve` that most people need.
struct EverydayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A folder of extension bundles; may be given several times.", valueName: "dir"),
        completion: .directory
    )
    var plugins: [String] = []

    @Option(help: ArgumentHelp("The folder of the suites.", valueName: "dir"), completion: .directory)
    var data: String?

    @Option(help: ArgumentHelp("The suite of requests that do not name one.", valueName: "name"))
    var suite = HostConfiguration.defaults.defaultSuite

    @OptionGroup var recording: RecordingOptions

    @Option(
        help: ArgumentHelp(
            "Log from this level: trace, debug, info, notice, warning, error, critical.",
            valueName: "level"
        ),
        completion: .list(Logger.Level.allCases.map(\.rawValue))
    )
    var logLevel: String = "warning"

    func validate() throws {
        if let data { try requireFolder("data", data) }
        for folder in plugins where !StandardFolders.isFolder(folder) {
            throw ValidationError("--plugins \(folder): there is no such folder")
        }
    }

    /// Copies the options into the configuration, except for the folders, which its initializer takes.
    func apply(to settings: inout HostConfiguration) throws {
        settings.pluginFoldersAreNamed = !plugins.isEmpty
        if let rule = settings.setDefaultSuite(suite) {
            throw ValidationError("--suite \(suite): a suite name is \(rule)")
        }
    }

    /// The lowest level that is logged.
    func level() throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: logLevel) else {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--log-level \(logLevel): it must be one of \(known)")
        }
        return level
    }
}
