internal import HostClient
internal import JSON
internal import Localization
internal import NotificationHTML
internal import Notifications
internal import Platform
internal import PushClient

/// The state that all windows show, and the only owner of the host; it lives on the main thread.
final class Preview {
    /// How long after something happened the preview looks again, in milliseconds.
    private static let quietTime: Int64 = 300
    /// How long an extension may work on a call, in milliseconds, before what is to be shown next ends it.
    private static let stuckTime: Int64 = 1_000

    let settings: PreviewSettings
    let folder: TemporaryFolder
    let windows: Windows
    private let mailbox: WindowMailbox
    let signals: SignalSource
    private let language: LanguageService
    let payloads = PayloadList()

    var editor = Editor()
    var choices: Choices
    /// The folder of the bundle whose app is known; nil if none is, or if its files changed.
    private var appFolder: String?
    /// What the profile's file held when it was read last.
    private var savedProfile = ""
    var host: PreviewHost?
    private var hostCount = 0
    var clearCount = 0
    /// Why there is no newer picture; nil if there is one, or if nothing was pushed.
    var problem: Picture.Problem?
    /// What was seen of the notification that was shown last.
    private var lastHTML = ""
    /// How often a notification was delivered that is no edit of the one before; the page moves it in.
    var arrivals = 0
    /// When the notifications arrived that are seen, in milliseconds since 1970.
    private var times: [String: Int64] = [:]
    /// How often a payload was pushed.
    private var pushCount = 0
    /// The params of the pushes whose banners may still be opened, by the notification's id.
    var pushes: [String: MemberList] = [:]
    /// The notification whose app the user left.
    var leftApp: JSON?
    private let localeSheet: LocaleSheet
    var steps = RecordedSteps()
    var timeline = Timeline()
    var records = SavedRecords()
    var catalog = Catalog()
    /// What builds the Xcode project whose extensions are shown; nil for bundles.
    private let builder: ProjectBuilder?
    /// Whether nothing happened since the last look.
    private var isQuiet = false
    /// What came and is not handled yet.
    private var letters: [WindowMailbox.Letter] = []
    /// Whether the extension is stuck with a call whose result nobody wants any more.
    private var isStuck = false

    /// - Throws: That a file on the command line cannot be used.
    init(
        _ settings: PreviewSettings,
        _ folder: TemporaryFolder,
        _ windows: Windows,
        _ mailbox: WindowMailbox,
        _ signals: SignalSource
    ) throws(PushFile.Problem) {
        (self.settings, self.folder, self.windows, self.mailbox, self.signals) =
            (settings, folder, windows, mailbox, signals)
        language = LanguageService(windows, folder: folder.path)
        builder = settings.project.flatMap { try? ProjectBuilder($0.build, $0.inputs, folder: folder.path) }
        localeSheet = LocaleSheet(settings, folder: "\(folder.path)/locales", signals)
        choices = Choices(settings)
        if let profile = settings.profile { savedProfile = try PushFile(profile).text() }
        choices.profile = savedProfile
        if let payload = settings.payload { try editor.open(payload) }
    }

    /// Runs until a signal.
    ///
    /// - Throws: The signal.
    func run() throws(ClientError) -> Never {
        defer {
            localeSheet.stop()
            host?.stop(isHasty: true)
        }
        textChanged()
        try attempt { _ in }
        if settings.payload == nil, let sample = catalog.firstSample {
            try? editor.open(sample)
            textChanged()
        }
        arrivals = 1
        try push()
        try publishAll()
        while true {
            let ready = try wait()
            letters = Self.withoutOldEdits(letters + receive())
            // Those behind stay, so that `pass` sees an edit among them; what comes meanwhile is for the next turn.
            for _ in letters.indices { try handle(letters.removeFirst()) }
            if let host, host.watch.isDue(ready) { try attempt { try filesMayHaveChanged($0) } }
            if let problem = builder?.advance() { try projectWasBuilt(problem) }
            try attempt(startsHost: false) { try $0.session.refresh() }
            try publishAll()
        }
    }

    /// Waits for a window, a file, the host or a signal.
    private func wait() throws(ClientError) -> Set<Int32> {
        try signals.check()
        guard let host else { return try signals.wait(for: [mailbox.descriptor], until: letters.isEmpty ? .max : 0) }
        do throws(ClientError) {
            let others = [mailbox.descriptor] + host.watch.descriptors + (builder?.descriptors ?? [])
            // Nobody tells that an extension wrote to stderr or ended after its answer, so the preview looks once more.
            let deadline = !letters.isEmpty ? 0 : isQuiet ? .max : Clock.monotonic() + Self.quietTime
            let next = min(deadline, host.watch.deadline, builder?.deadline ?? .max)
            let ready = try host.session.host.wait(for: others, until: next)
            isQuiet = ready.isEmpty && Clock.monotonic() >= deadline
            return ready
        } catch {
            try noteFailure(error)
            return []
        }
    }

