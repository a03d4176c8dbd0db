public import Foundation
public import JSON
internal import Localization

/// What one presentation shows and saves through; Apple's `NSExtensionContext` and the guide's suite in one.
///
/// - Important: Used by the main thread, within a call of the host.
public final class ExtensionContext {
    /// The presentation, which each call to the host names.
    private let notification: String
    private let host: HostConnection
    /// Chance of the presentation's own; fixed where the host's is.
    public var random: PresentationRandom

    /// The locale of the newest notification; the host's where that names none.
    public internal(set) var locale: String

    /// What is shown; the host keeps showing it until it is set again.
    public var view: View? { didSet { viewChanged = true } }
    /// The buttons that are offered; the category's until they are set.
    public var notificationActions: [NotificationAction] = [] { didSet { actionsChanged = true } }
    /// What stands in place of the notification's title.
    ///
    /// The host shows it only where the `Info.plist` sets `UNNotificationExtensionOverridesDefaultTitle`.
    public var title: String? { didSet { titleChanged = true } }
    /// The system's button that plays and pauses media; none until it is set.
    public var media: MediaButton? { didSet { mediaChanged = true } }

    /// What the app is to open, if the response that is handled forwards: an absolute URL.
    ///
    /// It is forgotten when the call is over. Needs a host of version 1.1 of the contract.
    public var applicationURL: String?

    /// What the call remarks, each as a diagnostic of its answer.
    private var diagnostics: [JSON] = []
    private var viewChanged = false
    private var actionsChanged = false
    private var titleChanged = false
    private var mediaChanged = false
    /// What the host shows: what a refused call goes back to.
    private var shown: Shown

    private struct Shown {
        var view: View?
        var actions: [NotificationAction] = []
        var title: String?
        var media: MediaButton?
        var locale: String
    }

    init(notification: String, host: HostConnection) {
        self.notification = notification
        self.host = host
        locale = host.locale
        shown = Shown(locale: host.locale)
        random = PresentationRandom(seed: host.seed, notification: notification)
    }

    /// The time: the host's where that is fixed.
    public var now: Date { host.now }

    /// A text of the bundle's `<lang>.lproj/Localizable.strings`, in the locale of the notification.
    ///
    /// The first of these that has the key counts: the folder of the locale; of the locale with fewer subtags; of
    /// `CFBundleDevelopmentRegion`; `Base`. The host resolves the `loc-key` of a payload in the same way.
    ///
    /// - Parameters:
    ///   - key: The text's key.
    ///   - arguments: What goes into the places of the text: `%@`, or `%1$@` for the first.
    /// - Returns: The text; the key itself where there is none, which the host's log then says.
    public func localizedString(forKey key: String, _ arguments: String...) -> String {
        let finding = host.localizedStrings.find(key, locale: locale)
        guard let format = finding.text else {
            host.warn(ofMissingText: key, finding, locale: locale)
            return key
        }
        return TextFormat(format, arguments).text
    }

    /// Says in the reply to the client what was left out or changed, though the call succeeds.
    ///
    /// A call that throws forgets it: its error says what is wrong.
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
    /// - Throws: ``ExtensionError`` when it is not stored.
    public func saveCustomEvent(_ name: String, properties: JSON.Object = JSON.Object([])) throws(ExtensionError) {
        let properties: [(String, JSON)] = properties.isEmpty ? [] : [("properties", .object(properties))]
        try request("saveCustomEvent", [("name", .string(name))] + properties)
    }

    /// Saves a custom attribute; on return it survives a power loss.
    ///
    /// - Parameters:
    ///   - key: The attribute's key.
    ///   - value: Its value; `null` removes it from the profile.
    /// - Throws: ``ExtensionError`` when it is not stored.
    public func saveCustomAttribute(_ key: String, _ value: JSON) throws(ExtensionError) {
        try request("saveCustomAttribute", [("key", .string(key)), ("value", value)])
    }

    /// Saves a standard field of the user's profile; on return it survives a power loss.
    ///
    /// - Parameters:
    ///   - field: The field, such as `email`.
    ///   - value: Its value.
    /// - Throws: ``ExtensionError`` when it is not stored.
    public func saveUserAttribute(_ field: String, _ value: JSON) throws(ExtensionError) {
        try request("saveUserAttribute", [("field", .string(field)), ("value", value)])
    }

    // MARK: Storage

    /// Sets the value of a key in the extension's suite.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key.
    /// - Throws: ``ExtensionError`` when it is not stored.
    public func store(_ value: JSON, forKey key: String) throws(ExtensionError) {
        try request("store", [("key", .string(key)), ("value", value)])
    }

    /// The value of a key in the extension's suite, or `nil` where there is none.
    public func retrieve(forKey key: String) throws(ExtensionError) -> JSON? {
        guard let value = try request("retrieve", [("key", .string(key))])["value"], !value.isNull else { return nil }
        return value
    }

    /// Removes a key and its value from the extension's suite.
    public func removeObject(forKey key: String) throws(ExtensionError) {
        try request("removeObject", [("key", .string(key))])
    }

    // MARK: The notification

    /// Opens the app as if the notification was tapped; the notification goes.
    ///
    /// - Parameter url: What the app is to open: an absolute URL. Needs a host of version 1.1 of the contract.
    /// - Throws: ``ExtensionError`` if the host refuses the URL.
    public func performNotificationDefaultAction(url: String? = nil) throws(ExtensionError) {
        try request("performNotificationDefaultAction", url.map { [("url", .string($0))] } ?? [])
    }

    /// Dismisses the notification.
    public func dismissNotificationContentExtension() throws(ExtensionError) {
        try request("dismissNotificationContentExtension", [])
    }

    /// Tells that media began to play, where that was not the button's doing.
    public func mediaPlayingStarted() throws(ExtensionError) { try request("mediaPlayingStarted", []) }

    /// Tells that media stopped playing, where that was not the button's doing.
    public func mediaPlayingPaused() throws(ExtensionError) { try request("mediaPlayingPaused", []) }

    @discardableResult
    private func request(_ method: String, _ params: [(String, JSON)]) throws(ExtensionError) -> JSON {
        try host.request(method, .object(JSON.Object([("notification", .string(notification))] + params)))
    }

    // MARK: The answer

    /// Takes the buttons that are offered before the author's code runs.
    func offer(_ actions: [NotificationAction]) {
        notificationActions = actions
        actionsChanged = false
        shown.actions = actions
    }

    /// What a call changed, as the members of its result.
    func takeChanges() -> [(String, JSON)] {
        var members: [(String, JSON)] = []
        if viewChanged, let view { members.append(("view", view.json)) }
        if actionsChanged { members.append(("actions", JSON(notificationActions.map(\.json)))) }
        if titleChanged, let title { members.append(("title", .string(title))) }
        if mediaChanged, let media { members.append(("media", media.json)) }
        shown = Shown(view: view, actions: notificationActions, title: title, media: media, locale: locale)
        forgetChanges()
        return members
    }

    /// The diagnostics of the call.
    func takeDiagnostics() -> [JSON] {
        defer { diagnostics = [] }
        return diagnostics
    }

    /// Goes back to what the host shows.
    func forgetChanges() {
        (view, notificationActions, title, media) = (shown.view, shown.actions, shown.title, shown.media)
        (viewChanged, actionsChanged, titleChanged, mediaChanged) = (false, false, false, false)
        (applicationURL, diagnostics) = (nil, [])
        locale = shown.locale
    }
}
