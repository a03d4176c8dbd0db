internal import JSON
internal import JSONRPC
internal import Platform
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The interface of one presentation to the host: Apple's `NSExtensionContext` and the suite of Braze's guide in one.
///
/// A value that is set during a call of the host is sent with the reply, and is reset if the call fails. A view or buttons
/// that are set between calls are shown at once. Any thread may use the context; what it sends from another thread than the
/// main one is sent between calls, or while the main thread waits for the host or for a completion.
public final class ExtensionContext: Sendable {
    /// The id of the presentation: the member `notification` of each request to the host.
    private let notification: String
    private let host: HostConnection
    private let state: Mutex<State>

    /// What the author sets and the host shows, and what belongs to the newest notification.
    private struct Values {
        var view: View?
        var actions: [NotificationAction] = []
        var title: String?
        var media: MediaButton?
        var locale: String
        var texts: JSON
    }

    private struct State {
        var values: Values
        /// What the host shows, which is restored if a call is refused.
        var shown: Values
        /// The values that were set since the last reply, by their names on the wire.
        var changed: Set<String> = []
        var random: PresentationRandom
        var applicationURL: String?
        var diagnostics: [JSON] = []
        /// The context is created during the first call about its notification.
        var isInCall = true

        mutating func endCall() {
            (values, changed) = (shown, [])
            (applicationURL, diagnostics, isInCall) = (nil, [], false)
        }
    }

    init(notification: String, host: HostConnection) {
        self.notification = notification
        self.host = host
        let values = Values(locale: host.locale, texts: host.texts)
        let random = PresentationRandom(seed: host.seed, notification: notification)
        state = Mutex(State(values: values, shown: values, random: random))
    }

    /// The presentation's own random generator; seeded if the host has a seed.
    public var random: PresentationRandom {
        get { state.withLock(\.random) }
        set { state.withLock { $0.random = newValue } }
    }

    /// The locale of the newest notification, or the host's locale if the notification names none.
    public var locale: String { state.withLock(\.values.locale) }

    /// The view that the host shows; it stays until it is set again, and `nil` keeps what is shown.
    public var view: View? {
        get { state.withLock(\.values.view) }
        set { change("view", newValue?.json, by: "setView") { $0.view = newValue } }
    }

    /// The buttons; initially those of the notification's category.
    public var notificationActions: [NotificationAction] {
        get { state.withLock(\.values.actions) }
        set {
            let json = JSON(newValue.map(\.json))
            change("actions", json, by: "setNotificationActions") { $0.actions = newValue }
        }
    }

    /// The title that replaces the notification's title; `nil` keeps what is shown.
    ///
    /// The host shows it only if the `Info.plist` sets `UNNotificationExtensionOverridesDefaultTitle`.
    public var title: String? {
        get { state.withLock(\.values.title) }
        set { change("title") { $0.title = newValue } }
    }

    /// The system's button that plays and pauses media; none until it is set, and `nil` keeps what is shown.
    public var media: MediaButton? {
        get { state.withLock(\.values.media) }
        set { change("media") { $0.media = newValue } }
    }

    /// The absolute URL that the app opens if the current response is forwarded to it.
    ///
    /// It is reset after the call. Needs a host of version 1.1 of the contract.
    public var applicationURL: String? {
        get { state.withLock(\.applicationURL) }
        set { state.withLock { $0.applicationURL = newValue } }
    }

    /// The current time; if the host's clock is fixed, its time, which each reading advances by one millisecond.
    public var now: Date { host.now }

    /// A text of the bundle's table `Localizable`, in the locale of the notification.
    ///
    /// The host chooses the language and sends the texts, as it does for the `loc-key` of a payload. Of a plural, the
    /// number in an argument chooses the form. Needs a host of version 1.2 of the contract.
    ///
    /// - Parameters:
    ///   - key: The text's key.
    ///   - arguments: The values for the placeholders of the text: `%@`, or `%1$@` for the first.
    /// - Returns: The text. If no text is found, the key, and the host logs a warning.
    public func localizedString(forKey key: String, _ arguments: any CustomStringConvertible...) -> String {
        let (texts, locale) = state.withLock { ($0.values.texts, $0.values.locale) }
        return host.text(forKey: key, arguments.map(\.description), in: texts, locale: locale)
    }

    /// Reports in the reply of a call what was left out or changed although the call succeeded.
    ///
    /// If the call throws, the diagnostic is dropped: the error says what is wrong.
    ///
    /// - Parameters:
    ///   - reason: A stable word for programs.
    ///   - message: One sentence for people.
    public func addDiagnostic(reason: String, _ message: String) {
        let diagnostic: JSON = ["reason": .string(reason), "message": .string(message)]
        state.withLock { $0.diagnostics.append(diagnostic) }
    }

