import Foundation
import JSON
import PhoneRuntime
import UIKit
import UserNotifications
import UserNotificationsUI

/// One notification that is shown, with its controller and what the host knows of it.
@MainActor
final class Presentation {
    let identifier: String
    let controller: UIViewController
    let content: any UNNotificationContentExtension
    var notification: UNNotification?
    /// The newest drawing, whose elements the host may touch.
    private(set) var drawing: Drawing?
    let context: NSExtensionContext
    private var shownView: JSON?
    private var shownTitle: String?
    private var shownMedia: JSON?

    init(_ identifier: String, _ make: @MainActor () -> UIViewController) throws {
        self.identifier = identifier
        controller = make()
        guard let content = controller as? any UNNotificationContentExtension else {
            throw HostError(
                reason: "noContentExtension",
                "\(type(of: controller)) does not conform to UNNotificationContentExtension"
            )
        }
        self.content = content
        context = NSExtensionContext(notification: identifier)
        controller.ownContext = context
    }

    /// The error for a call about a notification that was not received.
    var unknown: HostError {
        HostError(reason: "unknownNotification", "the notification \(identifier) was not received")
    }

    /// Sets the buttons that the category offers.
    func offer(_ actions: [UNNotificationAction]) {
        context.storedActions = actions
        context.actionsChanged = false
    }

    /// The members of a result for what changed since they were last taken.
    func takeChanges() -> [(String, JSON?)] {
        var changes: [(String, JSON?)] = []
        let (view, drawing) = Drawing.draw(controller)
        self.drawing = drawing
        if view != shownView { changes.append(("view", view)) }
        if context.actionsChanged { changes.append(("actions", JSON(context.notificationActions.map(\.wire)))) }
        if let title = controller.title, title != shownTitle, Activation.overridesTitle {
            changes.append(("title", .string(title)))
        }
        let media = self.media
        if media != shownMedia { changes.append(("media", media)) }
        (shownView, shownTitle, shownMedia) = (view, controller.title, media)
        context.actionsChanged = false
        return changes
    }

    /// Lets a change be taken again.
    func keep(_ name: String) {
        if name == "title" { shownTitle = nil }
        if name == "media" { shownMedia = nil }
    }

    /// The media button; nil if there has been none.
    private var media: JSON? {
        let kind: JSON
        switch content.mediaPlayPauseButtonType {
        case .none:
            guard shownMedia != nil else { return nil }
            return ["button": "none"]
        case .default: kind = "default"
        case .overlay: kind = "overlay"
        }
        let frame = content.mediaPlayPauseButtonFrame
        let place: JSON? =
            frame.isEmpty
            ? nil
            : [
                "x": .real(Double(frame.minX)), "y": .real(Double(frame.minY)),
                "width": .real(Double(frame.width)), "height": .real(Double(frame.height)),
            ]
        return JSON(members: [
            ("button", kind), ("frame", place), ("tintColor", .string(content.mediaPlayPauseButtonTintColor.hex)),
        ])
    }
}
