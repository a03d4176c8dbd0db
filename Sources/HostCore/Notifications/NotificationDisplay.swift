internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Platform

/// Shows notifications: in the extension of their category, else in the system's own view.
final class NotificationDisplay {
    private let configuration: HostConfiguration
    private let clock: Clock
    private let identifiers: IdentifierGenerator
    private let extensions: ExtensionService
    private let presentations: Presentations
    private let presenting: PresentationService
    private let attachments: Attachments

    init(
        _ configuration: HostConfiguration,
        _ clock: Clock,
        _ identifiers: IdentifierGenerator,
        _ extensions: ExtensionService,
        _ presentations: Presentations,
        _ presenting: PresentationService,
        _ attachments: Attachments
    ) {
        self.configuration = configuration
        self.clock = clock
        self.identifiers = identifiers
        self.extensions = extensions
        self.presentations = presentations
        self.presenting = presenting
        self.attachments = attachments
    }

    /// Shows a notification: in the extension of its category, else in the system's own view.
    func show(_ invocation: Invocation, _ reception: Reception) throws -> HostMethod.Outcome {
        let arrival = try reception.arrival ?? arrival(of: invocation, reception)
        guard arrival.content.hasAlert else { return .done(showNothing(of: arrival, invocation.arguments)) }
        let notification = arrival.notification
        let process = reception.process

        let entry = Presentation.Entry(arrival)
        let joined = process.flatMap { presentations.joinable($0, thread: arrival.content.thread) }
        let presentation =
            try joined
            ?? Presentation(
                entry,
                presenter: process,
                category: presentations.categories.first { $0.identifier == arrival.content.category },
                view: try View(arrival.content.defaultView)
            )
        if joined == nil { presentations.begin(presentation) } else { presentations.join(notification, presentation) }
        endSurplus(keeping: presentation)
        for diagnostic in arrival.diagnostics { presentation.addDiagnostic(diagnostic) }
        reception.presentation = presentation
        let result = { [notification] in
            JSON.object(
                JSON.Object(
                    [
                        ("notification", .string(notification)),
                        ("extension", JSON(process?.bundle.identifier)),
                        ("content", arrival.content.summary),
                        ("layout", presentation.layout),
                    ]
                        + presentation.shownMembers
                        + [("diagnostics", JSON(presentation.drainDiagnostics().map(\.json)))]
                )
            )
        }
        guard let process else {
            presentation.addDiagnostic(whyNoExtension(arrival, invocation.arguments))
            return .done(result())
        }
        if let remark = whoElseShows(arrival.content.category, but: process, invocation.arguments) {
            presentation.addDiagnostic(remark)
        }
        if let remark = whyTouchesFailOnPhones(process.bundle) { presentation.addDiagnostic(remark) }
        let params: [(String, JSON)] = [
            ("request", arrival.request), ("actions", JSON(presentation.actions.map(\.json))),
        ]
        // What the extension saves meanwhile is about this notification's user.
        let willSend = {
            presentation.wasSent = true
            if joined != nil { presentation.add(entry) }
        }
        presenting.call(process, "didReceive", invocation, params, willSend: willSend) { outcome in
            switch outcome {
            case .success: return .success(result())
            case .failure(let failure):
                let error = RPCError(failure, bundle: process.bundle, invocation.arguments)
                    .with(presentation.drainDiagnostics())
                // A refused notification is not shown; those that it joined are.
                if joined == nil {
                    self.presenting.end(presentation, reason: error.message, isPublished: false)
                } else {
                    self.presentations.leave(notification, presentation, reason: error.message)
                    self.attachments.remove(entry.content.attachments)
                }
                return .failure(error)
            }
        }
        return .later
    }

    /// Judges what was received.
    func arrival(of invocation: Invocation, _ reception: Reception) throws(RPCError) -> ReceivedNotification {
        guard let payload = reception.payload else { preconditionFailure("a beginning has its payload") }
        let arguments = invocation.arguments
        let date = try arguments.time("date") ?? invocation.time(clock)
        let identifier = try arguments.optionalString("identifier")
        let locale = try arguments.locale()
        let verticalSizeClass = try arguments.verticalSizeClass()
        var arrival = ReceivedNotification(
            payload,
            notification: identifiers.uuid(),
            identifier: identifier,
            date: date,
            locale: locale,
            verticalSizeClass: verticalSizeClass
        )
        if let remark = whyNotServed(payload, arguments) { arrival.addDiagnostic(remark) }
        return arrival
    }

