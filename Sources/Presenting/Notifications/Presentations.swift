internal import BrazeRules
package import Calls
internal import Contract
package import ExtensionHost
internal import JSON
package import JSONRPC
package import Notifications

/// The notifications that are shown, and the categories that are registered.
package final class Presentations {
    /// The greatest length of a remembered reason, in bytes: an extension may have written it.
    private static let reasonLimit = 1_000
    /// How many notifications of ended presentations are remembered, with the reason of the end.
    private static let memory = 10_000

    /// The visible presentations, by the identifier of each of their notifications.
    private var byNotification: [String: Presentation] = [:]
    private var order: [Presentation] = []
    private var ended: [String: End] = [:]
    /// These notifications, as a ring: once it is full, the next one replaces the oldest.
    private var endedOrder: [String] = []
    private var oldest = 0

    /// Why a notification has no presentation.
    private struct End {
        let reason: String
        var wasShown = true
    }

    private let attachments: Attachments
    private let publisher: Publisher

    package init(_ attachments: Attachments, _ publisher: Publisher) {
        (self.attachments, self.publisher) = (attachments, publisher)
    }

    /// The categories that `setNotificationCategories` set.
    package var registered: [NotificationCategory] = []

    /// Braze's categories and the registered ones; a registered one replaces Braze's of the same identifier.
    package var categories: [NotificationCategory] {
        let own = Set(registered.map(\.identifier))
        return NotificationCategory.builtIn.filter { !own.contains($0.identifier) } + registered
    }

    /// The presentations that are visible, oldest first.
    package var visible: [Presentation] { order }

    /// The number of notifications that are shown.
    package var notificationCount: Int { byNotification.count }

    // MARK: Finding

    /// The presentation of a notification.
    ///
    /// - Throws: `unknownNotification`, or `noPresentation` with the reason why the presentation ended.
    package func presentation(_ arguments: Arguments) throws(RPCError) -> Presentation {
        let identifier = try arguments.string("notification")
        if let presentation = byNotification[identifier] { return presentation }
        let path = arguments.path("notification")
        if let end = ended[identifier] { throw Self.gone(identifier, end, path: path) }
        throw HostError.unknownNotification(
            "no notification \(JSON.string(identifier).excerpt()) was received",
            path: path
        )
    }

    /// The presentation that a call names; an extension may name only its own.
    package func presentation(_ arguments: Arguments, of peer: Peer) throws(RPCError) -> Presentation {
        let presentation = try presentation(arguments)
        if case .extension(let caller) = peer.role, presentation.process !== caller {
            throw HostError.unknownNotification(
                "the notification \(presentation.identifier) is shown by another extension",
                path: arguments.path("notification")
            )
        }
        return presentation
    }

    /// Makes the notification that a save names its object.
    ///
    /// The save then waits for calls that may end the presentation, and its record gets the notification's user.
    package func setNotification(ofSave invocation: Invocation) {
        guard let identifier = invocation.arguments["notification"]?.string,
            let presentation = byNotification[identifier]
        else { return }
        switch invocation.peer.role {
        case .client, .control:
            let entry = presentation.entries.last { $0.notification == identifier }
            invocation.object = NamedPresentation(presentation, entry?.payload ?? presentation.payload)
        case .extension(let caller):
            guard caller === presentation.process else { return }
            // An extension knows only the presentation, so its saves concern the newest notification in it.
            invocation.object = NamedPresentation(presentation, presentation.payload)
        }
    }

    /// The presentation of a call, which may have ended while the call waited.
    package func live(_ invocation: Invocation) throws(RPCError) -> Presentation {
        guard let presentation = invocation.presentation else { return try self.presentation(invocation.arguments) }
        if let end = presentation.endReason {
            throw Self.gone(presentation.identifier, End(reason: end), path: invocation.arguments.path("notification"))
        }
        return presentation
    }

    private static func gone(_ identifier: String, _ end: End, path: String) -> RPCError {
        HostError.noPresentation(
            "the notification \(identifier) \(end.wasShown ? "is not shown any more" : "was never shown"): \(end.reason)",
            path: path,
            details: ["ended": .string(end.reason)]
        )
    }

    /// The visible presentation that a notification joins: one of the same extension with the same non-empty thread.
    func joinable(_ process: ExtensionProcess, thread: String) -> Presentation? {
        guard !thread.isEmpty else { return nil }
        return order.last { $0.process === process && $0.thread == thread && $0.delivered == nil }
    }

    // MARK: Beginning and ending

    /// Begins a presentation, before its extension is called; ``Presentation/wasSent`` says whether it was.
    package func begin(_ presentation: Presentation) {
        byNotification[presentation.identifier] = presentation
        order.append(presentation)
        presentation.process?.presentations += 1
    }

    /// Adds the identifier of a later notification to the presentation that it joins.
    func join(_ notification: String, _ presentation: Presentation) {
        byNotification[notification] = presentation
        presentation.identifiers.append(notification)
    }

    /// Removes a notification and its files from the presentation that it joined; the presentation stays.
    func remove(_ notification: String, from presentation: Presentation, reason: String) {
        if let entry = presentation.entries.first(where: { $0.notification == notification }) {
            attachments.remove(entry.content.attachments)
        }
        presentation.remove(notification)
        presentation.identifiers.removeAll { $0 == notification }
        byNotification[notification] = nil
        remember(notification, End(reason: reason.excerpt(Self.reasonLimit)))
    }

    /// Remembers a notification that is never shown, so that a later call about it gets the reason.
    func rememberUnshown(_ notification: String, reason: String) {
        remember(notification, End(reason: reason, wasShown: false))
    }

    /// Removes a presentation, and notifies subscribers if that is to be published.
    ///
    /// Only ``PresentationService/end(_:reason:isPublished:)`` also tells the extension.
    func close(_ presentation: Presentation, reason: String, isPublished: Bool = true) {
        // The oldest ones end first in most cases.
        if let index = order.firstIndex(where: { $0 === presentation }) { order.remove(at: index) }
        finish(presentation, reason: reason, isPublished: isPublished)
    }

    private func finish(_ presentation: Presentation, reason: String, isPublished: Bool) {
        guard presentation.endReason == nil else { return }
        let reason = reason.excerpt(Self.reasonLimit)
        presentation.endReason = reason
        presentation.process?.presentations -= 1
        for notification in presentation.identifiers {
            byNotification[notification] = nil
            remember(notification, End(reason: reason))
        }
        attachments.remove(presentation.attachments)
        guard isPublished else { return }
        publisher.publish(.didDismiss) {
            ["notification": .string(presentation.identifier), "reason": .string(reason)]
        }
    }

    private func remember(_ notification: String, _ end: End) {
        guard ended.updateValue(end, forKey: notification) == nil else { return }
        guard endedOrder.count == Self.memory else { return endedOrder.append(notification) }
        ended[endedOrder[oldest]] = nil
        endedOrder[oldest] = notification
        oldest = (oldest + 1) % Self.memory
    }

    /// Ends the presentations that were sent to an extension.
    private func end(shownBy process: ExtensionProcess, reason: String) {
        let isEnding = { (presentation: Presentation) in presentation.process === process && presentation.wasSent }
        let ending = order.filter(isEnding)
        order.removeAll(where: isEnding)
        for presentation in ending { finish(presentation, reason: reason, isPublished: true) }
    }

    /// Handles what happened to the process of an extension.
    package func observe(_ process: ExtensionProcess, _ event: ExtensionEvent) {
        switch event {
        case .notificationFailed(let params, let error):
            addDiagnostic(error, in: params, of: process, during: presentation(inCallOf: process))
        case .ended(let reason): end(shownBy: process, reason: "\(process.bundle.identifier) \(reason)")
        case .continued(let text):
            presentation(inCallOf: process)?.addDiagnostic(Diagnostic("extensionWasStopped", text))
        case .wroteError(let line): publisher.publish(errorLine: line, of: process.bundle.identifier)
        }
    }

    /// The presentation of the call that an extension is handling.
    private func presentation(inCallOf process: ExtensionProcess) -> Presentation? {
        publisher.client?.scheduler.running.first { $0.process === process }?.presentation
    }

    /// Reports a failed JSON-RPC notification from an extension in the next reply about its presentation.
    ///
    /// If its params name no presentation of the extension, it is reported with that of the outstanding call.
    private func addDiagnostic(
        _ error: RPCError,
        in params: JSON?,
        of process: ExtensionProcess,
        during call: Presentation?
    ) {
        let named = (params?["notification"]?.string).flatMap { byNotification[$0] }
        guard let presentation = named?.process === process ? named : call else { return }
        presentation.addDiagnostic(Diagnostic(error.reason ?? "failedNotification", error.message))
    }
}

extension ExtensionProcess: Presenter {
    /// The bundle's ratio of height to width.
    package var initialContentSizeRatio: Double { bundle.initialContentSizeRatio }
    /// Whether the bundle hides the system's own texts.
    package var defaultContentHidden: Bool { bundle.defaultContentHidden }
    /// Whether the bundle may replace the title.
    package var overridesDefaultTitle: Bool { bundle.overridesDefaultTitle }
}

extension Presentation {
    /// The process of the extension that shows the presentation; nil if the system shows it.
    package var process: ExtensionProcess? { presenter as? ExtensionProcess }
}
