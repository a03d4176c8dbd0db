internal import HostClient
internal import JSON
internal import Localization
internal import NotificationHTML
internal import Notifications
internal import Platform
internal import PushClient

/// Which pictures of the notification are shown side by side, each with the value of a choice.
enum Sheet: String {
    case none
    case schemes, textSizes, devices, locales

    /// The messages' list of pictures that need nothing but to be drawn.
    func drawn(_ shown: ShownNotification, _ choices: Choices, _ preview: PreviewSettings) -> [JSON] {
        func item(_ value: String, _ change: (inout Choices) -> Void) -> JSON {
            var choices = choices
            change(&choices)
            return Self.item(value, Picture(choices, preview, isInteractive: false).html(shown))
        }
        switch self {
        case .schemes: return [.light, .dark].map { scheme in item(scheme.rawValue) { $0.scheme = scheme } }
        case .textSizes: return TextSize.allCases.map { size in item(size.rawValue) { $0.textSize = size } }
        // The page knows the devices.
        case .devices: return [item("") { _ in }]
        case .none, .locales: return []
        }
    }

    static func item(_ value: String, _ html: String) -> JSON { ["value": .string(value), "html": .string(html)] }
}

/// A host that delivers the payload in each locale, with suites that nobody reads.
final class LocaleSheet {
    /// Pictures of more locales are not made.
    private static let limit = 60

    private let client: HostClient
    private let session: PushSession

    /// Starts the host; `data` is a folder for its suites.
    init(_ settings: PreviewSettings, clock: String, data: String, _ signals: SignalSource) throws(ClientError) {
        let own = ["--data", data] + (clock.isEmpty ? [] : ["--clock", clock])
        client = try HostClient(
            Program(path: settings.program, arguments: ["serve", "--no-control"] + own + settings.arguments),
            signals: signals
        )
        do throws(ClientError) {
            session = try PushSession(client)
        } catch {
            _ = client.stop(isHasty: true)
            throw error
        }
    }

    /// The locales of a bundle in a folder, sorted, and the one that is chosen.
    static func locales(of folder: String?, and chosen: String) -> [String] {
        let languages = folder.map { LocalizedStrings(folder: $0).languages } ?? []
        let names = Set(languages.filter { $0.lowercased() != "base" } + [chosen.isEmpty ? "en" : chosen])
        return Array(names.sorted().prefix(limit))
    }

    /// The messages' list of pictures; a locale in which the payload cannot be shown has the reason.
    func items(
        _ payload: JSON,
        _ locales: [String],
        _ choices: Choices,
        _ preview: PreviewSettings
    ) throws -> [JSON] {
        try locales.map { locale in
            var choices = choices
            choices.locale = locale
            session.params = try choices.params()
            do {
                try session.push(payload)
            } catch let refusal as PushSession.Refusal {
                return ["value": .string(locale), "problem": .string(refusal.message)]
            }
            let picture = Picture(choices, preview, isInteractive: false)
            return Sheet.item(locale, session.shown.map(picture.html) ?? "")
        }
    }

    /// Ends the host.
    func stop() { _ = client.stop(isHasty: true) }
}
