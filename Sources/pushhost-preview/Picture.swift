internal import JSON
internal import NotificationHTML
internal import Notifications
internal import PushClient

/// The live notification, as the windows show it.
struct Picture {
    /// Why there is none.
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

    private let choices: Choices
    private let renderer: HTMLRenderer

    init(_ choices: Choices, _ settings: PreviewSettings) {
        self.choices = choices
        var rendering = HTMLRenderer.Settings()
        rendering.scheme = choices.scheme
        rendering.parts = [choices.part]
        rendering.textSize = choices.textSize
        rendering.images = LocalImages(allowsRemote: settings.allowsRemoteImages).source
        rendering.isInteractive = true
        renderer = HTMLRenderer(rendering)
    }

    /// The message for the windows.
    func members(_ session: PushSession?, _ problem: Problem?) -> [(String, JSON)] {
        let shown = session?.shown
        let html = shown.map { renderer.figure($0, language: choices.locale.isEmpty ? nil : choices.locale) }
        let diagnostics = (problem?.diagnostics ?? []) + (session?.diagnostics ?? [])
        return [
            ("html", .string(html ?? "")), ("part", .string(choices.part.rawValue)),
            ("bundle", JSON(shown?.bundle)), ("problem", JSON(problem?.message)),
            ("diagnostics", JSON(diagnostics)),
        ]
    }
}
