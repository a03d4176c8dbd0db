internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Adds what an App Group's property list contains to a suite.
struct ImportCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the records and stored values of an App Group's property list to a suite.",
        discussion: """
            A record that breaks a limit becomes a dead letter. A file that is imported twice saves its records \
            twice. Without --suite they are saved in the suite `standard`.

            Example: pushhost import --suite group.com.example.app app-group.plist

            \(OutboxExit.help)
            """
    )

    @Argument(help: ArgumentHelp("The property list, XML or binary.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var options: OutboxOptions

    var isSaving: Bool { true }

    func run(_ outbox: Outbox) throws(ClientError) -> Int32 {
        let result = try outbox.result("importSuite", ["path": .string(file)])
        outbox.report(result, "imported", "Imported from \(PlainText.escaped(file))", isJSON: options.json)
        return OutboxExit.success
    }
}
