internal import ArgumentParser
internal import CSystem
internal import Contract
internal import ExtensionHost
internal import HostClient
internal import JSON
internal import Localization
internal import Platform
internal import PropertyLists
internal import PushClient
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

            With --from instead of NAME and --language, each notification extension of an Xcode project becomes a \
            bundle, a folder with the name of its target, that is built from the project's own sources. Run the \
            same command again after a change: it builds only what changed, and keeps your files in the bundle.
            """,
        examples: [
            "pushhost extensions new --language python coupon",
            "pushhost push coupon/payload.apns --plugins coupon",
            "pushhost extensions new --from App.xcodeproj --output bundles",
        ],
        exitCodes: """
            0 if the bundle was written, 1 if its session could not be recorded, 64 for a wrong command \
            line, 70 if an extension of --from cannot be built, 73 if the folder exists or cannot be written.
            """
    )

    @Argument(help: "The name of the extension: letters, digits and -.")
    var name: String?

    @Option(help: "Write it in swift, python, node or shell.")
    var language: TemplateLanguage?

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

    @OptionGroup(title: "Xcode projects")
    var project: ProjectOptions

    static var failureCode: Int32 { EX_CANTCREAT }

    func validate() throws {
        guard StandardFolders.isFolder(output) else {
            throw ValidationError("--output \(output): there is no such folder")
        }
        guard project.from == nil else {
            guard name == nil, language == nil, identifier == nil, package == nil else {
                throw ValidationError(
                    "--from: the project has the names; leave out NAME, --language, --identifier and --package"
                )
            }
            return
        }
        guard let name else { throw ValidationError("name the extension, or an Xcode project with --from") }
        guard let language else {
            let known = TemplateLanguage.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--language is missing: name one of \(known)")
        }
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*/) != nil, name.utf8.count <= 64 else {
            let rule = "a name has at most 64 letters, digits and single -, and begins with a letter"
            throw ValidationError("\(PlainText.escaped(name)): \(rule)")
        }
        if let identifier, identifier.wholeMatch(of: /[A-Za-z0-9.-]+/) == nil {
            throw ValidationError("--identifier \(PlainText.escaped(identifier)): use letters, digits, - and .")
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
        // validate() has seen that both are there.
        guard let name, let language else { return try buildProject() }
        let template = ExtensionTemplate(
            language: language,
            name: name,
            identifier: identifier ?? "com.example.\(name)",
            package: language == .swift ? checkout : nil
        )
        let parent = URL(fileURLWithPath: Paths.absolute(output)).standardizedFileURL.path
        let folder = "\(parent)/\(name)"
        try template.write(to: folder)
        let allowed = StandardFolders().allowedBundles()
        do throws(SystemError) {
            // Who writes it changes it often.
            try allowed.allow(folder: folder)
        } catch {
            let text = "pushhost will ask you if it declares permissions, because \(allowed.file) cannot be written"
            console.writeWarning("\(text): \(error)")
        }
        let shown = shown(name)
        let last = "pushhost replay \(shown)/session.jsonl"
        if language == .swift {
            let first = ["swift build --package-path \(shown)", Self.recordCommand(shown)]
            console.print(nextSteps(shown, first: first, last: [last]))
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
        console.print(nextSteps(shown, first: [], last: [last]))
        return 0
    }

    /// A bundle's path as it is printed.
    private func shown(_ name: String) -> String {
        (output == "." ? name : "\(output)/\(name)".replacing("//", with: "/")).quotedForShell
    }

    // MARK: Xcode projects

    /// Builds the bundles of a project, and gives each one a payload unless it has one.
    private func buildProject() throws(ClientError) -> Int32 {
        let products: ProjectBuild.Products?
        do throws(ClientError) {
            products = try project.build(output: output)
        } catch {
            console.writeError(error.text)
            return EX_SOFTWARE
        }
        for bundle in products?.bundles ?? [] {
            let payload = "\(bundle)/payload.apns"
            if FileStamp(of: payload) == nil {
                let text = Self.payload(forBundleAt: bundle).description + "\n"
                guard FileManager.default.createFile(atPath: payload, contents: Data(text.utf8)) else {
                    throw .failed("\(payload) cannot be written")
                }
            }
            console.print(nextSteps(shown(URL(filePath: bundle).lastPathComponent), first: []))
        }
        return products?.isComplete == true ? 0 : EX_SOFTWARE
    }

    /// A payload that the bundle's `Info.plist` makes it show: of its first category, or one that a service may change.
    private static func payload(forBundleAt bundle: String) -> JSON {
        let info = try? BundleFile.dictionary("Info.plist", in: bundle)
        let categories = info?["NSExtension"]?["NSExtensionAttributes"]?["UNNotificationExtensionCategory"]
        let category = categories?.text ?? categories?.texts?.first
        let title = info?["CFBundleDisplayName"]?.text ?? "Title"
        return [
            "aps": JSON(present: [
                "alert": ["title": .string(title), "body": "Body"], "category": category.map(JSON.string),
                "mutable-content": category == nil ? 1 : nil,
            ])
        ]
    }

    // MARK: Sessions

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

    private func nextSteps(_ folder: String, first: [String], last: [String] = []) -> String {
        let commands = [
            "pushhost push \(folder)/payload.apns --plugins \(folder)", "pushhost extensions check \(folder)",
        ]
        return (["Created \(folder). Next:"] + (first + commands + last).map { "  \($0)" })
            .map(PlainText.escaped).joined(separator: "\n")
    }

    /// The checkout of pushhost: the one that the command line names, or the one in whose `.build` this program is.
    private var checkout: String? {
        if let package { return URL(fileURLWithPath: Paths.absolute(package)).standardizedFileURL.path }
        return StandardFolders().checkout
    }
}