    /// Takes what the windows ask for; the language server gets its part at once, also while an extension works.
    private func receive() -> [WindowMailbox.Letter] {
        mailbox.take().filter { letter in
            let message = letter.message
            switch message["type"]?.string {
            case "lsp":
                language.answer(letter)
                return false
            case "edit":
                let edit = Int(clamping: message["edit"]?.integer ?? 0)
                language.show(message["text"]?.string ?? "", editor.file, author: letter.window, edit: edit)
            default: break
            }
            return true
        }
    }

    /// Somebody who types fast sends texts faster than they are shown; only the last one is.
    ///
    /// What the user does with a text counts: a text that is saved, for example, stays.
    private static func withoutOldEdits(_ letters: [WindowMailbox.Letter]) -> [WindowMailbox.Letter] {
        var (kept, hasNewer) = ([WindowMailbox.Letter](), false)
        for letter in letters.reversed() {
            switch letter.message["type"]?.string {
            case "edit":
                if !hasNewer { kept.append(letter) }
                hasNewer = true
                continue
            case "save", "load", "bundle", "open", "record", "push": hasNewer = false
            default: break
            }
            kept.append(letter)
        }
        return kept.reversed()
    }

    /// While an extension works, shows for how long, and notices that something else is to be shown.
    ///
    /// - Returns: Whether the call is to be given up.
    private func pass(_ milliseconds: Int64) -> Bool {
        letters += receive()
        windows.publish("waiting", [("seconds", JSON(Int(milliseconds / 1_000)))])
        publishTimeline()
        let isOutdated = letters.contains { letter in
            switch letter.message["type"]?.string {
            case "edit", "push": true
            // They are given to the host, as a text is.
            case "choose": ["clock", "locale", "profile"].contains(letter.message["name"]?.string)
            // With unsaved changes, it is only a question to the user.
            case "bundle", "open": letter.message["discard"] == true || !editor.isDirty
            default: false
            }
        }
        // An extension that only takes its time answers soon.
        guard isOutdated, milliseconds >= Self.stuckTime else { return false }
        isStuck = true
        return true
    }

    // MARK: The host

    /// Shows the text of the editor if it is a payload; otherwise the picture stays.
    func push(keepsBanner: Bool = false) throws(ClientError) {
        defer { windows.publish("shown", editor.change + [("alert", host?.session.shown?.content ?? .null)]) }
        guard let payload = editor.payload else { return }
        language.configure(choices.checkParams)
        problem = nil
        try attempt { host in
            let params = try choices.params()
            pushCount += 1
            steps.begin(["payload": payload] + params)
            records.take(host.session)
            host.session.params = params
            try host.session.push(payload, keepsBanner: keepsBanner)
            guard let shown = host.session.shown else { return }
            let known = host.session.earlier.map(\.id)
            pushes = pushes.filter { known.contains(.string($0.key)) }
            pushes[shown.id.string ?? ""] = ["payload": payload] + params
        }
        publishPicture()
    }

    func isEarlier(_ id: JSON) -> Bool { host?.session.earlier.contains { $0.id == id } == true }

    /// Makes an earlier banner the one with which something is done.
    func bringForward(_ id: JSON?) throws(ClientError) {
        guard let id, isEarlier(id) else { return }
        if let push = pushes[id.string ?? ""] { steps.begin(push) }
        try attempt { try $0.session.show(earlier: id) }
        choices.part = .banner
    }

    /// Does something with the notification that is shown.
    func change(_ method: String, _ params: MemberList) throws(ClientError) {
        guard host?.session.shown != nil else { return }
        problem = nil
        addWait()
        steps.add(method, params)
        try attempt { try $0.session.change(method, params) }
        // The next payload is a new notification.
        if host?.session.shown?.end != nil { choices.part = .banner }
        publishPicture()
    }

    /// Adds the time since the last step to the recorded ones if the extension changed something in it, as a timer does.
    func addWait() {
        if host?.session.changedByItself == true { steps.wait() }
    }

    private func filesMayHaveChanged(_ host: PreviewHost) throws {
        guard try host.watch.hasChanged(host.session) else { return }
        appFolder = nil
        // It knows the bundles as they were.
        localeSheet.stop()
        catalog = try Catalog(host.session.host)
        language.filesChanged(catalog.folders)
        if let profile = settings.profile, let text = try? PushFile(profile).text(), text != savedProfile {
            // A text that was typed in the page is kept, as changes of the payload are.
            if choices.profile == savedProfile { choices.profile = text }
            savedProfile = text
        }
        editor.readFileAgain()
        textChanged()
        try push()
    }

