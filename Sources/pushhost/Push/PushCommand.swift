internal import ArgumentParser
internal import CSystem
internal import Foundation
internal import HostClient
internal import JSON
internal import Notifications
internal import Platform
internal import PushClient
internal import Terminal

/// Shows a notification at the terminal.
struct PushCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Shows the notification of a payload, to look at it and to play it.",
        discussion: """
            The word push may be left out before a file whose name ends in .apns, and before -, which is stdin.

            At a terminal the arrow keys and Tab move, Return presses, and a line at the bottom lists the other keys. \
            With --press, --set, --action or --json, or if stdin or stdout is not a terminal, it is drawn once, after \
            these steps were done in the order in which they are given. Each element is then drawn with its id.

            The suites are in a temporary folder unless --data is given, so a preview never touches real analytics. \
            Without --plugins, the bundle in whose folder the payload is shows it, or else an installed one.

            With --html or --svg, pictures of the notification as a phone shows it are written after the steps. The \
            same payload, steps, --seed and --locale give the same bytes. Nothing is fetched unless --remote-images \
            is given. If --locale is given several times, the locales stand side by side.

            Exit codes: 0 if the notification was shown and each step succeeded, 1 if the host or the extension \
            refused one, 64 for a wrong command line, 65 for a file that is not a JSON object, 66 for a file that \
            cannot be read, 70 if the host cannot be used, 73 if the file of --html or --svg cannot be written.

            pushhost push payload.apns
            pushhost payload.apns --set email=ada@example.com --action REGISTER
            pushhost payload.apns --svg picture.svg --locale en --locale de
            """
    )

    @Argument(help: "A payload, as simctl push takes it; - for stdin.")
    var payload: String

    @OptionGroup(title: "Steps")
    var steps: PushStepOptions

    @Flag(help: "Print the replies, one JSON object per line, in place of the drawing.")
    var json = false

    @Flag(help: "Show the notification again whenever its payload or a bundle changes.")
    var watch = false

    @Option(help: ArgumentHelp("The locale of the texts, such as de; several for pictures.", valueName: "name"))
    var locale: [String] = []

    @OptionGroup var notification: NotificationOptions

    @OptionGroup var host: HostOptions

    @OptionGroup(title: "Drawing")
    var settings: PushSettings

    @OptionGroup(title: "Pictures")
    var pictures: PictureOptions

    func validate() throws {
        if watch, payload == "-" { throw ValidationError("--watch: stdin cannot be watched; name a file") }
        if notification.profile == "-", payload == "-" {
            throw ValidationError("--profile -: the payload is read from stdin")
        }
        for locale in locale { try requireLocale(locale) }
        if pictures.files.isEmpty { try validateDrawing() } else { try validatePictures() }
    }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let file = PushFile(payload)
        do {
            // A mistake in a file is reported before a host is started.
            let payload = try file.object()
            if !pictures.files.isEmpty { return try paint(file, payload, signals) }
            let params = try params(locale.first)
            let client = try start(file, signals)
            defer { _ = client.stop(isHasty: false) }
            let session = try PushSession(client, params: params)
            if try isInteractive { return try play(session, file, signals) }
            guard watch else { return try print(session, payload) }
            return try show(session, file) { _ = try print(session, $0) }
        } catch let problem as PushFile.Problem {
            Self.report(problem.message)
            return problem.code
        } catch let refusal as PushSession.Refusal {
            Self.report(refusal)
            return 1
        } catch let error as ClientError {
            throw error
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Whether the user's keys play the notification.
    private var isInteractive: Bool {
        get throws { try !json && steps.steps().isEmpty && settings.capabilities.isInteractive }
    }

    private func play(_ session: PushSession, _ file: PushFile, _ signals: SignalSource) throws -> Int32 {
        signals.includeWindowSize()
        let watch = try watch ? PushWatch(watched(file), session, folders: [StandardFolders().host]) : nil
        let player = PushPlayer(session, settings, watch) {
            session.params = try params(locale.first)
            try session.push(file.object())
        }
        guard let player else { return try print(session, file.object()) }
        let code = try player.run()
        // What was shown last stays on the screen.
        printer.finish(session, showsIDs: false)
        return code
    }

    /// Shows it again whenever it changes, until a signal.
    func show(_ session: PushSession, _ file: PushFile, _ draw: (JSON) throws -> Void) throws -> Int32 {
        let watch = try PushWatch(watched(file), session, folders: [StandardFolders().host])
        while true {
            do {
                session.params = try params(locale.first)
                try draw(file.object())
                if Terminal.isLost { return 0 }
            } catch let problem as PushFile.Problem {
                Self.report(problem.message)
            } catch let refusal as PushSession.Refusal {
                Self.report(refusal)
            }
            repeat {
                let ready = try session.host.wait(for: watch.descriptors, until: watch.deadline)
                if watch.isDue(ready), try watch.hasChanged(session) { break }
            } while true
        }
    }

    private func print(_ session: PushSession, _ payload: JSON) throws -> Int32 {
        defer { printer.finish(session, showsIDs: true) }
        try perform(session, payload)
        return 0
    }

    /// Shows a payload and does the steps.
    func perform(_ session: PushSession, _ payload: JSON) throws {
        let steps = try self.steps.steps()
        session.forget()
        try session.push(payload)
        for step in steps { try session.take(step) }
    }

    private var printer: PushPrinter { PushPrinter(settings: settings, isJSON: json) }

    /// The files whose change shows the notification again.
    func watched(_ file: PushFile) -> [String] {
        [file.path, notification.profile.flatMap { PushFile($0).path }].compactMap { $0 }
    }

    func params(_ locale: String?) throws(PushFile.Problem) -> [(String, JSON)] {
        var params: [(String, JSON)] = []
        if let locale { params.append(("locale", .string(locale))) }
        if let profile = notification.profile { params.append(("profile", try PushFile(profile).object())) }
        return params
    }

    func start(_ file: PushFile, _ signals: SignalSource) throws(ClientError) -> HostClient {
        var arguments = host.data == nil ? ["--ephemeral"] : []
        arguments += notification.serveArguments
        return try host.usingBundles(of: [file.path].compactMap(\.self)).start(arguments, signals)
    }

    // MARK: Errors

    static func report(_ message: String) {
        Terminal.writeError(message)
    }

    static func report(_ refusal: PushSession.Refusal) {
        report(refusal.message)
        for diagnostic in refusal.diagnostics {
            let text = [diagnostic["path"], diagnostic["message"]].compactMap { $0?.string }.joined(separator: ": ")
            Terminal.writeToError("  \(PlainText.escaped(text))\n")
        }
    }
}
