public import JSON
internal import JSONRPC
internal import Localization
internal import Platform

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The interface of one presentation to the host: Apple's `NSExtensionContext` and the suite of Braze's guide in one.
///
/// - Important: Use it only on the main thread, during a call of the host.
public final class ExtensionContext {
    /// The id of the presentation: the member `notification` of each request to the host.
    private let notification: String
    private let host: HostConnection
    /// The presentation's own random generator; seeded if the host has a seed.
    public var random: PresentationRandom

    /// The locale of the newest notification, or the host's locale if the notification names none.
    public internal(set) var locale: String
    /// The texts for the locale by key.
    var texts: JSON

    /// The view that the host shows; it stays until it is set again, and `nil` keeps what is shown.
    public var view: View? { didSet { viewChanged = true } }
    /// The buttons; initially those of the notification's category.
    public var notificationActions: [NotificationAction] = [] { didSet { actionsChanged = true } }
    /// The title that replaces the notification's title; `nil` keeps what is shown.
    ///
    /// The host shows it only if the `Info.plist` sets `UNNotificationExtensionOverridesDefaultTitle`.
    public var title: String? { didSet { titleChanged = true } }
    /// The system's button that plays and pauses media; none until it is set, and `nil` keeps what is shown.
    public var media: MediaButton? { didSet { mediaChanged = true } }

    /// The absolute URL that the app opens if the current response is forwarded to it.
    ///
    /// It is reset after the call. Needs a host of version 1.1 of the contract.
    public var applicationURL: String?

    /// The diagnostics of the current call, which its reply returns.
    private(set) var diagnostics: [JSON] = []
    private var viewChanged = false
    private var actionsChanged = false
    private var titleChanged = false
    private var mediaChanged = false
    /// What the host shows, which is restored if a call is refused.
    private var shown: Shown

    private struct Shown {
        var view: View?
        var actions: [NotificationAction] = []
        var title: String?
        var media: MediaButton?
        var locale: String
        var texts: JSON
    }

    init(notification: String, host: HostConnection) {
        self.notification = notification
        self.host = host
        (locale, texts) = (host.locale, host.texts)
        shown = Shown(locale: locale, texts: texts)
        random = PresentationRandom(seed: host.seed, notification: notification)
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
        guard let text = texts[key].flatMap(LocalizedText.init) else {
            host.warnOfMissingText(forKey: key, locale: locale)
            return key
        }
        return text.filled(arguments.map(\.description)).text
    }

    /// Reports in the reply of a call what was left out or changed although the call succeeded.
    ///
    /// If the call throws, the diagnostic is dropped: the error says what is wrong.
    ///
    /// - Parameters:
    ///   - reason: A stable word for programs.
    ///   - message: One sentence for people.
    public func addDiagnostic(reason: String, _ message: String) {
        diagnostics.append(["reason": .string(reason), "message": .string(message)])
    }

    // MARK: Saving

    /// Saves a custom event; on return it survives a power loss.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - properties: Its properties.
    /// - Throws: ``ExtensionError`` if it is not stored; with the reason `invalidRecord` if a number is not finite.
    public func saveCustomEvent(_ name: String, properties: JSON.Object = [:]) throws(ExtensionError) {
        let properties: JSON? = properties.isEmpty ? nil : .object(properties)
        try request("saveCustomEvent", ["name": .string(name), "properties": properties])
    }

    /// Saves a custom attribute; on return it survives a power loss.
    ///
    /// - Parameters:
    ///   - key: The attribute's key.
    ///   - value: Its value; `null` removes it from the profile.
    ///   - merge: Whether an object is merged into the current one instead of replacing it.
    /// - Throws: ``ExtensionError`` if it is not stored.
    public func saveCustomAttribute(_ key: String, _ value: JSON, merge: Bool = false) throws(ExtensionError) {
        let value: JSON = merge ? ["$merge": value] : value
        try request("saveCustomAttribute", ["key": .string(key), "value": value])
    }

    /// Saves a standard field of the user's profile; on return it survives a power loss.
    ///
    /// - Parameters:
    ///   - field: The field, such as `email`.
    ///   - value: Its value.
    /// - Throws: ``ExtensionError`` if it is not stored.
    public func saveUserAttribute(_ field: String, _ value: JSON) throws(ExtensionError) {
        try request("saveUserAttribute", ["field": .string(field), "value": value])
    }

    // MARK: Storage

    /// Sets the value of a key in the extension's suite.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    /// - Throws: ``ExtensionError`` if it is not stored.
    public func store(_ value: JSON, forKey key: String) throws(ExtensionError) {
        try request("store", ["key": .string(key), "value": value])
    }

    /// The value of a key in the extension's suite, or `nil` if the key has no value.
    public func retrieve(forKey key: String) throws(ExtensionError) -> JSON? {
        guard let value = try request("retrieve", ["key": .string(key)])["value"], !value.isNull else { return nil }
        return value
    }

    /// Removes a key and its value from the extension's suite.
    public func removeObject(forKey key: String) throws(ExtensionError) {
        try request("removeObject", ["key": .string(key)])
    }

    // MARK: The notification

    /// Opens the app as a tap on the notification does, and dismisses the notification.
    ///
    /// - Parameter url: The absolute URL that the app opens. Needs a host of version 1.1 of the contract.
    /// - Throws: ``ExtensionError`` if the host refuses the URL.
    public func performNotificationDefaultAction(url: String? = nil) throws(ExtensionError) {
        try request("performNotificationDefaultAction", ["url": url.map(JSON.string)])
    }

    /// Dismisses the notification.
    public func dismissNotificationContentExtension() throws(ExtensionError) {
        try request("dismissNotificationContentExtension", [:])
    }

    /// Reports that media started to play, unless the media button started it.
    public func mediaPlayingStarted() throws(ExtensionError) { try request("mediaPlayingStarted", [:]) }

    /// Reports that media stopped playing, unless the media button stopped it.
    public func mediaPlayingPaused() throws(ExtensionError) { try request("mediaPlayingPaused", [:]) }

    @discardableResult
    private func request(_ method: String, _ params: MemberList) throws(ExtensionError) -> JSON {
        try host.request(method, JSON(present: ["notification": .string(notification)] + params))
    }

    // MARK: The answer

    /// Sets the buttons that the category offers before the author's code runs.
    func setOfferedActions(_ actions: [NotificationAction]) {
        notificationActions = actions
        actionsChanged = false
        shown.actions = actions
    }

    /// Returns what the call changed, as members of its result; after that, it is what the host shows.
    ///
    /// - Throws: An error if the changes cannot be written; they stay then.
    func takeChanges() throws(RPCError) -> MemberList {
        let members: MemberList = [
            "view": viewChanged ? view?.json : nil,
            "actions": actionsChanged ? JSON(notificationActions.map(\.json)) : nil,
            "title": titleChanged ? title.map(JSON.string) : nil, "media": mediaChanged ? media?.json : nil,
        ]
        try JSON(present: members).requireFinite()
        shown = Shown(
            view: view ?? shown.view,
            actions: notificationActions,
            title: title ?? shown.title,
            media: media ?? shown.media,
            locale: locale,
            texts: texts
        )
        resetToShown()
        return members
    }

    /// Gives the properties the values that the host shows, and removes the URL and the diagnostics of the call.
    func resetToShown() {
        (view, notificationActions, title, media) = (shown.view, shown.actions, shown.title, shown.media)
        (viewChanged, actionsChanged, titleChanged, mediaChanged) = (false, false, false, false)
        (applicationURL, diagnostics) = (nil, [])
        (locale, texts) = (shown.locale, shown.texts)
    }
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
