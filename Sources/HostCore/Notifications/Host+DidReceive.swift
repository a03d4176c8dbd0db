internal import ExtensionHost
internal import JSON
internal import JSONRPC

extension Host {
    /// Shows a notification: in the extension of its category, else in the system's own view.
    func didReceive(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let date = try arguments.time("date") ?? invocation.time(self)
        let identifier = try arguments.optionalString("identifier")
        let locale = try arguments.optionalString("locale")
        guard let payload = invocation.payload else { preconditionFailure("a beginning has its payload") }
        let notification = chance.uuid()
        let process = invocation.process

        let entry = Presentation.Entry(notification: notification, payload: payload, date: date)
        let joined = process.flatMap { notifications.joinable($0, payload) }
        let presentation =
            try joined
            ?? Presentation(
                entry,
                process: process,
                category: notifications.categories.first { $0.identifier == payload.category },
                view: try View(payload.defaultView)
            )
        if joined == nil { notifications.begin(presentation) } else { notifications.join(notification, presentation) }
        for diagnostic in payload.diagnostics { presentation.note(diagnostic) }
        invocation.presentation = presentation
        let result = { [notification] in
            JSON.object(
                JSON.Object(
                    [("notification", .string(notification)), ("extension", JSON(process?.bundle.identifier))]
                        + presentation.display
                        + [("diagnostics", JSON(presentation.takeDiagnostics().map(\.json)))]
                )
            )
        }
        guard let process else {
            let path = arguments.path("payload") + "/aps/category"
            presentation.note(Diagnostic("noExtension", whyNoExtension(payload.category), path: path))
            return .done(result())
        }
        let others = extensions.catalog(self).bundles(forCategory: payload.category).dropFirst().map(\.identifier)
        if !others.isEmpty {
            let text =
                "\(others.joined(separator: ", ")) registered the category \(payload.category) too; "
                + "\(process.bundle.identifier) shows it, its identifier comes first"
            presentation.note(Diagnostic("categoryConflict", text, path: arguments.path("payload") + "/aps/category"))
        }
        var request: [(String, JSON)] = [
            ("identifier", .string(identifier ?? notification)),
            ("date", .string(Timestamp.format(date))),
            ("content", payload.content),
        ]
        if let locale { request.append(("locale", .string(locale))) }
        let params = [("request", JSON.object(JSON.Object(request)))]
        // What the extension saves meanwhile is about this notification's user.
        let willSend = {
            presentation.isSent = true
            if joined != nil { presentation.add(entry) }
        }
        call(process, "didReceive", invocation, params, willSend: willSend) { outcome in
            switch outcome {
            case .success: return .success(result())
            case .failure(let error):
                // A refused notification is not shown; those that it joined are.
                if joined == nil {
                    self.end(presentation, reason: error.message, isTold: false)
                } else {
                    self.notifications.leave(notification, presentation, reason: error.message)
                }
                return .failure(error)
            }
        }
        return .later
    }

    /// Why the system shows a notification itself, with names that were perhaps meant.
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
        if let problem = problems.first(where: { $0.message.contains("ExtensionCategory") }) {
            text += "; note \(problem)"
        }
        return text
    }
}
