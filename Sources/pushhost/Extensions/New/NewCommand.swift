internal import ArgumentParser
internal import CSystem
internal import Contract
internal import Foundation
internal import HostClient
internal import JSON
internal import Platform
internal import Recording

/// Writes a new extension.
struct NewCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create an extension that passes extensions check, with a recorded session as its test.",
        prose: """
            The folder NAME is a bundle: Info.plist, entitlements, payload.apns, the executable, a README and a \
            session. For Python and Node it has a copy of the kit. For Swift it is a package that uses ExtensionKit \
            from the checkout of pushhost. For the shell it needs jq. The command runs the extension in a host to \
            record its session; for Swift, run the printed command after swift build.
            """,
        examples: [
            "pushhost extensions new --language python coupon",
            "pushhost push coupon/payload.apns --plugins coupon",
        ],
        exitCodes: """
            0 if the bundle was written, 1 if its session could not be recorded, 64 for a wrong command \
            line, 73 if the folder exists or cannot be written.
            """
    )

    @Argument(help: "The name of the extension: letters, digits and -.")
    var name: String

    @Option(help: "Write it in swift, python, node or shell.")
    var language: TemplateLanguage

    @Option(
        help: ArgumentHelp("Create the folder NAME in this folder.", valueName: "dir"),
        completion: .directory
    )
    var output: String = "."

    @Option(help: ArgumentHelp("Use this bundle identifier; by default com.example.NAME.", valueName: "identifier"))
    var identifier: String?

    @Option(
        help: ArgumentHelp(
            "For Swift, use this checkout of pushhost; by default the one that built this program.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var package: String?

    static var failureCode: Int32 { EX_CANTCREAT }

    func validate() throws {
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*/) != nil, name.utf8.count <= 64 else {
            let rule = "a name has at most 64 letters, digits and single -, and begins with a letter"
            throw ValidationError("\(PlainText.escaped(name)): \(rule)")
        }
        if let identifier, identifier.wholeMatch(of: /[A-Za-z0-9.-]+/) == nil {
            throw ValidationError("--identifier \(PlainText.escaped(identifier)): use letters, digits, - and .")
        }
        guard StandardFolders.isFolder(output) else {
            throw ValidationError("--output \(output): there is no such folder")
        }
        guard language == .swift else { return }
        guard let checkout else {
            throw ValidationError("a Swift extension needs the checkout of pushhost: name it with --package")
        }
        guard FileManager.default.fileExists(atPath: "\(checkout)/Package.swift") else {
            throw ValidationError("--package \(checkout): it has no Package.swift")
        }
    }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let template = ExtensionTemplate(
            language: language,
            name: name,
            identifier: identifier ?? "com.example.\(name)",
            package: language == .swift ? checkout : nil
        )
        let parent = URL(fileURLWithPath: Paths.absolute(output)).standardizedFileURL.path
        let folder = "\(parent)/\(name)"
        try template.write(to: folder)
        let shown = (output == "." ? name : "\(output)/\(name)".replacing("//", with: "/")).quotedForShell
        if language == .swift {
            console.print(nextSteps(shown, first: ["swift build --package-path \(shown)", Self.recordCommand(shown)]))
            return 0
        }
        do throws(ClientError) {
            try Self.recordSession(of: folder, signals)
        } catch {
            if case .interrupted = error { throw error }
            let text = "\(shown) is written, but its session could not be recorded: \(error.text)"
            console.writeError("\(text); correct that, then run \(Self.recordCommand(shown))")
            return 1
        }
        console.print(nextSteps(shown, first: []))
        return 0
    }

    /// Runs the request lines of a bundle's session in a host with a fixed clock and seed, and writes the replies beside them.
    ///
    /// - Throws: Why the extension does not answer as its template does, such as a missing interpreter.
    private static func recordSession(of bundle: String, _ signals: SignalSource) throws(ClientError) {
        let session: RecordedSession
        do throws(RecordedSession.Problem) {
            session = try RecordedSession(path: "\(bundle)/session.jsonl", mayLackReplies: true)
        } catch {
            throw .failed("\(error)")
        }
        // What Python leaves beside a module that it imports is no part of the new bundle.
        defer { try? FileManager.default.removeItem(atPath: "\(bundle)/__pycache__") }
        let run = SessionRun(session, folders: StandardFolders(), signals: signals, mayUseFiles: false)
        let (replayed, text) = try run.run(plugins: [bundle])
        for reply in replayed.lines where reply.to == Participant.client {
            if let message = reply.json?["error"]?["message"]?.string { throw .failed(message) }
            guard reply.json?["result"]?["extension"] == .null else { continue }
            throw .failed("the extension does not show its payload")
        }
        _ = try session.update(with: replayed, text: text, plugins: [bundle])
    }

    private static func recordCommand(_ folder: String) -> String {
        "pushhost replay --update --plugins \(folder) \(folder)/session.jsonl"
    }

    private func nextSteps(_ folder: String, first: [String]) -> String {
        let commands = [
            "pushhost push \(folder)/payload.apns --plugins \(folder)", "pushhost extensions check \(folder)",
            "pushhost replay \(folder)/session.jsonl",
        ]
        return (["Created \(folder). Next:"] + (first + commands).map { "  \($0)" })
            .map(PlainText.escaped).joined(separator: "\n")
    }

    /// The checkout of pushhost: the one that the command line names, or the one in whose `.build` this program is.
    private var checkout: String? {
        let folders = StandardFolders()
        if let package { return URL(fileURLWithPath: Paths.absolute(package)).standardizedFileURL.path }
        let parts = folders.host.split(separator: "/")
        return parts.lastIndex(of: ".build").map { "/" + parts[..<$0].joined(separator: "/") }
    }
}
