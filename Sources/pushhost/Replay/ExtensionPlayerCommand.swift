internal import ArgumentParser
internal import Foundation
internal import Recording

/// Speaks for an extension, as it spoke when it was recorded; the host of a replay starts it in the extension's place.
struct ExtensionPlayerCommand: ParsableCommand {
    static let name = "recorded-extension"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Says what a recording has of an extension.",
        shouldDisplay: false
    )

    @Argument(help: "A folder with the events of its processes.")
    var events: String

    @Argument(help: "The number of its processes in the recording.")
    var processes: Int

    @Argument(help: "The bundle identifier of the extension.")
    var identifier: String

    func run() throws {
        var player = ExtensionPlayer(identifier, events: events, processes: processes)
        try player.run()
    }
}
