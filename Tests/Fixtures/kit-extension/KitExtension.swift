import ExtensionKit
import Foundation
import JSON

/// An extension that uses every part of the kit, also incorrectly; its buttons name the behaviours.
@main
final class KitExtension: NotificationContentExtension, NotificationResponseHandler, InteractionHandler, MediaHandler {
    private static let ways = [
        "once", "twice", "later", "never", "refused", "refusedAfterwards", "media", "noMedia", "started", "paused",
        "title", "noTitle", "sameTitle", "linked", "linkedNowhere", "opens", "opensNowhere",
        "savesNaN", "framesInfinity",
    ]
    static let contractVersion = "1.1"

    private let context: ExtensionContext

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: ExtensionKit.Notification) throws {
        print("a print of the author's")
        context.view = .stack([.text("shown", id: "text"), .field(id: "way")])
        let offered = context.notificationActions.map(\.identifier)
        context.notificationActions += Self.ways.filter { !offered.contains($0) }
            .map { NotificationAction(identifier: $0, title: $0, options: $0 == "once" ? [.foreground] : []) }
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

    /// A touch with the value `texts` shows localized texts, as in the programs of the other kits.
    func interact(_ interaction: Interaction) {
        var texts = [
            context.localizedString(forKey: "GREETING", "Ada"), context.localizedString(forKey: "ORDER", 1, 2),
        ]
        texts += ["ONLY_ENGLISH", "ONLY_BASE", "NOWHERE"].map { context.localizedString(forKey: $0) }
        texts += [0, 1, 2, 5, 1022, -1].map { context.localizedString(forKey: "GOALS", "Ada", $0) }
        texts.append(context.localizedString(forKey: "GOALS", "Ada", "many"))
        context.view = .stack([.text(texts.joined(separator: "|"), id: "text"), .field(id: "way")])
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
        case "savesNaN":
            try context.saveCustomEvent("E", properties: ["list": [1, ["a/b": .real(.nan)]]])
        case "framesInfinity":
            context.media = MediaButton(.overlay, frame: .init(x: .infinity, y: 0, width: 1, height: 1))
        case "title": context.title = "a title of its own"
        case "noTitle": context.title = nil
        case "sameTitle": context.title = context.title ?? "none"
        default: break
        }
    }
}
