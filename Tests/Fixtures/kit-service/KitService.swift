import ExtensionKit
import Foundation
import JSON

/// A service that uses every part of the kit, also incorrectly; the payload's `way` names the behaviour.
@main
final class KitService: NotificationServiceExtension {
    private let context: ServiceContext
    private var giveUp: (() -> Void)?

    init(context: ServiceContext) { self.context = context }

    func didReceive(
        _ request: NotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (MutableNotificationContent) -> Void
    ) throws {
        print("a print of the author's")
        let way = request.content.userInfo["way"]?.string ?? ""
        var content = request.content.mutableCopy()
        content.title = "\(way) in \(request.locale ?? context.locale)"
        switch way {
        case "texts":
            content.body = context.localizedString(forKey: "GREETING", "Ada")
            context.log(.notice, context.localizedString(forKey: "NOWHERE"))
            contentHandler(content)
        case "unchanged": contentHandler(request.content.mutableCopy())
        case "all":
            content.subtitle = "changed"
            content.body = "changed"
            content.badge = 7
            content.sound = nil
            content.threadIdentifier = "changed"
            content.interruptionLevel = .passive
            content.relevanceScore = 0.5
            content.userInfo = content.userInfo.setting("added", to: true)
            contentHandler(content)
        case "twice":
            contentHandler(content)
            content.title = "too late"
            contentHandler(content)
        case "later":
            let (context, content) = (context, content)
            Thread.detachNewThread {
                context.addDiagnostic(reason: "later", "it comes from another thread")
                contentHandler(content)
            }
        case "lastMoment":
            let content = content
            giveUp = { contentHandler(content) }
        case "refused": throw ExtensionError(reason: "notNow", "not now")
        case "refusedAfterwards":
            contentHandler(content)
            throw ExtensionError(reason: "notNow", "not now")
        default: break
        }
    }

    func serviceExtensionTimeWillExpire() { giveUp?() }
}
