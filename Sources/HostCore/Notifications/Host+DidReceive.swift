internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
internal import Notifications
internal import Platform
internal import Spelling

extension Host {
    /// Shows a notification: in the extension of its category, else in the system's own view.
    func didReceive(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arrival = try invocation.arrival ?? arrival(of: invocation)
        guard arrival.content.hasAlert else { return .done(showNothing(of: arrival, invocation.arguments)) }
        let notification = arrival.notification
        let process = invocation.process

        let entry = Presentation.Entry(arrival)
        let joined = process.flatMap { notifications.joinable($0, thread: arrival.content.thread) }
        let presentation =
            try joined
            ?? Presentation(
                entry,
                presenter: process,
                category: notifications.categories.first { $0.identifier == arrival.content.category },
                view: try View(arrival.content.defaultView)
            )
        if joined == nil { notifications.begin(presentation) } else { notifications.join(notification, presentation) }
        endSurplus(keeping: presentation)
        for diagnostic in arrival.diagnostics { presentation.addDiagnostic(diagnostic) }
        invocation.presentation = presentation
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
        call(process, "didReceive", invocation, params, willSend: willSend) { outcome in
            switch outcome {
            case .success: return .success(result())
            case .failure(let failure):
                let error = RPCError(failure, bundle: process.bundle, invocation.arguments)
                    .with(presentation.drainDiagnostics())
                // A refused notification is not shown; those that it joined are.
                if joined == nil {
                    self.end(presentation, reason: error.message, isTold: false)
                } else {
                    self.notifications.leave(notification, presentation, reason: error.message)
                    self.attachments?.remove(entry.content.attachments)
                }
                return .failure(error)
            }
        }
        return .later
    }

    /// Judges what was received.
    func arrival(of invocation: Invocation) throws(RPCError) -> ReceivedNotification {
        guard let payload = invocation.payload else { preconditionFailure("a beginning has its payload") }
        let arguments = invocation.arguments
        let date = try arguments.time("date") ?? invocation.time(self)
        let identifier = try arguments.optionalString("identifier")
        let locale = try arguments.locale()
        let verticalSizeClass = try arguments.verticalSizeClass()
        var arrival = ReceivedNotification(
            payload,
            notification: random.uuid(),
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
        let others = extensions.catalog(self).bundles(forCategory: category).dropFirst().map(\.identifier)
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
        return Diagnostic("noExtension", whyNoExtension(category), path: isOfPayload ? path : nil)
    }

    private func whyNoExtension(_ category: String) -> String {
        guard !category.isEmpty else { return "the payload names no category, so no extension shows it" }
        let catalog = extensions.catalog(self)
        let all = catalog.bundles.filter { $0.point == .content }.flatMap(\.categories)
        let near = Set(all.filter { EditDistance.isNear($0, category) }).sorted()
        var text = "no extension registered the category \(category)"
        if !near.isEmpty {
            text += "; did you mean \(near.joined(separator: " or "))?"
        } else {
            text +=
                all.isEmpty ? "; there are no extensions" : "; there are \(Set(all).sorted().joined(separator: ", "))"
        }
        let problems = catalog.problems + catalog.bundles.flatMap(\.problems)
        if let problem = problems.first(where: { $0.key == ExtensionBundle.categoryKey }) {
            text += "; note \(problem)"
        }
        return text
    }
}
