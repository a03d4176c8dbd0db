internal import BrazeRules
package import Calls
package import Configuration
internal import Contract
package import ExtensionHost
package import JSON
package import JSONRPC
internal import NotificationHTML
package import Notifications
package import Platform
internal import Spelling

/// Handles calls about presentations: passes them to the extensions and applies the replies to the presentations.
package final class PresentationService {
    private let configuration: HostConfiguration
    private let clock: Clock
    private let presentations: Presentations
    private let outbox: Outbox

    package init(
        _ configuration: HostConfiguration,
        _ clock: Clock,
        _ presentations: Presentations,
        _ outbox: Outbox
    ) {
        self.configuration = configuration
        self.clock = clock
        self.presentations = presentations
        self.outbox = outbox
    }

    /// Passes a touch to the extension, if its property list enables user interaction.
    package func interact(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let presentation = try presentations.live(invocation)
        let element = try arguments.string("element")
        guard let process = presentation.process, process.bundle.userInteractionEnabled else {
            let who = presentation.process?.bundle.identifier
            throw HostError.interactionDisabled(
                who.map {
                    "\($0) takes no touches: set UNNotificationExtensionUserInteractionEnabled in its Info.plist"
                }
                    ?? "the system's own view takes no touches",
                path: arguments.path("notification")
            )
        }
        guard presentation.delivered == nil else {
            throw HostError.unknownElement(
                "the notification is not expanded, so it has no elements; call expand first",
                path: arguments.path("element"),
                details: ["elements": []]
            )
        }
        guard presentation.view.elements.contains(element) else {
            throw unknownElement(element, in: presentation.view, path: arguments.path("element"))
        }
        let value = arguments["value"]
        let depth = configuration.recordLimits.depth
        guard value?.nests(within: depth) != false else {
            throw RPCError.invalidParams(path: arguments.path("value"), "value nests at most \(depth) deep")
        }
        let type = presentation.view.type(ofElement: element)
        call(process, "interact", invocation, ["element": .string(element), "value": value]) { outcome in
            outcome.map { _ in
                if let type, ViewTree.labels.contains(type) {
                    let text =
                        "\(element) is a \(type), which takes no touches on a phone, but the extension accepted this one; "
                        + "refuse elements that do nothing, or show a button"
                    presentation.addDiagnostic(Diagnostic("touchedLabel", text, path: arguments.path("element")))
                }
                return self.state(of: presentation)
            }
            .mapError { RPCError($0, bundle: process.bundle, arguments) }
        }
        return .later
    }

    /// The error for an element that the view does not have; it suggests a similar name or lists the elements.
    private func unknownElement(_ element: String, in view: ViewTree, path: String) -> RPCError {
        let shown = view.elements.prefix(Self.listedElements)
        let rest = view.elements.count - shown.count
        let list = shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        let advice =
            EditDistance.nearest(element, in: view.elements).map { "did you mean \($0)?" }
            ?? (shown.isEmpty ? "none of its nodes has an id" : "it has \(list)")
        return HostError.unknownElement(
            "the view has no element \(JSON.string(element).excerpt()); \(advice)",
            path: path,
            details: ["elements": JSON(shown.map(JSON.string))]
        )
    }

    /// The greatest number of elements that an error lists.
    private static let listedElements = 100

    /// Calls an extension about the invocation's presentation, and answers the invocation with the result.
    ///
    /// A reply without a response option is an error if the call needs one. `answer` makes the result when that is sent, after the
    /// commit; it may end the presentation and publish.
    package func call(
        _ process: ExtensionProcess,
        _ method: String,
        _ invocation: Invocation,
        _ params: MemberList,
        needsOption: Bool = false,
        outlivesProcess: Bool = false,
        willSend: @escaping () -> Void = {},
        _ answer: @escaping (Result<ContentExtensionReply, ExtensionFailure>) -> Result<JSON, RPCError>
    ) {
        guard let presentation = invocation.presentation else { preconditionFailure("\(method) has no presentation") }
        let params = JSON(present: ["notification": .string(presentation.identifier)] + params)
        invocation.peer.scheduler.begin(invocation)
        process.call(method, params: params, outlivesProcess: outlivesProcess, willSend: willSend) { result in
            // A call that waited for this one starts after the outbox has called `answer`, which may end the presentation.
            invocation.peer.scheduler.end(invocation)
            let outcome = result.flatMap { value in
                Result { () throws(ReplyError) in
                    try ContentExtensionReply(value, needsOption: needsOption)
                }
                .mapError { ExtensionFailure(reason: .badReply($0.text), wasSent: true) }
            }
            if case .success(let reply) = outcome { presentation.apply(reply) }
            let change = process.noticeChangedFiles()
            if case .success = outcome, let change { presentation.addDiagnostic(Diagnostic("bundleChanged", change)) }
            self.outbox.finishLate(invocation.call) {
                answer(outcome).mapError { error in change.map { error.adding($0) } ?? error }
            }
        }
    }

    /// Passes a press of the media button to the extension: `mediaPlay` or `mediaPause`.
    package func playMedia(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let presentation = try presentations.live(invocation)
        guard let process = presentation.process, let media = presentation.media, media.kind != .none else {
            throw HostError.noMediaButton(
                "the notification \(presentation.identifier) offers no media button",
                path: invocation.arguments.path("notification")
            )
        }
        let method = invocation.methodName
        call(process, method, invocation, [:]) { outcome in
            outcome.map { reply in
                // The button shows the requested state unless the reply gives another one.
                if reply.media?.isPlaying == nil { presentation.media?.isPlaying = method == "mediaPlay" }
                return self.state(of: presentation)
            }
            .mapError { RPCError($0, bundle: process.bundle, invocation.arguments) }
        }
        return .later
    }

    /// Moves the fixed clock forward, and lets the extension run its timers until then.
    package func advanceClock(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let presentation = try presentations.live(invocation)
        let milliseconds = try arguments.required("milliseconds", .integer(in: 1...Self.longestAdvance))
        guard clock.isFixed else {
            throw HostError.clockNotFixed(
                "the host's clock is the system's, which cannot be moved; start the host with --clock",
                path: arguments.path("milliseconds")
            )
        }
        clock.advance(by: milliseconds)
        guard let process = presentation.process, presentation.delivered == nil else {
            return .done(state(of: presentation))
        }
        call(process, "advanceClock", invocation, ["time": .string(Timestamp.format(clock.wallTime()))]) { outcome in
            switch outcome {
            case .failure(let failure):
                // An extension without this method has no timers.
                guard case .refused(let error) = failure.reason, error.code == .methodNotFound else {
                    return .failure(RPCError(failure, bundle: process.bundle, arguments))
                }
                return .success(self.state(of: presentation))
            case .success: return .success(self.state(of: presentation))
            }
        }
        return .later
    }

    /// The longest time by which the clock moves at once, in milliseconds: a day.
    private static let longestAdvance: Int64 = 86_400_000

    /// The state of a presentation for a reply, with the diagnostics that no reply has reported yet.
    package func state(of presentation: Presentation) -> JSON {
        let newDiagnostics = JSON(nonEmpty: presentation.drainDiagnostics().map(\.json))
        return JSON(present: presentation.shownMembers + ["diagnostics": newDiagnostics])
    }

    /// Ends a presentation and notifies its extension, and subscribers if they know of it.
    package func end(_ presentation: Presentation, reason: String, isPublished: Bool = true) {
        guard presentation.endReason == nil else { return }
        presentations.close(presentation, reason: reason, isPublished: isPublished)
        guard presentation.delivered == nil else { return }
        presentation.process?.session?.notify("didDismiss", params: ["notification": .string(presentation.identifier)])
    }
}

