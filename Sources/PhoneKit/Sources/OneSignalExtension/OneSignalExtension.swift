public import Foundation
public import UserNotifications

/// Stands in for the class of OneSignal's SDK: attaches the first file of `att`.
///
/// Nothing is reported to OneSignal, and no buttons are added.
open class OneSignalExtension: NSObject {
    /// Handles a notification.
    ///
    /// - Parameters:
    ///   - request: The notification.
    ///   - content: What gets the file; by default a copy of the request's content.
    ///   - contentHandler: Gets the content once the file is there.
    /// - Returns: The content, before the file is there.
    @discardableResult
    open class func didReceiveNotificationExtensionRequest(
        _ request: UNNotificationRequest,
        with content: UNMutableNotificationContent?,
        withContentHandler contentHandler: ((UNNotificationContent) -> Void)?
    ) -> UNMutableNotificationContent? {
        let copy = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let content = content ?? copy else { return nil }
        let payload = request.content.userInfo
        let files = payload["att"] ?? (payload["os_data"] as? [String: Any])?["att"]
        let address = (files as? [String: Any])?.values.lazy.compactMap { $0 as? String }.first
        let url = address.flatMap(URL.init(string:))
        if let contentHandler { _ = RemoteAttachment(url, for: content, handler: contentHandler) }
        return content
    }

    /// The content to show when the time for the file is over.
    @discardableResult
    open class func serviceExtensionTimeWillExpireRequest(
        _ request: UNNotificationRequest,
        with content: UNMutableNotificationContent?
    ) -> UNMutableNotificationContent? { content ?? request.content.mutableCopy() as? UNMutableNotificationContent }
}
