internal import ArgumentParser
internal import CSystem
internal import HostClient
internal import JSON
internal import NotificationHTML
internal import Notifications
internal import Platform
internal import PushClient
internal import Terminal

/// Shows a notification at the terminal.
struct PushCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Show and play the notification of a payload.",
        prose: """
            You can leave out the word push before a file whose name ends in .apns, and before -, which is stdin. A \
            bundle's folder means its payload.apns. As for simctl push, a device (booted or its identifier) and an \
            app's identifier may stand before the payload; both are ignored.

            At a terminal the arrow keys and Tab move, Return presses, and a line at the bottom lists the other keys. \
            With --press, --set, --action, --wait or --json, or if stdin or stdout is not a terminal, push does these steps \
            in the given order and then draws the notification once, each element with its id. The extension's \
            stderr, such as a print or a traceback, goes to stderr.

            The suites are in a temporary folder unless --data is given, so a preview never touches real analytics. \
            Without --plugins, the bundle in the payload's folder shows it, or an installed one if that is not \
            built.

            With --html or --svg, push draws the notification as a phone shows it, after the steps. The \
            same payload, steps, --seed and --locale give the same bytes. It fetches nothing unless --remote-images \
            is given. Repeat --locale to put several locales side by side.

            A phone runs a content extension only when its user opens the notification. --banner stops before that; the \
            only actions are then a tap and a dismissal.
            """,
        examples: [
            "pushhost push payload.apns",
            "pushhost payload.apns --set email=ada@example.com --action REGISTER",
            "pushhost payload.apns --svg picture.svg --locale en --locale de",
        ],
        exitCodes: """
            0 if the notification was shown and each step succeeded, 1 if the host or the extension refused a step, \
            or if no extension shows the category, 64 for a wrong command line, 65 for a file that is not \
            a JSON object, 66 for a file that cannot be read, 70 if the host cannot be used or the project of --from \
            cannot be built, 73 if the file of --html or --svg cannot be written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A payload as for simctl push, or the folder of a bundle with a payload.apns; - for stdin.",
            valueName: "payload"
        ),
        completion: .file()
    )
    var words: [String]

    /// The payload: the last word, since the other ones only choose the device and the app of simctl.
    var payload: String { words[words.count - 1] }

    @OptionGroup(title: "Steps")
    var steps: PushStepOptions

    @Flag(help: "Deliver the notification without opening it: its extension does not run.")
    var banner = false

    @Flag(help: "Print the replies instead of the drawing, one JSON object per line.")
    var json = false

    @Flag(help: "Show the notification again when its payload or a bundle changes.")
    var watch = false

    @Option(
        help: ArgumentHelp("Show the texts in this locale, such as de; repeat for pictures.", valueName: "name"),
        completion: Completions.locales
    )
    var locale: [String] = []

    @OptionGroup var notification: NotificationOptions

    @OptionGroup var host: HostOptions

    @OptionGroup(title: "Xcode projects")
    var project: ProjectOptions

    @OptionGroup(title: "Drawing")
    var settings: PushSettings

    @OptionGroup(title: "Pictures")
    var pictures: PictureOptions

    func validate() throws {
        let isDevice = words[0] == "booted" || UUID(uuidString: words[0]) != nil
        guard words.count == 1 || isDevice && words.count <= 3 else {
            throw ValidationError("\(words[1]): one payload is shown at a time; leave out the others")
        }
        if watch, payload == "-" { throw ValidationError("--watch: stdin cannot be watched; name a file") }
        if notification.profile == "-", payload == "-" {
            throw ValidationError("--profile -: the payload is read from stdin")
        }
        for locale in locale { try requireLocale(locale) }
        if pictures.files.isEmpty { try validateDrawing() } else { try validatePictures() }
    }

    func run(_ signals: SignalSource) throws(ClientError) -> Int32 {
        let file = PushFile.payload(payload, input: CommandContext.current.input)
        do {
            // A mistake in a file is reported before a host is started.
            let payload = try file.object()
            if !pictures.files.isEmpty { return try paint(file, payload, signals) }
            let params = try params(locale.first)
            let client = try start(file, signals)
            return try Self.using(client) {
                let session = try PushSession(client, params: params)
                if try isInteractive { return try play(session, file, signals) }
                guard watch else { return try print(session, payload) }
                return try show(session, file) { _ = try print(session, $0) }
            }
        } catch let problem as PushFile.Problem {
            console.writeError(problem.message)
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

    /// Does something with a host and ends it; at once if that was interrupted, perhaps in the midst of a call.
    private static func using(_ client: HostClient, _ body: () throws -> Int32) throws -> Int32 {
        do {
            let code = try body()
            _ = client.stop(isHasty: false)
            return code
        } catch {
            _ = client.stop(isHasty: error is ClientError)
            throw error
        }
    }

    /// Whether the user's keys play the notification.
    private var isInteractive: Bool {
        get throws { try !json && !banner && steps.steps().isEmpty && settings.capabilities.isInteractive }
    }

    private func play(_ session: PushSession, _ file: PushFile, _ signals: SignalSource) throws -> Int32 {
        signals.includeWindowSize()
        let watch = try watch ? makeWatch(session, file) : nil
        let player = PushPlayer(session, settings, watch) {
            session.params = try params(locale.first)
            _ = try project.build()
            try session.push(file.object())
        }
        guard let player else { return try print(session, file.object()) }
        let code = try player.run()
        // What was shown last stays on the screen.
        printer.print(session, showsIDs: false, showsErrorLines: true)
        if let failure = player.failure { console.writeError(failure) }
        return code
    }

    /// Shows it again whenever it changes, until a signal.
    private func show(_ session: PushSession, _ file: PushFile, _ draw: (JSON) throws -> Void) throws -> Int32 {
        let watch = try makeWatch(session, file)
        while true {
            do {
                session.params = try params(locale.first)
                if isBuilt() { try draw(file.object()) }
                if console.isLost { return 0 }
            } catch let problem as PushFile.Problem {
                console.writeError(problem.message)
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
        do {
            defer {
                Self.report(session.errorLines)
                printer.print(session, showsIDs: true, showsErrorLines: false)
            }
            try perform(session, payload)
        }
        return Self.code(for: payload, [session])
    }

    /// Shows a payload and does the steps.
    private func perform(_ session: PushSession, _ payload: JSON) throws {
        let steps = try self.steps.steps()
        session.forget()
        try session.push(payload)
        for step in steps { try session.take(step) }
    }

    private var printer: PushPrinter { PushPrinter(settings: settings, isJSON: json) }

    /// Builds the project again after a change; what is wrong with it is written.
    private func isBuilt() -> Bool {
        do {
            _ = try project.build()
            return true
        } catch {
            console.writeError(error.text)
            return false
        }
    }

    /// Watches the files and the bundles whose change shows the notification again.
    private func makeWatch(_ session: PushSession, _ file: PushFile) throws(ClientError) -> PushWatch {
        let files = [file.path, notification.profile.flatMap { PushFile($0).path }].compactMap(\.self)
        let inputs = try project.build()?.inputs ?? []
        return try PushWatch(
            files + inputs,
            session,
            folders: [StandardFolders().host] + inputs.filter(StandardFolders.isFolder)
        )
    }

    private func params(_ locale: String?) throws(PushFile.Problem) -> MemberList {
        let profile = try notification.profile.map { path throws(PushFile.Problem) in
            try PushFile(path, input: CommandContext.current.input).object()
        }
        return ["locale": locale.map(JSON.string), "profile": profile, "expand": banner ? false : nil]
    }

    private func start(_ file: PushFile, _ signals: SignalSource) throws(ClientError) -> HostClient {
        var arguments = host.data == nil ? ["--ephemeral"] : []
        // Only a fixed clock can be moved, and then a timer fires at the same time in each run.
        if !steps.wait.isEmpty { arguments += ["--clock", Timestamp.format(Clock.systemTime())] }
        arguments += notification.serveArguments
        var host = host
        if let built = try project.build() { host.plugins = built.bundles + host.plugins }
        host = host.usingBundles(of: [file.path].compactMap(\.self), rendering: notification.profile != nil)
        return try host.start(arguments, signals)
    }

    // MARK: Errors

    /// Writes what extensions wrote on their stderr.
    private static func report(_ lines: [PushSession.ErrorLine]) {
        for line in lines { console.writeToError("\(PlainText.escaped("\(line.bundle): \(line.text)"))\n") }
    }

    private static func report(_ refusal: PushSession.Refusal) {
        console.writeError(refusal.message)
        for diagnostic in refusal.diagnostics {
            console.writeToError("  \(PlainText.escaped(text(of: diagnostic)))\n")
        }
    }

    /// A diagnostic with its place in the payload, which is the only part of the call that people see.
    static func text(of diagnostic: JSON) -> String {
        let path = diagnostic["path"]?.string?.replacing(/^\/params(\/payload)?(?=\/)/, with: "")
        return [path, diagnostic["message"]?.string].compactMap(\.self).joined(separator: ": ")
    }

    /// The exit code after a payload was shown: a script that names a category expects its extension to be tested.
    private static func code(for payload: JSON, _ sessions: [PushSession]) -> Int32 {
        guard payload["aps"]?["category"]?.string?.isEmpty == false else { return 0 }
        let replies = sessions.flatMap(\.replies).filter { $0["method"] == "didReceive" }
        let diagnostics = replies.flatMap { $0["result"]?["diagnostics"]?.array.map(Array.init) ?? [] }
        guard let missing = diagnostics.first(where: { $0["reason"] == "noExtension" }) else { return 0 }
        console.writeError(text(of: missing))
        return 1
    }

    // MARK: Pictures

    /// More locales than this are not looked at side by side; each one has a host.
    private static let localeLimit = 8

    /// The locales of the pictures; nil for that of the host.
    private var locales: [String?] { locale.isEmpty ? [nil] : locale.map(Optional.some) }

    /// Checks that the options fit a drawing at the terminal.
    private func validateDrawing() throws {
        if locale.count > 1 {
            throw ValidationError("--locale: the terminal shows one locale; add --html FILE or --svg FILE for several")
        }
    }

    /// Checks that the options fit pictures.
    private func validatePictures() throws {
        if json { throw ValidationError("--json: with --html or --svg nothing else is printed; leave one out") }
        if watch, pictures.files.contains(where: { $0.name == "-" }) {
            throw ValidationError("--watch: pictures are written again and again; name a file instead of -")
        }
        for file in pictures.files {
            try requireOther(file.format.rawValue, file.name, than: [payload, notification.profile].compactMap(\.self))
        }
        if watch, locale.count > 1 { throw ValidationError("--watch: it takes one --locale") }
        if settings.isGiven {
            throw ValidationError(
                "--width, --appearance, --color and --ascii are about the terminal; with --html or --svg use --scheme"
            )
        }
        if locale.count > Self.localeLimit {
            throw ValidationError("--locale: at most \(Self.localeLimit) are shown side by side")
        }
        if Set(locale).count < locale.count { throw ValidationError("--locale: one is given twice") }
        if locale.count > 1, host.data != nil {
            throw ValidationError("--data: each locale would save the same records again; take one --locale")
        }
        if locale.count > 1, payload == "-" {
            throw ValidationError("--locale: stdin is read once; name a file to show several locales")
        }
    }

    /// Writes pictures, again after each change with `--watch`.
    private func paint(_ file: PushFile, _ payload: JSON, _ signals: SignalSource) throws -> Int32 {
        let files: [PictureFile]
        do throws(ClientError) {
            files = try pictures.files.map { file throws(ClientError) in try PictureFile(file.name, file.format) }
        } catch {
            console.writeError(error.text)
            return EX_CANTCREAT
        }
        var clients: [HostClient] = []
        // Attachments are files of the hosts, which are there until the pictures are written.
        defer { for client in clients { _ = client.stop(isHasty: false) } }
        let sessions = try locales.map { locale in
            clients.append(try start(file, signals))
            return try PushSession(clients[clients.count - 1], params: params(locale))
        }
        guard watch else {
            for session in sessions {
                defer { Self.report(session.errorLines) }
                try perform(session, payload)
            }
            let code = try write(files, sessions, file)
            return code == 0 ? Self.code(for: payload, sessions) : code
        }
        return try show(sessions[0], file) { payload in
            defer { Self.report(sessions[0].errorLines) }
            try perform(sessions[0], payload)
            _ = try write(files, sessions, file)
            _ = Self.code(for: payload, sessions)
        }
    }

    private func write(_ files: [PictureFile], _ sessions: [PushSession], _ payload: PushFile) throws -> Int32 {
        let app = try sessions.first.flatMap { session in
            try session.shown.flatMap { try AppIdentity.of($0, in: session.host) }
        }
        let renderer = HTMLRenderer(pictures.settings(app, payload: payload.path))
        let figures = zip(locales, sessions).compactMap { locale, session -> HTMLRenderer.Figure? in
            session.shown.map { (sessions.count > 1 ? locale ?? "" : "", $0, locale) }
        }
        // The picture has no place for them, locales often have the same, and a missing extension is an error.
        var texts: [String] = []
        for diagnostic in sessions.flatMap(\.diagnostics) where diagnostic["reason"] != "noExtension" {
            let text = Self.text(of: diagnostic)
            if !texts.contains(text) { texts.append(text) }
        }
        for text in texts { console.writeWarning(text) }
        do throws(ClientError) {
            for file in files { try file.write(figures, renderer) }
            return 0
        } catch {
            console.writeError(error.text)
            return EX_CANTCREAT
        }
    }
}
