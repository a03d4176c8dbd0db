public import Foundation

/// A service extension, which may change a notification before it is shown.
open class UNNotificationServiceExtension: NSObject {
    /// An extension; one is made for each notification.
    public override init() {}

    /// Handles a notification; without an override the content is shown as it is.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// Called shortly before the time for ``didReceive(_:withContentHandler:)`` is over.
    open func serviceExtensionTimeWillExpire() {}
}
