public import Foundation
package import JSON

/// The system's side of an extension, as Apple's class of that name: here, the interface to the host.
@MainActor
open class NSExtensionContext: NSObject {
    /// The id of the presentation; nil in a test without a host.
    package let notification: String?
    /// The actions of the notification, whose type UserNotificationsUI knows.
    package var storedActions: [Any] = []
    /// Whether the extension set other actions since the host was told.
    package var actionsChanged = false

    /// A context for a presentation.
    package init(notification: String?) { self.notification = notification }

    /// Called when the extension has ended the presentation itself.
    package var onEnd: (@MainActor () -> Void)?

    private static let endings = ["performNotificationDefaultAction", "dismissNotificationContentExtension"]

    /// Lets the host be told of what changed.
    package func noteChange() { ViewChanges.note() }

    /// What was shared with the extension; nothing in a notification.
    open var inputItems: [Any] { [] }

    /// Opens a URL, which ends the presentation: the host passes the URL to its client.
    open func open(_ URL: URL, completionHandler: ((Bool) -> Void)? = nil) {
        let isAccepted = request("performNotificationDefaultAction", ("url", .string(URL.absoluteString)))
        completionHandler?(isAccepted)
    }

    /// Opens a URL; returns whether the host accepted it.
    open func open(_ URL: URL) async -> Bool {
        request("performNotificationDefaultAction", ("url", .string(URL.absoluteString)))
    }

    /// Dismisses the notification; extensions of other points return items with it.
    open func completeRequest(returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil) {
        completionHandler?(request("dismissNotificationContentExtension"))
    }

    /// Dismisses the notification.
    open func cancelRequest(withError error: any Error) { request("dismissNotificationContentExtension") }

    /// Asks the host for something about the presentation; returns whether it did it, and reports why not.
    @discardableResult
    package func request(_ method: String, _ params: (String, JSON?)...) -> Bool {
        guard let notification, let link = HostLink.current else { return false }
        do {
            _ = try link.request(method, [("notification", .string(notification))] + params)
            if Self.endings.contains(method) { onEnd?() }
            return true
        } catch {
            CurrentPresentation.addDiagnostic(reason: error.reason, "\(method): \(error.message)")
            return false
        }
    }
}
