internal import ArgumentParser
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

    @Option(
        help: ArgumentHelp("The suite of requests that do not name one.", valueName: "name"),
        completion: Completions.suites
    )
    var suite = SessionOptions().suite

    @Option(
        help: ArgumentHelp(
            "Record every line to and from the client and the extensions, for pushhost replay.",
            valueName: "file"
        ),
        completion: .file()
    )
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Log from this level: trace, debug, info, notice, warning, error, critical.",
            valueName: "level"
        ),
        completion: .list(Logger.Level.allCases.map(\.rawValue))
    )
    var logLevel = SessionOptions().logLevel
}