    /// Which other bundles registered the category in vain, where there are any.
    private func whoElseShows(
        _ category: String,
        but process: ExtensionProcess,
        _ arguments: Arguments
    ) -> Diagnostic? {
        let others = extensions.catalog.bundles(forCategory: category).dropFirst().map(\.identifier)
        guard !others.isEmpty else { return nil }
        let text =
            "\(others.joined(separator: ", ")) registered the category \(category) too; "
            + "\(process.bundle.identifier) shows it, its identifier comes first"
        return Diagnostic("categoryConflict", text, path: arguments.path("payload") + "/aps/category")
    }

    /// What a bundle's author should rename so that its view takes touches on a phone too.
    private func whyTouchesFailOnPhones(_ bundle: ExtensionBundle) -> Diagnostic? {
        guard bundle.reliesOnMisspeltInteractionKey else { return nil }
        let text =
            "\(bundle.identifier) takes touches by \(ExtensionBundle.misspeltInteractionKey), "
            + "which iOS ignores; rename the key in its Info.plist to \(ExtensionBundle.interactionKey)"
        return Diagnostic("ignoredInfoKey", text)
    }

    /// Why the system shows a notification itself, with names that were perhaps meant.
    private func whyNoExtension(_ arrival: ReceivedNotification, _ arguments: Arguments) -> Diagnostic {
        let category = arrival.content.category
        let path = arguments.path("payload") + "/aps/category"
        let isOfPayload = category == arrival.payload.category
        let unknown = UnknownCategory(
            category,
            known: extensions.contentBundles.flatMap(\.categories),
            problem: extensions.categoryProblem
        )
        return Diagnostic("noExtension", unknown.text, path: isOfPayload ? path : nil)
    }

    /// Answers a notification without an alert: nothing is shown, no extension runs, and no presentation begins.
    func showNothing(of arrival: ReceivedNotification, _ arguments: Arguments) -> JSON {
        let reason = "it has no alert"
        presentations.dismissUnshown(arrival.notification, reason: reason)
        let whereTo = arrival.payload.isContentAvailable ? "; content-available 1 hands it to the app alone" : ""
        let text =
            "the notification has no alert, that is, no text in title, subtitle or body: "
            + "a phone shows nothing of it and runs no extension" + whereTo
        let place = arguments.path("payload") + arrival.payload.alertPath
        let diagnostics = arrival.diagnostics + [Diagnostic("noAlert", text, path: place)]
        return [
            "notification": .string(arrival.notification), "extension": .null, "content": arrival.content.summary,
            "layout": .null, "view": arrival.content.defaultView, "actions": [],
            "diagnostics": JSON(diagnostics.map(\.json)),
        ]
    }

    /// Ends the oldest presentations while more notifications are shown than may be.
    ///
    /// - Parameter newest: What was shown last; where nothing else is shown, the notifications that joined it first go.
    func endSurplus(keeping newest: Presentation) {
        let limit = configuration.presentations
        let reason = "more than \(limit) notifications were shown, and it was the oldest"
        while presentations.count > limit {
            if let oldest = presentations.visible.first(where: { $0 !== newest }) {
                presenting.end(oldest, reason: reason)
            } else {
                // Its first name is its own, its last that of what was just received.
                guard newest.identifiers.count > 2 else { return }
                let joined = newest.identifiers[1]
                let entry = newest.entries.first { $0.notification == joined }
                presentations.leave(joined, newest, reason: reason)
                attachments.remove(entry?.content.attachments ?? [])
            }
        }
    }

    /// Why the service extension was not asked about a payload whose author may have wished it; a phone says nothing.
    func whyNotServed(_ payload: Payload, _ arguments: Arguments) -> Diagnostic? {
        guard let mutability = payload.mutableContent, mutability != 0, let service = extensions.catalog.service
        else { return nil }
        let text: String
        if mutability != 1 {
            text = "mutable-content must be the integer 1, it is \(mutability)"
        } else if !payload.hasAlert {
            text = "there is no alert that it could change"
        } else {
            return nil
        }
        let path = arguments.path("payload") + "/aps/mutable-content"
        return Diagnostic("serviceSkipped", "\(service.identifier) was not asked: \(text)", path: path)
    }
}
