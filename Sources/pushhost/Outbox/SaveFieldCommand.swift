internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Saves a standard field of the profile.
struct SaveFieldCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "field",
        abstract: "Save a standard field of the profile.",
        discussion: """
            The value is JSON if it can be read as JSON, and otherwise a text; --text takes it as a text in any case.

            \(OutboxExit.help)
            """
    )

    @Argument(help: "The name of the field.")
    var field: String

    @Argument(help: "Its value; null unsets it. Write -- before a value that begins with a hyphen.")
    var value: String

    @Flag(help: "The value is a text, even if it could be read as JSON.")
    var text = false

    @OptionGroup var save: SaveOptions
    @OptionGroup var options: OutboxOptions

    var isSaving: Bool { true }

    func run(_ outbox: Outbox) throws(ClientError) -> Int32 {
        let params: MemberList = ["field": .string(field), "value": SaveOptions.value(value, isText: text)]
        let what = "field \(PlainText.escaped(field))"
        return try outbox.save("saveUserAttribute", params + save.params, what, isJSON: options.json)
    }
}
