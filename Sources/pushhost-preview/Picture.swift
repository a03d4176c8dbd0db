internal import JSON
internal import NotificationHTML
internal import Notifications
internal import PushClient

/// The phone, as the windows show it.
struct Picture {
    /// Why there is no picture, or an old one.
    struct Problem {
        let message: String
        let diagnostics: [JSON]

        init(message: String) { (self.message, diagnostics) = (message, []) }

        /// A refusal, with what the extension wrote on its stderr, such as a traceback.
        init(_ refusal: PushSession.Refusal) {
            message = [refusal.message, refusal.standardError].filter { !$0.isEmpty }.joined(separator: "\n")
            diagnostics = refusal.diagnostics
        }
    }

    /// What is seen of the notification that was pushed last.
    private enum State: String {
        /// Nothing was pushed, or the push failed.
        case none
        case banner, expanded
        /// It has no alert.
        case silent
        /// It was opened, answered or cleared.
        case ended
    }

    private let language: String?
    private let part: HTMLRenderer.Part
    private let settings: HTMLRenderer.Settings

    /// A picture of these choices, in which what can be used is a control if it is interactive.
    init(_ choices: Choices, _ preview: PreviewSettings, isInteractive: Bool = true) {
        language = choices.locale.isEmpty ? nil : choices.locale
        part = choices.part
        var settings = HTMLRenderer.Settings()
        settings.scheme = choices.scheme
        settings.textSize = choices.textSize
        settings.images = LocalImages(allowsRemote: preview.allowsRemoteImages, standIns: choices.images).source
        settings.appName = choices.app?.name
        settings.appIcon = choices.app?.icon
        settings.isInteractive = isInteractive
        self.settings = settings
    }

    /// What is seen of a notification now: its banner, or all of it.
    func html(_ shown: ShownNotification) -> String { renderer(shown).figure(shown, language: language) }

    /// The same as a picture that stands alone.
    func svg(_ shown: ShownNotification) -> String {
        renderer(shown).svg([("", shown, language)], title: "Notification")
    }

    private func renderer(_ shown: ShownNotification) -> HTMLRenderer {
        var settings = settings
        settings.parts = [shown.isExpanded ? .expanded : .banner]
        return HTMLRenderer(settings)
    }

    /// The message for the windows, without its type.
    ///
    /// - Parameters:
    ///   - session: The session with the host; nil if there is none.
    ///   - last: What was seen last, which stays while a problem has taken its place; becomes what is seen now.
    ///   - app: With what the app was opened that is on the screen.
    ///   - problem: Why there is no newer picture.
    /// - Returns: The members.
    func members(_ session: PushSession?, last: inout String, app: JSON?, _ problem: Problem?) -> [(String, JSON)] {
        let shown = session?.shown
        let state: State =
            switch shown {
            case nil: .none
            case let shown? where shown.end != nil: .ended
            case let shown? where !shown.isExpanded: .banner
            case let shown?: shown.showsNothing ? .silent : .expanded
            }
        let isSeen = state == .banner || state == .expanded
        if let shown, isSeen { last = html(shown) }
        let html = isSeen || state == .none && problem != nil ? last : ""
        let ending = shown?.application == nil ? [shown?.end, shown?.opened].compactMap(\.self) : []
        let end = ending.joined(separator: " ")
        let earlier = session?.earlier.map { ["id": $0.id, "html": .string(self.html($0))] as JSON } ?? []
        let diagnostics = (problem?.diagnostics ?? []) + (session?.diagnostics ?? [])
        return [
            ("html", .string(html)), ("state", .string(state.rawValue)), ("id", shown?.id ?? .null),
            ("part", .string(part.rawValue)),
            ("end", state == .silent ? "The notification has no alert, so nothing is shown." : .string(end)),
            ("earlier", JSON(earlier)), ("app", app ?? .null), ("appName", JSON(settings.appName)),
            ("bundle", JSON(shown?.bundle)),
            ("problem", JSON(problem?.message)), ("diagnostics", JSON(diagnostics)),
        ]
    }
}
