internal import ArgumentParser
internal import Foundation
internal import PhoneDiagnostics
internal import PhoneProject

/// Reads Xcode projects and builds the bundles of their notification extensions.
@main
struct PushhostPhone: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushhost-phone",
        abstract: "Build the notification extensions of an Xcode project for pushhost.",
        discussion: """
            The sources of the extension are compiled as they are, against modules with the names of Apple's.

            Exit codes: 0 if it worked, 1 if something in the project prevents it, 64 for a wrong command line.
            """,
        subcommands: [
            ListCommand.self, CheckCommand.self, DoctorCommand.self, BuildCommand.self, ModulesCommand.self,
        ]
    )
}

/// What both commands need: the project, and which of its extensions.
struct ProjectOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("An .xcodeproj, an .xcworkspace, or a folder with one or with sources.", valueName: "path")
    )
    var path: String

    @Option(help: ArgumentHelp("Only this target; may be repeated.", valueName: "name"))
    var target: [String] = []

    @Option(help: ArgumentHelp("The build configuration; by default Debug.", valueName: "name"))
    var configuration: String?

    /// The extensions that the options name.
    ///
    /// Warnings about other targets go to stderr.
    ///
    /// - Throws: A diagnostic if there is none.
    func extensions() throws(Diagnostic) -> [NotificationExtension] {
        let search = try ExtensionSearch(path, configuration: configuration)
        let known = Set(search.extensions.map(\.code.target))
        if let unknown = target.first(where: { !known.contains($0) }) {
            let names = known.sorted().joined(separator: ", ")
            throw search.failures.first
                ?? Diagnostic(.error, path, "there is no notification extension \(unknown): choose one of \(names)")
        }
        if target.isEmpty {
            for failure in search.failures {
                Output.note(Diagnostic(.warning, failure.path, line: failure.line, failure.message))
            }
        }
        return search.extensions.filter { target.isEmpty || target.contains($0.code.target) }
    }
}

/// The two streams of the program.
enum Output {
    /// Writes a text to stdout; if that fails, such as on a full disk, the program says so and exits with 74.
    static func print(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
        } catch {
            note("Error: stdout cannot be written: \(error.localizedDescription)")
            exit(EX_IOERR)
        }
    }

    /// Writes a diagnostic to stderr.
    static func note(_ diagnostic: Diagnostic) { note("\(diagnostic)") }

    /// Writes a text to stderr, which may be lost.
    static func note(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8)) }

    /// A number with its word, such as `2 errors`.
    static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

    /// Writes a value as JSON to stdout.
    static func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