    /// Writes into the host's log.
    ///
    /// - Parameters:
    ///   - level: The severity.
    ///   - message: One sentence for people.
    public func log(_ level: LogLevel, _ message: String) { host.log(level, message, about: notification) }

    @discardableResult
    func request(_ method: String, _ params: MemberList) throws(ExtensionError) -> JSON {
        try host.request(method, JSON(present: ["notification": .string(notification)] + params))
    }

    // MARK: The answer

    /// Sets a value; between calls it is sent with that method, or with the next reply.
    private func change(
        _ name: String,
        _ json: JSON? = nil,
        by method: String? = nil,
        _ set: @Sendable (inout Values) -> Void
    ) {
        let method = state.withLock { state -> String? in
            set(&state.values)
            guard !state.isInCall, json != nil, let method else {
                state.changed.insert(name)
                return nil
            }
            set(&state.shown)
            return method
        }
        guard let method, let json else { return }
        host.notify(method, ["notification": .string(notification), name: json])
    }

    /// Sets the buttons that the category offers before the author's code runs.
    func setOfferedActions(_ actions: [NotificationAction]) {
        state.withLock { ($0.values.actions, $0.shown.actions) = (actions, actions) }
    }

    /// Sets what belongs to a new notification, before the author's code runs.
    func setLocale(_ locale: String, texts: JSON) {
        state.withLock { ($0.values.locale, $0.values.texts) = (locale, texts) }
    }

    func beginCall() { state.withLock { $0.isInCall = true } }

    /// The diagnostics of the current call, which its reply returns.
    var diagnostics: [JSON] { state.withLock(\.diagnostics) }

    /// Returns what the call changed, as members of its result; after that, it is what the host shows.
    ///
    /// - Throws: An error if the changes cannot be written; the call is not over then.
    func takeChanges() throws(RPCError) -> MemberList {
        try state.withLock { state throws(RPCError) in
            let (values, changed, earlier) = (state.values, state.changed, state.shown)
            func member(_ name: String, _ json: JSON?) -> JSON? { changed.contains(name) ? json : nil }
            let members: MemberList = [
                "view": member("view", values.view?.json),
                "actions": member("actions", JSON(values.actions.map(\.json))),
                "title": member("title", values.title.map(JSON.string)), "media": member("media", values.media?.json),
            ]
            try JSON(present: members).requireFinite()
            state.shown = values
            // What is set to nil stays as it is shown.
            state.shown.view = values.view ?? earlier.view
            state.shown.title = values.title ?? earlier.title
            state.shown.media = values.media ?? earlier.media
            state.endCall()
            return members
        }
    }

    /// Gives the properties the values that the host shows, and removes the URL and the diagnostics of the call.
    func endCall() { state.withLock { $0.endCall() } }
}

extension Date {
    /// The time as on the wire.
    var timestamp: String { Timestamp.format(Int64((timeIntervalSince1970 * 1_000).rounded())) }
}

/// The random generator of one presentation; with a seed it depends on the notification only, not on earlier ones.
public struct PresentationRandom: RandomNumberGenerator, Sendable {
    private var generator: RandomGenerator

    init(seed: UInt64?, notification: String) {
        // FNV-1a, since Swift's own hashes differ from run to run.
        let mixed = seed.map { seed in
            notification.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        generator = RandomGenerator(seed: mixed)
    }

    /// The next number (SplitMix64).
    public mutating func next() -> UInt64 { generator.next() }
}

/// An error with which an extension refuses a call, which the caller receives unchanged, or the host a request of the
/// extension.
public struct ExtensionError: Error, Equatable, Sendable {
    /// A stable word for programs.
    public let reason: String
    /// One sentence for people: what is wrong and what is needed.
    public let message: String
    /// A JSON Pointer to the part of the request that is wrong.
    public let path: String?

    /// An error with that reason.
    public init(reason: String, _ message: String, path: String? = nil) {
        self.reason = reason
        self.message = message
        self.path = path
    }

    /// The error of a host that refused a request of the extension.
    init(_ error: RPCError) {
        self.init(reason: error.reason ?? "hostError", error.message, path: error.data?["path"]?.string)
    }

    /// The code of every such error; the reason distinguishes them.
    private static let code = RPCError.Code(rawValue: 1)

    var wireError: RPCError { RPCError(Self.code, reason: reason, message, path: path) }
}