    /// Does something with a host, which is started if there is none and that is wanted.
    ///
    /// A failure is shown, and the preview goes on.
    ///
    /// - Throws: Only the signal that ends the preview.
    func attempt(startsHost: Bool = true, _ body: (PreviewHost) throws -> Void) throws(ClientError) {
        do {
            if host == nil, startsHost {
                hostCount += 1
                timeline.hostStarted()
                let started = try PreviewHost(
                    settings,
                    files: [editor.file, settings.profile].compactMap(\.self),
                    clock: choices.clock,
                    folder: folder.path,
                    data: "\(folder.path)/data-\(clearCount)",
                    number: hostCount,
                    signals: signals
                )
                host = started
                started.session.host.pastime = HostClient.Pastime(delay: 200, descriptors: [mailbox.descriptor]) {
                    [weak self] _, milliseconds throws(ClientError) in self?.pass(milliseconds) ?? false
                }
                windows.publish("host", [("isRunning", true)])
                language.use(started.session.host)
                catalog = try Catalog(started.session.host)
                language.filesChanged(catalog.folders)
            }
            defer { windows.publish("waiting", [("seconds", .null)]) }
            if let host { try body(host) }
        } catch let refusal as PushSession.Refusal {
            problem = Picture.Problem(refusal)
        } catch let finding as Choices.Problem {
            problem = Picture.Problem(message: finding.message)
        } catch let error as ClientError {
            try noteFailure(error)
        } catch {
            problem = Picture.Problem(message: "\(error)")
        }
        guard isStuck else { return }
        isStuck = false
        // It would work on the call for as long as it may, and the next one would wait for it.
        publishTimeline()
        stopHost()
    }

    /// Shows why the host cannot be used, and forgets it; the next push starts another one.
    private func noteFailure(_ error: ClientError) throws(ClientError) {
        switch error {
        case .interrupted: throw error
        case .refused(let refusal): problem = Picture.Problem(message: refusal.message)
        case .failed(let text):
            let message = host?.explain(text) ?? text
            publishTimeline()
            stopHost()
            problem = Picture.Problem(message: message)
            windows.append(timeline.failure(message))
            windows.publish("host", [("isRunning", false), ("problem", .string(message))])
            publishPicture()
        }
    }

    func stopHost() {
        language.use(nil)
        host?.stop(isHasty: true)
        host = nil
    }

    // MARK: What the windows show

    private func publishAll() throws(ClientError) {
        publishTimeline()
        publishPicture()
        publishEditor()
        guard let host else { return }
        records.take(host.session)
        if let news = records.news() {
            windows.publish("records", news + [("canClear", .bool(settings.dataFolder == nil))])
        }
        windows.publish("bundles", catalog.members)
        windows.publish("choices", choices.members(catalog.destinations))
        try publishSheet(host.session)
        guard records.isStale else { return }
        let destination = choices.destination ?? catalog.destinations[0]
        try attempt(startsHost: false) { host in
            windows.publish("flush", try records.dryRun(host.session.host, to: destination))
        }
        publishTimeline()
    }

    private func publishTimeline() {
        guard let host else { return }
        let entries = timeline.entries(host.tail.records(), catalog) + timeline.entries(ofLog: host.log.takeLines())
        windows.publish("lanes", timeline.laneMembers)
        windows.append(entries)
    }

    func publishPicture() {
        let shown = host?.session.shown
        let app = shown?.id == leftApp ? nil : shown?.application
        let bundle = catalog.folder(of: shown?.bundle)
        if bundle != appFolder {
            (appFolder, choices.app) = (bundle, bundle.map(AppIdentity.init))
            choices.languages = bundle.map { LocalizedStrings(folder: $0).languages } ?? []
        }
        choices.images = editor.file.map(LocalImages.folder)
        let picture = Picture(choices, settings)
        let members = picture.members(host?.session, last: &lastHTML, app: app, problem)
        let seen = [shown].compactMap(\.self) + (host?.session.earlier ?? [])
        let now = Clock.systemTime()
        times = seen.reduce(into: [:]) { $0[$1.id.string ?? ""] = times[$1.id.string ?? ""] ?? now }
        let arrived = seen.map { ["id": $0.id, "time": .integer(times[$0.id.string ?? ""] ?? now)] as JSON }
        windows.publish("picture", members + [("arrival", JSON(arrivals)), ("arrived", JSON(arrived))])
    }

    /// Shows pictures side by side, if that is chosen.
    private func publishSheet(_ session: PushSession) throws(ClientError) {
        if choices.sheet != .locales { localeSheet.stop() }
        guard choices.sheet != .none, let shown = session.shown else { return windows.publish("sheet", []) }
        var items = choices.sheet.drawn(shown, choices, settings)
        if choices.sheet == .locales, let payload = editor.payload {
            let bundle = catalog.folder(of: shown.bundle)
            items = try localeSheet.items(payload, bundle: bundle, choices, version: pushCount)
        }
        windows.publish("sheet", [("kind", .string(choices.sheet.rawValue)), ("items", JSON(items))])
    }

    /// Tells the windows and the language server of another text, before it is shown.
    func textChanged() {
        publishEditor()
        language.show(editor.text, editor.file, author: editor.author, edit: editor.edit)
    }

    private func publishEditor() {
        windows.publish("editor", editor.members)
        windows.publish("file", editor.fileMembers)
    }
}
