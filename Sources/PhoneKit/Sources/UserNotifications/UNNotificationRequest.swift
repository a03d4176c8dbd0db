public import Foundation
package import JSON
import PhoneRuntime

/// A notification that was delivered.
open class UNNotification: NSObject, NSCopying, @unchecked Sendable {
    /// When it was delivered.
    public let date: Date
    /// What was requested.
    public let request: UNNotificationRequest

    package init(date: Date, request: UNNotificationRequest) { (self.date, self.request) = (date, request) }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A request to show a notification.
open class UNNotificationRequest: NSObject, NSCopying, @unchecked Sendable {
    /// The identifier.
    public let identifier: String
    /// What is shown.
    public let content: UNNotificationContent
    /// When it is shown; nil for at once.
    public let trigger: UNNotificationTrigger?

    /// A request.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = content.copy() as? UNNotificationContent ?? content
        self.trigger = trigger
    }

    /// The request of the host's `didReceive`.
    package convenience init(_ json: JSON, notification: String) {
        self.init(
            identifier: json["identifier"]?.string ?? notification,
            content: UNNotificationContent(json["content"] ?? [:]),
            trigger: UNPushNotificationTrigger()
        )
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// When it was received, as the request says.
    package static func date(_ json: JSON) -> Date {
        json["date"]?.string.flatMap(Timestamp.parse) ?? MainClock.shared.now
    }
}

/// What causes a notification to be shown.
open class UNNotificationTrigger: NSObject, NSCopying, @unchecked Sendable {
    /// Whether it is shown again and again.
    public let repeats: Bool

    init(repeats: Bool) { self.repeats = repeats }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The trigger of a notification that a server sent.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    package init() { super.init(repeats: false) }
}

/// The trigger of a notification that is shown after some time.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The time in seconds.
    public let timeInterval: TimeInterval

    /// A trigger; an interval that repeats must be at least a minute.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        precondition(timeInterval > 0, "time interval must be greater than 0")
        precondition(!repeats || timeInterval >= 60, "time interval must be at least 60 if repeating")
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }

    /// When it is due next.
    open func nextTriggerDate() -> Date? { MainClock.shared.now + timeInterval }
}

/// The trigger of a notification that is shown at a date.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The parts of the date that matter.
    public let dateComponents: DateComponents

    /// A trigger.
    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }

    /// When it is due next.
    open func nextTriggerDate() -> Date? {
        let calendar = dateComponents.calendar ?? .current
        return calendar.nextDate(after: MainClock.shared.now, matching: dateComponents, matchingPolicy: .nextTime)
    }
}

/// What the user did with a notification.
open class UNNotificationResponse: NSObject, NSCopying, @unchecked Sendable {
    /// The notification.
    public let notification: UNNotification
    /// The identifier of the action.
    public let actionIdentifier: String

    package init(notification: UNNotification, actionIdentifier: String) {
        (self.notification, self.actionIdentifier) = (notification, actionIdentifier)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// What the user did with a notification, with a text.
open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
    /// The text.
    public let userText: String

    package init(notification: UNNotification, actionIdentifier: String, userText: String) {
        self.userText = userText
        super.init(notification: notification, actionIdentifier: actionIdentifier)
    }
}

/// The action of a tap on the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action of a swipe, if the category has the option `customDismissAction`.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

extension NSString {
    /// The text of a key in the bundle's table, with values for its placeholders.
    public static func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        let format = LocalizedTexts.text(key, table: nil, bundle: .main, value: "")
        let values = (arguments ?? []).map { "\($0)" }
        guard !values.isEmpty else { return format }
        // `%@` stands for the next value, `%2$@` for the second.
        let parts = format.components(separatedBy: "%@")
        let filled = parts.dropFirst().enumerated().reduce(parts[0]) { text, part in
            text + (part.offset < values.count ? values[part.offset] : "") + part.element
        }
        return values.enumerated().reduce(filled) {
            $0.replacingOccurrences(of: "%\($1.offset + 1)$@", with: $1.element)
        }
    }
}
