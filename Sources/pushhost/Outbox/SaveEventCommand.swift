internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Saves a custom event.
struct SaveEventCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Save a custom event.",
        discussion: OutboxExit.help
    )

    @Argument(help: "The name of the event.")
    var name: String

    @Option(
        help: ArgumentHelp("The properties of the event.", valueName: "object"),
        transform: { try SaveOptions.object($0) }
    )
    var properties: JSON?

    @Option(help: ArgumentHelp("When it happened, as 2026-01-01T12:00:00Z; else now.", valueName: "time"))
    var time: String?

    @OptionGroup var save: SaveOptions
    @OptionGroup var options: OutboxOptions

    var isSaving: Bool { true }

    func run(_ outbox: Outbox) throws(ClientError) -> Int32 {
        let params: MemberList = ["name": .string(name), "properties": properties, "time": time.map(JSON.string)]
        let what = "event \(PlainText.escaped(name))"
        return try outbox.save("saveCustomEvent", params + save.params, what, isJSON: options.json)
    }
}
