internal import ArgumentParser
internal import HostClient
internal import JSON
internal import Platform
internal import PushClient

/// Shows a notification in the browser: becomes the program `pushhost-preview`.
///
/// It is a program of its own because the HTTP server would triple the size of this one and delay its start.
struct PreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Edit and play the notification of a payload in the browser.",
        prose: """
            preview prints the address of a page that only this machine can open. The page has an editor for the \
            payload, the live notification, and the messages to and from the extension. It follows changes of the \
            payload, the profile and the bundles. Keep the address secret: anyone who knows it can use the page.

            Without a payload it shows the first bundle's. The suites are in a temporary folder unless --data \
            is given, so a preview never touches real analytics. Without --plugins, the bundle in the payload's \
            folder shows it, or an installed one if that is not built.
            """,
        examples: [
            "pushhost preview payload.apns",
            "pushhost preview payload.apns --open --profile ada.json",
        ],
        exitCodes: """
            64 for a wrong command line, 65 and 66 for a payload or profile that cannot be read, 69 if \
            the port is in use or the program pushhost-preview is missing, 70 if the project of --from cannot be built, \
            128+n ended by signal n.
            """
    )

    @Argument(
        help: "A payload as for simctl push, or the folder of a bundle with a payload.apns.",
        completion: .file()
    )
    var payload: String?

    @Option(help: ArgumentHelp("Serve the page at this port; 0 for any free one.", valueName: "port"))
    var port: UInt16 = 0

    @Flag(help: "Open the page in the browser.")
    var open = false

    @Flag(help: "Let the page load images from other machines.")
    var remoteImages = false

    @Option(
        help: ArgumentHelp("Show the texts in this locale, such as de.", valueName: "name"),
        completion: Completions.locales
    )
    var locale: String?

    @OptionGroup var notification: NotificationOptions

    @Option(help: ArgumentHelp("Fix the time of the host, such as 2026-01-01T00:00:00Z.", valueName: "time"))
    var clock: String?

    @OptionGroup var host: HostOptions

    @OptionGroup(title: "Xcode projects")
    var project: ProjectOptions

    func validate() throws {
        try requireLocale(locale)
        if payload == "-" { throw ValidationError("-: stdin cannot be watched; name a file") }
        if notification.profile == "-" { throw ValidationError("--profile -: stdin cannot be watched; name a file") }
        _ = try clock.map(clockTime)
    }

    func run() throws {
        do throws(PushFile.Problem) {
            // A mistake in a file is reported before anything is started.
            _ = try payload.map { PushFile.payload($0) }?.object()
            _ = try notification.profile.map { PushFile($0) }?.object()
        } catch {
            throw end(error.message, error.code)
        }
        let folders = StandardFolders()
        guard let program = Self.program(folders) else {
            throw end(
                "pushhost-preview is missing beside \(folders.host)/pushhost; build or install it",
                EX_UNAVAILABLE
            )
        }
        let settings: JSON
        do throws(ClientError) {
            settings = self.settings(folders, try project.project(), try project.build())
        } catch {
            throw end(error.text, EX_SOFTWARE)
        }
        throw end("\(program) cannot be started: \(Self.become(program, settings.description))", EX_UNAVAILABLE)
    }

    private func end(_ message: String, _ code: Int32) -> ExitCode {
        console.writeError(message)
        return ExitCode(code)
    }

    /// Where the program is in a build folder, or in an installation.
    static func program(_ folders: StandardFolders) -> String? {
        ["\(folders.host)/pushhost-preview", "\(Paths.parent(of: folders.host))/libexec/pushhost/pushhost-preview"]
            .first { FileStamp(of: $0)?.kind == .file }
    }

    /// Replaces this process by a program.
    ///
    /// - Returns: Why that failed.
    private static func become(_ program: String, _ argument: String) -> SystemError {
        let arguments = [strdup(program), strdup(argument), nil]
        execv(program, arguments)
        return .last
    }

    private func settings(
        _ folders: StandardFolders,
        _ build: ProjectBuild?,
        _ products: ProjectBuild.Products?
    ) -> JSON {
        let payload = payload.flatMap { PushFile.payload($0).path }
        var host = host
        host.plugins = (products?.bundles ?? []) + host.plugins
        var arguments = host.usingBundles(of: [payload].compactMap(\.self)).plugins.flatMap {
            ["--plugins", Paths.absolute($0)]
        }
        arguments += host.sandbox.serveArguments + notification.serveArguments
        return [
            // Not /proc/self/exe, which will be the other program.
            "program": .string(Paths.resolved(folders.program) ?? folders.program), "version": .string(Version.text),
            "arguments": JSON(arguments.map(JSON.string)), "data": JSON(host.data.map(Paths.absolute)),
            "payload": JSON(payload), "profile": JSON(notification.profile.map(Paths.absolute)),
            "locale": JSON(locale), "clock": JSON(clock), "port": JSON(Int(port)), "open": .bool(open),
            "remoteImages": .bool(remoteImages), "build": JSON((build?.command ?? []).map(JSON.string)),
            "inputs": JSON((products?.inputs ?? []).map(JSON.string)),
        ]
    }
}
