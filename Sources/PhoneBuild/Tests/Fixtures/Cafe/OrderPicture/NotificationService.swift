import Menu
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        let content = UNMutableNotificationContent()
        let drink = Menu.today.drinks.first { request.content.title.contains($0) }
        content.title = PictureName(of: drink ?? "cup").file
        contentHandler(content)
    }
}
