public import Foundation
package import JSON

/// What else an action does.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Options of those bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The phone must be unlocked.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    /// The button is shown as destructive.
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    /// The button opens the app.
    public static let foreground = UNNotificationActionOptions(rawValue: 4)

    private static let words: [(String, UNNotificationActionOptions)] = [
        ("authenticationRequired", .authenticationRequired), ("destructive", .destructive),
        ("foreground", .foreground),
    ]

    init(wire: JSON?) {
        let given = wire?.array?.compactMap(\.string) ?? []
        self.init(Self.words.filter { given.contains($0.0) }.map(\.1))
    }

    var wire: JSON { JSON(Self.words.filter { contains($0.1) }.map { JSON.string($0.0) }) }
}

/// The icon of an action.
open class UNNotificationActionIcon: NSObject, NSCopying, @unchecked Sendable {
    let wire: JSON

    private init(_ name: String, _ value: String) { wire = .object(JSON.Object([(name, .string(value))])) }

    init?(wire: JSON?) {
        guard let wire, wire.object != nil else { return nil }
        self.wire = wire
    }

    /// An icon of the app.
    public convenience init(templateImageName: String) { self.init("templateImageName", templateImageName) }
    /// An icon of the system.
    public convenience init(systemImageName: String) { self.init("systemImageName", systemImageName) }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationActionIcon)?.wire == wire }
    open override var hash: Int { wire.description.hashValue }
}

/// A button of a notification.
open class UNNotificationAction: NSObject, NSCopying, @unchecked Sendable {
    /// The identifier that the response names.
    public let identifier: String
    /// The title.
    public let title: String
    /// What else it does.
    public let options: UNNotificationActionOptions
    /// The icon.
    public let icon: UNNotificationActionIcon?

    /// An action.
    public init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?
    ) {
        (self.identifier, self.title, self.options, self.icon) = (identifier, title, options, icon)
    }

    /// An action without an icon.
    public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.init(identifier: identifier, title: title, options: options, icon: nil)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationAction)?.wire == wire }
    open override var hash: Int { identifier.hashValue }

    /// The action that the host sent.
    package static func make(_ json: JSON) -> UNNotificationAction {
        let identifier = json["identifier"]?.string ?? ""
        let title = json["title"]?.string ?? ""
        let options = UNNotificationActionOptions(wire: json["options"])
        let icon = UNNotificationActionIcon(wire: json["icon"])
        guard let input = json["textInput"] else {
            return UNNotificationAction(identifier: identifier, title: title, options: options, icon: icon)
        }
        return UNTextInputNotificationAction(
            identifier: identifier,
            title: title,
            options: options,
            icon: icon,
            textInputButtonTitle: input["buttonTitle"]?.string ?? "",
            textInputPlaceholder: input["placeholder"]?.string ?? ""
        )
    }

    var textInput: JSON? { nil }

    /// The action as on the wire.
    package var wire: JSON {
        let members: [(String, JSON?)] = [
            ("identifier", .string(identifier)), ("title", .string(title)), ("options", options.wire),
            ("textInput", textInput), ("icon", icon?.wire),
        ]
        return .object(JSON.Object(members.compactMap { name, value in value.map { (name, $0) } }))
    }
}

/// A button of a notification that asks for a text.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
    /// The title of the button that sends the text.
    public let textInputButtonTitle: String
    /// What the empty field shows.
    public let textInputPlaceholder: String

    /// An action.
    public init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?,
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        (self.textInputButtonTitle, self.textInputPlaceholder) = (textInputButtonTitle, textInputPlaceholder)
        super.init(identifier: identifier, title: title, options: options, icon: icon)
    }

    /// An action without an icon.
    public convenience init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        self.init(
            identifier: identifier,
            title: title,
            options: options,
            icon: nil,
            textInputButtonTitle: textInputButtonTitle,
            textInputPlaceholder: textInputPlaceholder
        )
    }

    override var textInput: JSON? {
        ["buttonTitle": .string(textInputButtonTitle), "placeholder": .string(textInputPlaceholder)]
    }
}

/// What else a category says.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Options of those bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A swipe is a response too.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
    /// It may be shown in a car.
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
    /// The title is shown although previews are hidden.
    public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 4)
    /// The subtitle is shown although previews are hidden.
    public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 8)
    /// It is read out.
    public static let allowAnnouncement = UNNotificationCategoryOptions(rawValue: 16)
}

/// A kind of notification, with its buttons.
open class UNNotificationCategory: NSObject, NSCopying, @unchecked Sendable {
    /// The identifier.
    public let identifier: String
    /// The buttons.
    public let actions: [UNNotificationAction]
    /// The intents that it belongs to.
    public let intentIdentifiers: [String]
    /// What else it says.
    public let options: UNNotificationCategoryOptions
    /// The text in place of a hidden body.
    public let hiddenPreviewsBodyPlaceholder: String
    /// The text that summarizes several.
    public let categorySummaryFormat: String

    /// A category.
    public init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String?,
        categorySummaryFormat: String?,
        options: UNNotificationCategoryOptions = []
    ) {
        (self.identifier, self.actions) = (identifier, actions)
        (self.intentIdentifiers, self.options) = (intentIdentifiers, options)
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
        self.categorySummaryFormat = categorySummaryFormat ?? ""
    }

    /// A category.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String,
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier,
            actions: actions,
            intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder,
            categorySummaryFormat: nil,
            options: options
        )
    }

    /// A category.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier,
            actions: actions,
            intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: nil,
            categorySummaryFormat: nil,
            options: options
        )
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationCategory else { return false }
        return identifier == other.identifier && actions == other.actions && options == other.options
    }
    open override var hash: Int { identifier.hashValue }
}
