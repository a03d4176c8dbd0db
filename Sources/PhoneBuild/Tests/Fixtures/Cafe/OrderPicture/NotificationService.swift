import Menu
import UserNotifications

/// Adds a line in the language of the guest and, if the campaign wants it, the picture of the ordered drink.
///
/// A message from a barista is decrypted and shown as one from a person.
class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttempt: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        bestAttempt = content
        if let message = BaristaMessage(content.userInfo) { return contentHandler(message.notification(content)) }
        let drink = Menu.today.drinks.first { content.title.contains($0) }
        content.subtitle = String(
            format: NSLocalizedString("order_waits", comment: "The drink is ready"),
            drink ?? content.title
        )
        if content.userInfo["picture"] as? Bool == true {
            content.attachments = attachments(of: PictureName(of: drink ?? "cup"))
        }
        contentHandler(content)
    }

    override func serviceExtensionTimeWillExpire() {
        guard let bestAttempt else { return }
        contentHandler?(bestAttempt)
    }

    private func attachments(of picture: PictureName) -> [UNNotificationAttachment] {
        guard let url = Bundle.main.url(forResource: picture.file, withExtension: nil, subdirectory: "Pictures"),
            let attachment = try? UNNotificationAttachment(identifier: picture.file, url: url, options: nil)
        else { return [] }
        return [attachment]
    }
}
