public import Foundation
import Synchronization

/// What a user may be asked to allow.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Options of those bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The badge of the app.
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    /// Sounds.
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    /// Alerts.
    public static let alert = UNAuthorizationOptions(rawValue: 4)
    /// Notifications in a car.
    public static let carPlay = UNAuthorizationOptions(rawValue: 8)
    /// Critical alerts.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
    /// A button for the app's own settings.
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)
    /// Quiet notifications without a question.
    public static let provisional = UNAuthorizationOptions(rawValue: 64)
}

/// Whether the app may notify.
public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined
    case denied
    case authorized
    case provisional
    case ephemeral
}

/// The state of a setting.
public enum UNNotificationSetting: Int, Sendable {
    case notSupported
    case disabled
    case enabled
}

/// How alerts are shown.
public enum UNAlertStyle: Int, Sendable {
    case none
    case banner
    case alert
}

/// The user's settings for the app: here everything is allowed.
open class UNNotificationSettings: NSObject, @unchecked Sendable {
    open var authorizationStatus: UNAuthorizationStatus { .authorized }
    open var soundSetting: UNNotificationSetting { .enabled }
    open var badgeSetting: UNNotificationSetting { .enabled }
    open var alertSetting: UNNotificationSetting { .enabled }
    open var notificationCenterSetting: UNNotificationSetting { .enabled }
    open var lockScreenSetting: UNNotificationSetting { .enabled }
    open var timeSensitiveSetting: UNNotificationSetting { .enabled }
    open var criticalAlertSetting: UNNotificationSetting { .disabled }
    open var alertStyle: UNAlertStyle { .banner }
}

/// How a notification is shown while its app is open.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Options of those bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The badge is set.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1)
    /// The sound is played.
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    /// The alert is shown.
    public static let alert = UNNotificationPresentationOptions(rawValue: 4)
    /// It is kept in the list.
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    /// The banner is shown.
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}

/// What the app does with notifications; an extension may set one, and it is not called.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Asked before a notification is shown while the app is open.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    )

    /// Told what the user did with a notification.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    )
}

extension UNUserNotificationCenterDelegate {
    /// Shows nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) { completionHandler([]) }

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) { completionHandler() }
}

/// The center of notifications.
///
/// It accepts and remembers what an extension asks for as long as the process lives: no other notification is shown.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private struct State {
        var requests: [UNNotificationRequest] = []
        var categories: Set<UNNotificationCategory> = []
        var badge: Int?
    }

    private static let shared = UNUserNotificationCenter()
    private let state = Mutex(State())

    private override init() {}

    /// The center.
    public class func current() -> UNUserNotificationCenter { shared }

    /// The delegate of the app.
    public weak var delegate: (any UNUserNotificationCenterDelegate)?

    /// Whether content extensions exist: yes.
    open var supportsContentExtensions: Bool { true }

    // MARK: Permission

    /// Asks the user, who allows it.
    @preconcurrency open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async { completionHandler(true, nil) }
    }

    /// Asks the user, who allows it.
    @discardableResult
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { true }

    /// Gets the settings.
    @preconcurrency open func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        DispatchQueue.global().async { completionHandler(UNNotificationSettings()) }
    }

    /// The settings.
    open func notificationSettings() async -> UNNotificationSettings { UNNotificationSettings() }

    // MARK: Categories

    /// Registers the categories.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        state.withLock { $0.categories = categories }
    }

    /// Gets the categories.
    @preconcurrency open func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        let categories = state.withLock { $0.categories }
        DispatchQueue.global().async { completionHandler(categories) }
    }

    /// The categories.
    open func notificationCategories() async -> Set<UNNotificationCategory> { state.withLock { $0.categories } }

    // MARK: Requests

    /// Remembers a request, in place of an earlier one with the same identifier.
    @preconcurrency open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        remember(request)
        DispatchQueue.global().async { completionHandler?(nil) }
    }

    /// Remembers a request, in place of an earlier one with the same identifier.
    open func add(_ request: UNNotificationRequest) async throws { remember(request) }

    private func remember(_ request: UNNotificationRequest) {
        state.withLock { state in
            state.requests.removeAll { $0.identifier == request.identifier }
            state.requests.append(request)
        }
    }

    /// Gets the requests that were added.
    @preconcurrency open func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        let requests = state.withLock { $0.requests }
        DispatchQueue.global().async { completionHandler(requests) }
    }

    /// The requests that were added.
    open func pendingNotificationRequests() async -> [UNNotificationRequest] { state.withLock { $0.requests } }

    /// Forgets the requests with those identifiers.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        state.withLock { $0.requests.removeAll { identifiers.contains($0.identifier) } }
    }

    /// Forgets all requests.
    open func removeAllPendingNotificationRequests() { state.withLock { $0.requests = [] } }

    /// Gets the notifications in the list of the phone; there are none.
    @preconcurrency open func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        DispatchQueue.global().async { completionHandler([]) }
    }

    /// The notifications in the list of the phone; there are none.
    open func deliveredNotifications() async -> [UNNotification] { [] }

    /// Removes notifications from the list of the phone, which has none.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}

    /// Removes the notifications from the list of the phone, which has none.
    open func removeAllDeliveredNotifications() {}

    /// Remembers the number on the app's icon.
    @preconcurrency open func setBadgeCount(
        _ count: Int,
        withCompletionHandler handler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        state.withLock { $0.badge = count }
        DispatchQueue.global().async { handler?(nil) }
    }

    /// Remembers the number on the app's icon.
    open func setBadgeCount(_ count: Int) async throws { state.withLock { $0.badge = count } }
}
