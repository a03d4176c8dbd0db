internal import ArgumentParser
internal import Foundation

/// Speaks for an extension, as it spoke when it was recorded; the host of a replay starts it in the extension's place.
struct StandInCommand: ParsableCommand {
    static let name = "recorded-extension"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Says what a recording has of an extension.",
        shouldDisplay: false
    )

    @Argument(help: "The recording.")
    var recording: String

    @Argument(help: "The bundle identifier of the extension.")
    var identifier: String

    @Argument(help: "A file that grows by a byte with each start.")
    var starts: String

    func run() throws {
        let session = try RecordedSession(path: recording)
        var standIn = StandIn(RecordedRun.runs(of: identifier, in: session), starts: starts)
        try standIn.run()
    }
}
