import Foundation
public import UserNotifications

/// Stands in for the class of Braze's SDK: attaches the file of `ab.att` to a message of Braze.
///
/// Any other notification is passed on as it is. Nothing is reported to Braze.
open class NotificationService: UNNotificationServiceExtension {
    private var attachment: RemoteAttachment?

    open override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let message = request.content.userInfo["ab"] as? [String: Any]
        let file = message?["att"] as? [String: Any]
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        let url = (file?["url"] as? String).flatMap(URL.init(string:))
        attachment = RemoteAttachment(url, type: file?["type"] as? String, for: content, handler: contentHandler)
    }

    open override func serviceExtensionTimeWillExpire() { attachment?.deliver() }
}
