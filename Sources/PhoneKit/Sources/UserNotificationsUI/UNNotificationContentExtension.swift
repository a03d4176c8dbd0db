@_exported public import UIKit
public import UserNotifications

/// What happens to a notification after a response.
public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
    /// It stays.
    case doNotDismiss
    /// It is dismissed.
    case dismiss
    /// It is dismissed, and the app gets the action.
    case dismissAndForwardAction
}

/// The kinds of the button that plays and pauses media.
public enum UNNotificationContentExtensionMediaPlayPauseButtonType: UInt, Sendable {
    /// There is none.
    case none
    /// It is always visible.
    case `default`
    /// It lies over the media and disappears while they play.
    case overlay
}

/// A controller that shows notifications.
///
/// All requirements but the first are optional, as Apple's are: an extension has a default for each.
@preconcurrency @MainActor
public protocol UNNotificationContentExtension: NSObjectProtocol {
    /// Called with the notification, and with later ones of its thread.
    func didReceive(_ notification: UNNotification)

    /// Called when an action of the notification is chosen.
    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    )

    /// Called when an action of the notification is chosen, instead of the method with a completion handler.
    func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption

    /// The kind of the media button.
    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { get }
    /// The place of the media button in the view.
    var mediaPlayPauseButtonFrame: CGRect { get }
    /// The colour of the media button.
    var mediaPlayPauseButtonTintColor: UIColor { get }
    /// Called when the media button was pressed to play.
    func mediaPlay()
    /// Called when the media button was pressed to pause.
    func mediaPause()
}

/// Which optional requirement was called although the extension does not implement it.
@MainActor
package enum MissingRequirement {
    /// Whether the handler of responses was missing, since it was last asked.
    package static var response = false
    /// Whether a handler of the media button was missing, since it was last asked.
    package static var media = false
}

extension UNNotificationContentExtension {
    /// Calls the async method.
    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        Task { completion(await didReceive(response)) }
    }

    /// Lets the app handle the action.
    public func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption {
        MissingRequirement.response = true
        return .dismissAndForwardAction
    }

    /// No button.
    public var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .none }
    /// No place.
    public var mediaPlayPauseButtonFrame: CGRect { .zero }
    /// The usual colour.
    public var mediaPlayPauseButtonTintColor: UIColor { .tintColor }
    /// Refuses the button.
    public func mediaPlay() { MissingRequirement.media = true }
    /// Refuses the button.
    public func mediaPause() { MissingRequirement.media = true }
}

extension NSExtensionContext {
    /// The buttons of the notification, which the extension may replace.
    public var notificationActions: [UNNotificationAction] {
        get { storedActions as? [UNNotificationAction] ?? [] }
        set {
            storedActions = newValue
            actionsChanged = true
            noteChange()
        }
    }

    /// Opens the app as a tap on the notification does, and dismisses the notification.
    public func performNotificationDefaultAction() { request("performNotificationDefaultAction") }

    /// Dismisses the notification.
    public func dismissNotificationContentExtension() { request("dismissNotificationContentExtension") }

    /// Reports that media started to play.
    public func mediaPlayingStarted() { request("mediaPlayingStarted") }

    /// Reports that media stopped playing.
    public func mediaPlayingPaused() { request("mediaPlayingPaused") }
}
