import ExtensionKit

/// Shows how many sessions of a course are done, and which one is next.
@main
final class SessionProgress: NotificationContentExtension {
    private let context: ExtensionContext

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: DeliveredNotification) throws {
        let progress = try Progress(notification.request)
        try context.saveCustomEvent("Viewed Session Progress")
        context.view = progress.view(context)
    }
}
