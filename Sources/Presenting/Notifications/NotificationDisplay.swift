package import Calls
package import Configuration
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Localization
internal import Notifications
package import Platform

/// Shows notifications: in the view of their category's extension, otherwise in the system's default view.
package final class NotificationDisplay {
    private let configuration: HostConfiguration
    private let clock: Clock
    private let identifiers: IdentifierGenerator
    private let extensions: Extensions
    private let presentations: Presentations
    private let presenting: PresentationService
    private let attachments: Attachments

    package init(
        _ configuration: HostConfiguration,
        _ clock: Clock,
        _ identifiers: IdentifierGenerator,
        _ extensions: Extensions,
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

    /// Shows a notification: in the view of its category's extension, otherwise in the system's default view.
    ///
    /// - Precondition: Its payload was read, and no other extension has it.
    func show(_ arrival: Arrival, _ invocation: Invocation) throws -> HostMethod.Outcome {
        let received: ReceivedNotification
        switch arrival.reception {
        case .payload(let payload): received = try makeReceivedNotification(payload, invocation)
        case .ready(let changed): received = changed
        case .template, .rendering, .changing, .shown: preconditionFailure("it cannot be shown: \(arrival.reception)")
        }
        guard received.content.hasAlert else { return .done(showNothing(of: received, invocation.arguments)) }
        let notification = received.notification
        let process = arrival.process
        let isExpanded = try invocation.arguments.optional("expand", .bool) ?? true

        let entry = Presentation.Entry(received)
        let joined = process.flatMap { presentations.joinable($0, thread: received.content.thread) }
        let presentation =
            try joined
            ?? Presentation(
                entry,
                presenter: process,
                category: presentations.categories.first { $0.identifier == received.content.category },
                view: try ViewTree(isExpanded ? received.content.defaultView : Self.emptyView)
            )
        // An extension that is visible gets a later notification of its thread at once, as on a phone.
        if !isExpanded, joined == nil { presentation.delivered = received }
        if joined == nil { presentations.begin(presentation) } else { presentations.join(notification, presentation) }
        endExcessPresentations(keeping: presentation)
        for diagnostic in received.diagnostics { presentation.addDiagnostic(diagnostic) }
        arrival.handle(.presented(received, presentation))
        let makeResult = {
            let rest: MemberList = ["diagnostics": JSON(presentation.drainDiagnostics().map(\.json))]
            return JSON(present: presentation.members(of: notification, received.content) + rest)
        }
        guard let process else {
            presentation.addDiagnostic(missingExtension(received, invocation.arguments))
            return .done(makeResult())
        }
        if let conflict = categoryConflict(received.content.category, shownBy: process, invocation.arguments) {
            presentation.addDiagnostic(conflict)
        }
        if let misspelling = misspeltInteractionKey(process.bundle) { presentation.addDiagnostic(misspelling) }
        guard presentation.delivered == nil else { return .done(makeResult()) }
        let params = params(received, presentation, process)
        let outlivesProcess = !presentation.wasSent
        let willSend = {
            presentation.wasSent = true
            // `join` above made only its id known. From now on, records that the extension saves without a user belong to
            // this notification's user.
            if joined != nil { presentation.add(entry) }
        }
        presenting.call(process, "didReceive", invocation, params, outlivesProcess: outlivesProcess, willSend: willSend)
        { outcome in
            switch outcome {
            case .success: return .success(makeResult())
            case .failure(let failure):
                let error = RPCError(failure, bundle: process.bundle, invocation.arguments)
                    .with(presentation.drainDiagnostics())
                // The notification is not shown; the presentation that it was to join stays as it was.
                if joined == nil {
                    self.presenting.end(presentation, reason: error.message, isPublished: false)
                } else {
                    self.presentations.remove(notification, from: presentation, reason: error.message)
                    // It is no entry of the presentation if the call was not sent.
                    self.attachments.remove(entry.content.attachments)
                }
                return .failure(error)
            }
        }
        return .later
    }

    /// Expands a notification that was only delivered: its extension gets it now.
    ///
    /// If the extension fails, it stays a banner, unless the process has ended.
    package func expand(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let presentation = try presentations.live(invocation)
        guard let received = presentation.delivered else { return .done(presenting.state(of: presentation)) }
        presentation.delivered = nil
        let (view, actions, media) = (presentation.view, presentation.extensionActions, presentation.media)
        presentation.view = try ViewTree(received.content.defaultView)
        guard let process = presentation.process else { return .done(presenting.state(of: presentation)) }
        presenting.call(
            process,
            "didReceive",
            invocation,
            params(received, presentation, process),
            outlivesProcess: true,
            willSend: { presentation.wasSent = true }
        ) { outcome in
            outcome.map { _ in self.presenting.state(of: presentation) }
                .mapError { failure in
                    presentation.delivered = received
                    presentation.wasSent = false
                    // What the extension has set is no part of a banner.
                    (presentation.view, presentation.extensionActions, presentation.media) = (view, actions, media)
                    return RPCError(failure, bundle: process.bundle, invocation.arguments)
                        .with(presentation.drainDiagnostics())
                }
        }
        return .later
    }

    /// The view of a notification that is not expanded.
    private static let emptyView: JSON = ["type": "stack", "children": []]

    /// The params of `didReceive` of the extension; texts that cannot be read become diagnostics.
    private func params(
        _ received: ReceivedNotification,
        _ presentation: Presentation,
        _ process: ExtensionProcess
    ) -> MemberList {
        let (texts, mistakes) = texts(of: process, for: received)
        for mistake in mistakes { presentation.addDiagnostic(mistake) }
        return ["request": received.request, "actions": JSON(presentation.actions.map(\.json)), "texts": texts]
    }

    /// The texts of the extension for the notification's locale; nil if they are those that it got with `activate`.
    ///
    /// Files that cannot be read become diagnostics, unless the notification has these already.
    func texts(of process: ExtensionProcess, for received: ReceivedNotification) -> (JSON?, mistakes: [Diagnostic]) {
        let strings = process.localizedStrings
        let locale = configuration.locale(named: received.locale)
        // With the host's locale the extension has its texts already, and the files need not be read for each notification.
        let table = locale == configuration.locale ? nil : strings.table(locale: locale)
        let mistakes = (table?.failures ?? strings.failures(locale: locale))
            .map { "\(process.bundle.identifier): \($0)" }
            .filter { text in !received.diagnostics.contains { $0.problem == text } }
            .map { Diagnostic("unreadableStrings", $0) }
        guard let table, table.texts != strings.table(locale: configuration.locale).texts else {
            return (nil, mistakes)
        }
        return (table.json, mistakes)
    }

    /// Makes the notification of a payload and the other parameters, with a new id and its diagnostics.
    func makeReceivedNotification(_ payload: Payload, _ invocation: Invocation) throws(RPCError) -> ReceivedNotification
    {
        let arguments = invocation.arguments
        let date = try arguments.time("date") ?? invocation.time(clock)
        let identifier = try arguments.optionalString("identifier")
        let locale = try arguments.locale()
        let verticalSizeClass = try arguments.verticalSizeClass()
        var received = ReceivedNotification(
            payload,
            notification: identifiers.uuid(),
            identifier: identifier,
            date: date,
            locale: locale,
            verticalSizeClass: verticalSizeClass
        )
        if let skip = skippedService(payload, arguments) { received.addDiagnostic(skip) }
        if let locale, !LanguageTag.isValid(locale) {
            let text = "the locale \(JSON.string(locale).excerpt()) is not \(LanguageTag.rule), so no text is in it"
            received.addDiagnostic(Diagnostic("unknownLocale", text, path: arguments.path("locale")))
        }
        return received
    }

    /// The diagnostic for a category that other bundles registered too.
    private func categoryConflict(
        _ category: String,
        shownBy process: ExtensionProcess,
        _ arguments: Arguments
    ) -> Diagnostic? {
        let others = extensions.catalog.bundles(forCategory: category).dropFirst().map(\.identifier)
        guard !others.isEmpty else { return nil }
        let text =
            "\(others.joined(separator: ", ")) registered the category \(category) too; "
            + "\(process.bundle.identifier) shows it, its identifier comes first"
        return Diagnostic("categoryConflict", text, path: arguments.path("payload") + "/aps/category")
    }

    /// The diagnostic for a bundle that enables touches only by the key that iOS ignores.
    private func misspeltInteractionKey(_ bundle: ExtensionBundle) -> Diagnostic? {
        guard bundle.reliesOnMisspeltInteractionKey else { return nil }
        let text =
            "\(bundle.identifier) enables touches by \(ExtensionBundle.misspeltInteractionKey), "
            + "which iOS ignores; rename the key in its Info.plist to \(ExtensionBundle.interactionKey)"
        return Diagnostic("ignoredInfoKey", text)
    }

    /// The diagnostic for a notification that no extension shows; it suggests categories of a similar name.
    private func missingExtension(_ received: ReceivedNotification, _ arguments: Arguments) -> Diagnostic {
        let category = received.content.category
        let path = arguments.path("payload") + "/aps/category"
        let isOfPayload = category == received.payload.category
        let unknown = UnknownCategory(
            category,
            known: extensions.contentBundles.flatMap(\.categories),
            problem: extensions.categoryProblem,
            folders: extensions.searchedFolders
        )
        return Diagnostic("noExtension", unknown.text, path: isOfPayload ? path : nil)
    }

    /// Answers a notification without an alert: nothing is shown, no extension runs, and no presentation begins.
    private func showNothing(of received: ReceivedNotification, _ arguments: Arguments) -> JSON {
        let reason = "it has no alert"
        presentations.rememberUnshown(received.notification, reason: reason)
        let appNote = received.payload.isContentAvailable ? "; content-available 1 hands it to the app alone" : ""
        let text =
            "the notification has no alert, that is, no text in title, subtitle or body: "
            + "a phone shows nothing of it and runs no extension" + appNote
        let place = arguments.path("payload") + received.payload.alertPath
        let diagnostics = received.diagnostics + [Diagnostic("noAlert", text, path: place)]
        return [
            "notification": .string(received.notification), "extension": .null, "content": received.content.summary,
            "layout": .null, "view": received.content.defaultView, "actions": [],
            "diagnostics": JSON(diagnostics.map(\.json)),
        ]
    }

    /// Ends the oldest presentations while more notifications are shown than the configuration allows.
    ///
    /// - Parameter newest: The presentation that was shown last. If it is the only one, the notifications that joined it
    ///   first are removed from it.
    private func endExcessPresentations(keeping newest: Presentation) {
        let limit = configuration.presentations
        let reason = "more than \(limit) notifications were shown, and it was the oldest"
        while presentations.notificationCount > limit {
            if let oldest = presentations.visible.first(where: { $0 !== newest }) {
                presenting.end(oldest, reason: reason)
            } else {
                // The first identifier is the presentation's own, the last is that of the notification just received.
                guard newest.identifiers.count > 2 else { return }
                let joined = newest.identifiers[1]
                presentations.remove(joined, from: newest, reason: reason)
            }
        }
    }

    /// The diagnostic for a payload that sets `mutable-content`, but to a wrong value or without an alert, so that the
    /// service extension is not called; iOS gives no reason.
    private func skippedService(_ payload: Payload, _ arguments: Arguments) -> Diagnostic? {
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
