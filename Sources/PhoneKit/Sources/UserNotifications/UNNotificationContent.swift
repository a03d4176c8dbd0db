@_exported public import Foundation
@_exported public import FoundationNetworking
package import JSON
import PhoneRuntime

/// The content of a notification.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    struct Values {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var launchImageName = ""
        var userInfo: [AnyHashable: Any] = [:]
        var attachments: [UNNotificationAttachment] = []
        var categoryIdentifier = ""
        var threadIdentifier = ""
        var targetContentIdentifier: String?
        var interruptionLevel = UNNotificationInterruptionLevel.active
        var relevanceScore = 0.0
        var filterCriteria: String?
        var summaryArgument = ""
        var summaryArgumentCount = 0
    }

    var values = Values()
    /// The content as the host sent it, so that only changes are sent back.
    var original: JSON.Object?

    /// An empty content.
    public override init() {}

    open var title: String { values.title }
    open var subtitle: String { values.subtitle }
    open var body: String { values.body }
    open var badge: NSNumber? { values.badge }
    open var sound: UNNotificationSound? { values.sound }
    open var launchImageName: String { values.launchImageName }
    open var userInfo: [AnyHashable: Any] { values.userInfo }
    open var attachments: [UNNotificationAttachment] { values.attachments }
    open var categoryIdentifier: String { values.categoryIdentifier }
    open var threadIdentifier: String { values.threadIdentifier }
    open var targetContentIdentifier: String? { values.targetContentIdentifier }
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
    open var relevanceScore: Double { values.relevanceScore }
    open var filterCriteria: String? { values.filterCriteria }
    open var summaryArgument: String { values.summaryArgument }
    open var summaryArgumentCount: Int { values.summaryArgumentCount }

    open func copy(with zone: NSZone? = nil) -> Any { copy(as: UNNotificationContent()) }
    open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(as: UNMutableNotificationContent()) }

    private func copy(as copy: UNNotificationContent) -> UNNotificationContent {
        (copy.values, copy.original) = (values, original)
        return copy
    }

    /// The content with what an intent says, such as the sender of a message; of a mutable content a mutable one.
    open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        let updated = UNMutableNotificationContent()
        (updated.values, updated.original) = (values, original)
        provider.update(updated)
        return self is UNMutableNotificationContent ? updated : updated.copy(as: UNNotificationContent())
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationContent else { return false }
        return JSON.object(JSON.Object(members)) == JSON.object(JSON.Object(other.members))
    }

    open override var hash: Int { values.title.hashValue ^ values.body.hashValue }
}

/// How a notification may interrupt.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    case passive
    case active
    case timeSensitive
    case critical

    private static let words: [UNNotificationInterruptionLevel: String] = [
        .passive: "passive", .active: "active", .timeSensitive: "time-sensitive", .critical: "critical",
    ]

    var word: String { Self.words[self] ?? "active" }

    init?(word: String) {
        guard let level = Self.words.first(where: { $0.value == word })?.key else { return nil }
        self = level
    }
}

/// The content of a notification that can be changed.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    open override var title: String {
        get { values.title }
        set { values.title = newValue }
    }
    open override var subtitle: String {
        get { values.subtitle }
        set { values.subtitle = newValue }
    }
    open override var body: String {
        get { values.body }
        set { values.body = newValue }
    }
    open override var badge: NSNumber? {
        get { values.badge }
        set { values.badge = newValue }
    }
    open override var sound: UNNotificationSound? {
        get { values.sound }
        set { values.sound = newValue }
    }
    open override var launchImageName: String {
        get { values.launchImageName }
        set { values.launchImageName = newValue }
    }
    open override var userInfo: [AnyHashable: Any] {
        get { values.userInfo }
        set { values.userInfo = newValue }
    }
    open override var attachments: [UNNotificationAttachment] {
        get { values.attachments }
        set { values.attachments = newValue }
    }
    open override var categoryIdentifier: String {
        get { values.categoryIdentifier }
        set { values.categoryIdentifier = newValue }
    }
    open override var threadIdentifier: String {
        get { values.threadIdentifier }
        set { values.threadIdentifier = newValue }
    }
    open override var targetContentIdentifier: String? {
        get { values.targetContentIdentifier }
        set { values.targetContentIdentifier = newValue }
    }
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { values.interruptionLevel }
        set { values.interruptionLevel = newValue }
    }
    open override var relevanceScore: Double {
        get { values.relevanceScore }
        set { values.relevanceScore = newValue }
    }
    open override var filterCriteria: String? {
        get { values.filterCriteria }
        set { values.filterCriteria = newValue }
    }
    open override var summaryArgument: String {
        get { values.summaryArgument }
        set { values.summaryArgument = newValue }
    }
    open override var summaryArgumentCount: Int {
        get { values.summaryArgumentCount }
        set { values.summaryArgumentCount = newValue }
    }
}

// MARK: The wire

extension UNNotificationContent {
    /// The content that the host sent.
    package convenience init(_ json: JSON) {
        self.init()
        original = json.object
        values.title = json["title"]?.string ?? ""
        values.subtitle = json["subtitle"]?.string ?? ""
        values.body = json["body"]?.string ?? ""
        values.badge = json["badge"]?.integer.map { NSNumber(value: $0) }
        values.sound = json["sound"].flatMap(UNNotificationSound.init(wire:))
        values.launchImageName = json["launchImageName"]?.string ?? ""
        values.userInfo = json["userInfo"]?.object?.foundationDictionary ?? [:]
        values.attachments = json["attachments"]?.array?.compactMap(UNNotificationAttachment.init(wire:)) ?? []
        values.categoryIdentifier = json["categoryIdentifier"]?.string ?? ""
        values.threadIdentifier = json["threadIdentifier"]?.string ?? ""
        values.targetContentIdentifier = json["targetContentIdentifier"]?.string
        values.interruptionLevel =
            json["interruptionLevel"]?.string.flatMap(UNNotificationInterruptionLevel.init(word:)) ?? .active
        values.relevanceScore = json["relevanceScore"]?.number ?? 0
        values.filterCriteria = json["filterCriteria"]?.string
    }

    var members: [(String, JSON)] {
        [
            ("title", .string(title)), ("subtitle", .string(subtitle)), ("body", .string(body)),
            ("badge", badge.map { .integer($0.int64Value) } ?? .null), ("sound", sound?.wire ?? .null),
            ("launchImageName", launchImageName.isEmpty ? .null : .string(launchImageName)),
            ("userInfo", JSON(foundation: userInfo) ?? .null),
            ("attachments", JSON(attachments.map(\.wire))),
            ("categoryIdentifier", .string(categoryIdentifier)), ("threadIdentifier", .string(threadIdentifier)),
            ("targetContentIdentifier", JSON(targetContentIdentifier)),
            ("interruptionLevel", .string(interruptionLevel.word)), ("relevanceScore", .real(relevanceScore)),
            ("filterCriteria", JSON(filterCriteria)),
        ]
    }

    /// The members that differ from those that the host sent, as on the wire; null removes a member.
    package var changes: JSON {
        let received = UNNotificationContent(.object(original ?? [:]))
        let before = Dictionary(uniqueKeysWithValues: received.members)
        return .object(JSON.Object(members.filter { $0.1 != before[$0.0] }))
    }
}

/// An intent that knows how a notification of it looks.
public protocol UNNotificationContentProviding: NSObjectProtocol {
    /// Changes a content.
    func update(_ content: UNMutableNotificationContent)
}
