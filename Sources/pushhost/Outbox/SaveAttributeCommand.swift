internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Saves a custom attribute.
struct SaveAttributeCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "attribute",
        abstract: "Save a custom attribute.",
        discussion: """
            The value is JSON if it can be read as JSON, and otherwise a text; --text takes it as a text in any case.

            \(OutboxExit.help)
            """
    )

    @Argument(help: "The name of the attribute.")
    var key: String

    @Argument(help: "Its value; null unsets it. Write -- before a value that begins with a hyphen.")
    var value: String

    @Flag(help: "The value is a text, even if it could be read as JSON.")
    var text = false

    @Flag(help: "Merge the object into the current one of the attribute, instead of replacing it.")
    var merge = false

    @OptionGroup var save: SaveOptions
    @OptionGroup var options: OutboxOptions

    var isSaving: Bool { true }

    func run(_ outbox: Outbox) throws(ClientError) -> Int32 {
        let value = SaveOptions.value(value, isText: text)
        let params: MemberList = ["key": .string(key), "value": merge ? ["$merge": value] : value]
        let what = "attribute \(PlainText.escaped(key))"
        return try outbox.save("saveCustomAttribute", params + save.params, what, isJSON: options.json)
    }
}
