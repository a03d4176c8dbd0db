internal import ArgumentParser
internal import HostCore

/// The options of `serve` that change how a session runs.
struct FurtherOptions: ParsableArguments {
    @Flag(help: "Keep the suites in a temporary folder, which is deleted when the host ends.")
    var ephemeral = false

    @Option(
        help: ArgumentHelp("The form of log lines: text for people, json for programs.", valueName: "form"),
        completion: .list(LogFormat.allCases.map(\.rawValue))
    )
    var logFormat = SessionOptions().logFormat

    @Option(help: ArgumentHelp("The locale of notifications that do not name one.", valueName: "name"))
    var locale = SessionOptions().locale

    @Option(
        help: ArgumentHelp(
            "Fix the clock to an RFC 3339 time with a zone; each reading advances it by 1 ms.",
            valueName: "time"
        )
    )
    var clock: String?

    @Option(
        help: ArgumentHelp("Fix the random generator, so that the same session gives the same bytes.", valueName: "n")
    )
    var seed: UInt64?

    @Flag(
        help: "Let the service extension fetch attachments into a private folder, which is deleted when the host ends."
    )
    var fetchAttachments = false

    @Flag(help: "Accept no control connections, so that pushhost extensions reload does not reach the host.")
    var noControl = false

    /// The only folder in which `importSuite` and `exportSuite` may use files; `pushhost replay` sets it.
    @Option(help: ArgumentHelp(visibility: .hidden))
    var filesWithin: String?
}
