import Foundation
public import UserNotifications

/// Stands in for the class of Airship's SDK: attaches the file of `com.urbanairship.media_attachment`, and sets the
/// texts of its `content`.
///
/// Nothing is reported to Airship.
open class UANotificationServiceExtension: UNNotificationServiceExtension {
    private var attachment: RemoteAttachment?

    open override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        let media = request.content.userInfo["com.urbanairship.media_attachment"] as? [String: Any]
        let texts = media?["content"] as? [String: Any]
        content.title = texts?["title"] as? String ?? content.title
        content.subtitle = texts?["subtitle"] as? String ?? content.subtitle
        content.body = texts?["body"] as? String ?? content.body
        let url = (media?["url"] as? String ?? (media?["url"] as? [String])?.first).flatMap(URL.init(string:))
        attachment = RemoteAttachment(url, for: content, handler: contentHandler)
    }

    open override func serviceExtensionTimeWillExpire() { attachment?.deliver() }
}
