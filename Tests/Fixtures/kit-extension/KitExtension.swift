import ExtensionKit
import Foundation

/// An extension that uses the kit in every way an author may, the wrong ones included; its buttons name them.
@main
final class KitExtension: NotificationContentExtension, NotificationResponseHandler, MediaHandler {
    private static let ways = ["once", "twice", "later", "never", "refused", "refusedAfterwards"]

    private let context: ExtensionContext

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: ExtensionKit.Notification) throws {
        print("a print of the author's")
        let offered = context.notificationActions.map(\.identifier).joined(separator: " ")
        context.view = .text(id: "text", offered.isEmpty ? "shown" : offered)
        if notification.request.content.title == "media" {
            let frame = MediaButton.Frame(x: 1, y: 2, width: 3, height: 4)
            (context.title, context.media) = ("A title", MediaButton(.overlay, frame: frame, tintColor: "#ff0000"))
        }
        context.notificationActions = Self.ways.map { NotificationAction(identifier: $0, title: $0) }
    }

    func mediaPlay() throws { context.view = .text(id: "text", "plays") }

    func mediaPause() throws {
        context.view = .text(id: "text", "paused")
        try context.mediaPlayingPaused()
    }

    func didReceive(
        _ response: NotificationResponse,
        completionHandler completion: @escaping @Sendable (NotificationContentExtensionResponseOption) -> Void
    ) throws {
        context.view = .text(id: "text", response.actionIdentifier)
        switch response.actionIdentifier {
        case "once": completion(.dismissAndForwardAction)
        case "twice":
            completion(.doNotDismiss)
            completion(.dismiss)
        case "later": Thread.detachNewThread { completion(.dismiss) }
        case "refused": throw ExtensionError(reason: "notNow", "not now")
        case "refusedAfterwards":
            completion(.dismiss)
            throw ExtensionError(reason: "notNow", "not now")
        default: break
        }
    }
}
