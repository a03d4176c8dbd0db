// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Has of a module of PhoneKit just what the tests need.

import UserNotifications

@MainActor public protocol UNNotificationContentExtension: AnyObject {
    func didReceive(_ notification: UNNotification)
}
