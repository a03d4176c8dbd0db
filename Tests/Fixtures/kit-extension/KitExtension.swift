import ExtensionKit
import Foundation

/// An extension that uses every part of the kit, also incorrectly; its buttons name the behaviours.
@main
final class KitExtension: NotificationContentExtension, NotificationResponseHandler, MediaHandler {
    private static let ways = [
        "once", "twice", "later", "never", "refused", "refusedAfterwards", "media", "noMedia", "started", "paused",
        "title", "linked", "linkedNowhere", "opens", "opensNowhere",
    ]
    static let contractVersion = "1.1"

    private let context: ExtensionContext

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: ExtensionKit.Notification) throws {
        print("a print of the author's")
        context.view = .text("shown", id: "text")
        let offered = context.notificationActions.map(\.identifier)
        context.notificationActions += Self.ways.filter { !offered.contains($0) }
            .map { NotificationAction(identifier: $0, title: $0) }
    }

    func didReceive(
        _ response: NotificationResponse,
        completionHandler completion: @escaping @Sendable (NotificationContentExtensionResponseOption) -> Void
    ) throws {
        context.view = .text(response.actionIdentifier, id: "text")
        switch response.actionIdentifier {
        case "once": completion(.dismissAndForwardAction)
        case "linked", "linkedNowhere":
            context.applicationURL = "https://example.com/a?b=c"
            completion(response.actionIdentifier == "linked" ? .dismissAndForwardAction : .doNotDismiss)
        case "twice":
            completion(.doNotDismiss)
            completion(.dismiss)
        case "later": Thread.detachNewThread { completion(.dismiss) }
        case "refused": throw ExtensionError(reason: "notNow", "not now")
        case "refusedAfterwards":
            completion(.dismiss)
            throw ExtensionError(reason: "notNow", "not now")
        case "never": break
        default:
            try show(response.actionIdentifier)
            completion(.doNotDismiss)
        }
    }

    func mediaPlay() { context.view = .text("playing", id: "text") }

    func mediaPause() { context.view = .text("paused", id: "text") }

    private func show(_ way: String) throws {
        switch way {
        case "media":
            let frame = MediaButton.Frame(x: 1, y: 2, width: 30, height: 40)
            context.media = MediaButton(.overlay, frame: frame, tintColor: "#ff0000")
        case "noMedia": context.media = MediaButton(.none)
        case "started": try context.mediaPlayingStarted()
        case "paused": try context.mediaPlayingPaused()
        case "opens": try context.performNotificationDefaultAction(url: "myapp://home")
        case "opensNowhere": try context.performNotificationDefaultAction(url: "nowhere")
        case "title": context.title = "a title of its own"
        default: break
        }
    }
}