/// Renders notifications for clients that do not draw views themselves.
package final class RenderService {
    /// The form in which a notification is rendered.
    private enum Format: String, CaseIterable {
        /// A page for a browser.
        case html
        /// A drawing as text.
        case text
        /// The drawing in pieces, each with its role and with what a press on it means.
        case lines
    }

    private let configuration: HostConfiguration
    private let presentations: Presentations

    package init(_ configuration: HostConfiguration, _ presentations: Presentations) {
        self.configuration = configuration
        self.presentations = presentations
    }

    /// Renders the presentation of a call as it is now.
    package func render(_ invocation: Invocation) throws(RPCError) -> JSON {
        let presentation = try presentations.live(invocation)
        let format = try invocation.arguments.required("format", ExpectedValue<Format>.choice)
        let scheme = try invocation.arguments.optional("scheme", ExpectedValue<HTMLRenderer.Scheme>.choice)
        let width = try invocation.arguments.optionalInteger("width", in: 1...1_000)
        let content = presentation.newest.content
        let shown = JSON(present: presentation.members(of: presentation.identifier, content))
        switch format {
        case .html: return ["text": .string(page(shown, presentation.newest.locale, scheme ?? .automatic))]
        case .text: return ["text": .string(NotificationDrawer.text(shown) ?? "")]
        case .lines:
            let drawer = NotificationDrawer(BoxDrawer(.unicode), width: Int(width ?? .max))
            return ["lines": JSON(drawer.draw(ShownNotification(shown)).lines.map(\.json))]
        }
    }

    private func page(_ shown: JSON, _ locale: String?, _ scheme: HTMLRenderer.Scheme) -> String {
        var settings = HTMLRenderer.Settings()
        settings.scheme = scheme
        settings.images = LocalImages(allowsRemote: false).source
        let notification = ShownNotification(shown)
        let title = notification.title.isEmpty ? "Notification" : notification.title
        return HTMLRenderer(settings).page([("", notification, locale ?? configuration.locale)], title: title)
    }
}
