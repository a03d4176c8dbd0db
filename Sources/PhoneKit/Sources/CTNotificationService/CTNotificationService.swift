import Foundation
public import UserNotifications

/// Stands in for the class of CleverTap's SDK: attaches the file that `ct_mediaUrl` names.
///
/// Nothing is reported to CleverTap.
open class CTNotificationServiceExtension: UNNotificationServiceExtension {
    /// The key of the file's URL in the payload; `ct_mediaUrl` by default.
    open var mediaUrlKey: String?
    /// The key of the file's type in the payload; `ct_mediaType` by default.
    open var mediaTypeKey: String?
    private var attachment: RemoteAttachment?

    open override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let payload = request.content.userInfo
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        let url = (payload[mediaUrlKey ?? "ct_mediaUrl"] as? String).flatMap(URL.init(string:))
        let type = payload[mediaTypeKey ?? "ct_mediaType"] as? String
        attachment = RemoteAttachment(url, type: type, for: content, handler: contentHandler)
    }

    open override func serviceExtensionTimeWillExpire() { attachment?.deliver() }
}
