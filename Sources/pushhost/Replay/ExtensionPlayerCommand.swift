internal import ArgumentParser
internal import Foundation
internal import Recording

/// Plays a recorded extension; the host of a replay starts it in place of the extension.
struct ExtensionPlayerCommand: ParsableCommand {
    static let name = "recorded-extension"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Write the recorded output of an extension.",
        shouldDisplay: false
    )

    @Argument(help: "A folder with the events of the extension's processes.")
    var events: String

    @Argument(help: "The number of the extension's processes in the recording.")
    var processes: Int

    @Argument(help: "The bundle identifier of the extension.")
    var identifier: String

    func run() throws {
        var player = ExtensionPlayer(identifier, events: events, processes: processes)
        try player.run()
    }
}
