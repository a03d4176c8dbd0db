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

/// Delivers the payload in each locale, by a host of its own whose suites nobody reads.
final class LocaleSheet {
    /// Pictures of more locales are not made.
    private static let limit = 60

    private let settings: PreviewSettings
    private let folder: String
    private let signals: SignalSource
    private var host: (client: HostClient, session: PushSession, clock: String)?
    /// The last pictures, and of what they are.
    private var last: (key: String, items: [JSON])?

    /// Starts nothing yet; the suites will be in the folder.
    init(_ settings: PreviewSettings, folder: String, _ signals: SignalSource) {
        (self.settings, self.folder, self.signals) = (settings, folder, signals)
    }

    /// The messages' list of pictures in all locales of a bundle and the chosen one, sorted.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - bundle: The folder of the bundle that shows it; nil if the system does.
    ///   - choices: The choices for all pictures.
    ///   - version: Changes with the payload.
    /// - Returns: The pictures; a locale in which the payload cannot be shown has the reason instead.
    /// - Throws: Only the signal that ends the preview.
    func items(_ payload: JSON, bundle: String?, _ choices: Choices, version: Int) throws(ClientError) -> [JSON] {
        let languages = bundle.map { LocalizedStrings(folder: $0).languages } ?? []
        let chosen = choices.locale.isEmpty ? "en" : choices.locale
        let all = Set(languages.filter { $0.lowercased() != "base" } + [chosen]).sorted().prefix(Self.limit)
        let key = "\(version) \(choices.part) \(choices.scheme) \(choices.textSize) \(choices.clock) \(all)"
        if let last, last.key == key { return last.items }
        do throws(ClientError) {
            let items = try deliver(payload, Array(all), choices)
            last = (key, items)
            return items
        } catch {
            if case .interrupted = error { throw error }
            stop()
            return all.map { ["value": .string($0), "problem": .string(error.text)] }
        }
    }

    private func deliver(_ payload: JSON, _ locales: [String], _ choices: Choices) throws(ClientError) -> [JSON] {
        let session = try session(clock: choices.clock)
        var items: [JSON] = []
        for locale in locales {
            var choices = choices
            choices.locale = locale
            do {
                session.params = try choices.params()
                try session.push(payload)
                let picture = Picture(choices, settings, isInteractive: false)
                items.append(Sheet.item(locale, session.shown.map(picture.html) ?? ""))
            } catch let error as ClientError {
                throw error
            } catch {
                let text = (error as? PushSession.Refusal)?.message ?? (error as? Choices.Problem)?.message
                items.append(["value": .string(locale), "problem": .string(text ?? "\(error)")])
            }
        }
        return items
    }

    private func session(clock: String) throws(ClientError) -> PushSession {
        if let host, host.clock == clock { return host.session }
        stop()
        let own = ["--data", folder] + (clock.isEmpty ? [] : ["--clock", clock])
        let program = Program(
            path: settings.program,
            arguments: ["serve", "--no-control"] + own + settings.arguments
        )
        let client = try HostClient(program, signals: signals)
        do throws(ClientError) {
            let session = try PushSession(client)
            host = (client, session, clock)
            return session
        } catch {
            _ = client.stop(isHasty: true)
            throw error
        }
    }

    /// Ends the host, if there is one; the next pictures start another one.
    func stop() {
        _ = host?.client.stop(isHasty: true)
        (host, last) = (nil, nil)
    }
}
