import UserNotifications

@MainActor public protocol UNNotificationContentExtension: AnyObject {
    func didReceive(_ notification: UNNotification)
}
