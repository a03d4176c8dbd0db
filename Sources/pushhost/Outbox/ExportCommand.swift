internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform

/// Writes a suite as a property list.
struct ExportCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a suite as the property list of an App Group, without deleting anything.",
        prose: """
            The file is complete as soon as it appears, and only its owner can read it. Without --suite it has the \
            suite `standard`.
            """,
        examples: ["pushhost export --suite group.com.example.app app-group.plist"],
        exitCodes: OutboxExit.help
    )

    enum Format: String, ExpressibleByArgument, CaseIterable { case xml, binary }

    @Argument(
        help: ArgumentHelp("The property list to write; it replaces an existing file.", valueName: "file"),
        completion: .file()
    )
    var file: String

    @Option(help: "Write the property list in this format.")
    var format = Format.xml

    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    func validate() throws {
        guard file != "-" else { throw ValidationError("-: a suite is not written to stdout; name a file") }
    }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        let format = JSON.string(format.rawValue)
        let result = try suites.result("exportSuite", ["path": .string(file), "format": format])
        suites.report(result, "exported", "Exported to \(PlainText.escaped(file))", isJSON: options.json)
        return OutboxExit.success
    }
}

/// Adds what an App Group's property list contains to a suite.
struct ImportCommand: OutboxCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the records and stored values of an App Group's property list to a suite.",
        prose: """
            A record that breaks a limit becomes a dead letter. If you import a file twice, its records are saved \
            twice. Without --suite they go to the suite `standard`.
            """,
        examples: ["pushhost import --suite group.com.example.app app-group.plist"],
        exitCodes: OutboxExit.help
    )

    @Argument(help: ArgumentHelp("The property list to read, XML or binary.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var host: HostOptions
    @OptionGroup var options: OutboxOptions

    var isSaving: Bool { true }

    func run(_ suites: SuiteClient) throws(ClientError) -> Int32 {
        let result = try suites.result("importSuite", ["path": .string(file)])
        suites.report(result, "imported", "Imported from \(PlainText.escaped(file))", isJSON: options.json)
        return OutboxExit.success
    }
}

extension SuiteClient {
    /// Prints what an import or an export did.
    fileprivate func report(_ result: JSON, _ member: String, _ what: String, isJSON: Bool) {
        guard !isJSON else { return console.print(result) }
        let records = result[member]?.object?.compactMap(\.value.integer).reduce(0, +) ?? 0
        let keys = result["defaults"]?.integer ?? 0
        let counts =
            [(records, "record"), (keys, "stored value")]
            + (result["deadLetters"]?.integer.map { [($0, "dead letter")] } ?? [])
        console.print("\(what): \(counts.map { CheckReport.count(Int($0), $1) }.joined(separator: ", ")).")
        for diagnostic in result["diagnostics"]?.array.map(Array.init) ?? [] {
            console.writeWarning(diagnostic["message"]?.string ?? "")
        }
    }
}
