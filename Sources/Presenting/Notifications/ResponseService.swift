package import Calls
package import Configuration
internal import Contract
internal import ExtensionHost
internal import JSON
internal import JSONRPC
package import Notifications
package import Suites

/// Handles responses to notifications (a button, a tap or a dismissal) in the extension, or forwards them to the app.
package final class ResponseService {
    private let configuration: HostConfiguration
    private let presentations: Presentations
    private let presenting: PresentationService
    private let publisher: Publisher
    /// Called with the suites of an app that is opened, of which a policy may want a flush.
    private let onOpen: ([SuiteName]) -> Void

    package init(
        _ configuration: HostConfiguration,
        _ presentations: Presentations,
        _ presenting: PresentationService,
        _ publisher: Publisher,
        onOpen: @escaping ([SuiteName]) -> Void
    ) {
        self.configuration = configuration
        self.presentations = presentations
        self.presenting = presenting
        self.publisher = publisher
        self.onOpen = onOpen
    }

    /// Passes a response to the extension, and forwards it to the app if the extension does not handle it.
    package func didReceiveResponse(_ invocation: Invocation) throws -> HostMethod.Outcome {
        let arguments = invocation.arguments
        let presentation = try presentations.live(invocation)
        let identifier = try arguments.string("actionIdentifier")
        let userText = try arguments.optionalString("userText")
        try check(identifier, userText, of: presentation, arguments)
        // The extension may replace the actions during the call.
        let action = presentation.actions.first { $0.identifier.utf8.elementsEqual(identifier.utf8) }
        let isForeground = identifier == OfferedAction.defaultIdentifier || action?.isForeground == true
        let response = ActionResponse(
            presentation: presentation,
            action: identifier,
            isForeground: isForeground,
            userText: userText
        )

        let isDismissal = identifier == OfferedAction.dismissIdentifier
        if isDismissal, presentation.category?.options.contains("customDismissAction") != true {
            // iOS reports a dismissal only if the category has the option customDismissAction.
            return .done(conclude(response, option: .dismiss, isForwarded: false))
        }
        // A tap on a banner, and its dismissal, are the app's.
        guard let process = presentation.process, presentation.delivered == nil else {
            return .done(conclude(response, option: isDismissal ? .dismiss : .dismissAndForward, isForwarded: true))
        }
        let params: MemberList = ["actionIdentifier": .string(identifier), "userText": userText.map(JSON.string)]
        presenting.call(process, "didReceiveResponse", invocation, params, needsOption: true) { outcome in
            switch outcome {
            case .success(let reply):
                guard let option = reply.option else { preconditionFailure("a response's reply has its option") }
                let isForwarded = option == .dismissAndForward
                return .success(
                    self.conclude(response, option: option, isForwarded: isForwarded, url: reply.applicationURL)
                )
            case .failure(let failure):
                guard case .refused(let error) = failure.reason, error.code == .methodNotFound else {
                    return .failure(RPCError(failure, bundle: process.bundle, arguments))
                }
                // An extension without a response handler leaves its actions to the app.
                return .success(self.conclude(response, option: .dismissAndForward, isForwarded: true))
            }
        }
        return .later
    }

    private struct ActionResponse {
        let presentation: Presentation
        let action: String
        /// Whether the app is opened if it gets the response; otherwise it handles it in the background.
        let isForeground: Bool
        let userText: String?
    }

    private func check(
        _ identifier: String,
        _ userText: String?,
        of presentation: Presentation,
        _ arguments: Arguments
    ) throws(RPCError) {
        let system = [OfferedAction.defaultIdentifier, OfferedAction.dismissIdentifier]
        let action = presentation.actions.first { $0.identifier.utf8.elementsEqual(identifier.utf8) }
        guard action != nil || system.contains(identifier) else {
            let offered = presentation.actions.map(\.identifier)
            throw HostError.unknownAction(
                "the notification does not offer the action \(JSON.string(identifier).excerpt()); it offers "
                    + (presentation.delivered != nil
                        ? "none before it is expanded; call expand first"
                        : offered.isEmpty ? "no actions" : offered.joined(separator: ", ")),
                path: arguments.path("actionIdentifier"),
                details: ["offered": JSON(offered.map(JSON.string))]
            )
        }
        let acceptsText = action?.textInput != nil
        if acceptsText, userText == nil {
            throw .invalidParams(path: arguments.path("userText"), "the action \(identifier) needs userText")
        }
        if !acceptsText, userText != nil {
            throw .invalidParams(path: arguments.path("userText"), "the action \(identifier) takes no text")
        }
    }

    /// Ends the presentation if the option says so, and returns the result of the response.
    ///
    /// The app may get a response that dismisses: iOS forwards a dismissal of the system's own view.
    private func conclude(
        _ response: ActionResponse,
        option: ResponseOption,
        isForwarded: Bool,
        url: ApplicationURL? = nil
    ) -> JSON {
        let presentation = response.presentation
        // The extension may have dismissed it during the call.
        let option = option == .doNotDismiss && presentation.endReason != nil ? .dismiss : option
        // A URL of the extension opens the app with any action.
        let isOpened = isForwarded && (response.isForeground || url != nil)
        let link = isOpened ? presentation.link(of: response.action, url) : nil
        let diagnostics = presentation.drainDiagnostics()
        let members =
            ["option": .string(option.rawValue)] + (option == .doNotDismiss ? presentation.shownMembers : [:])
            + ["forwarded": .bool(isForwarded), "background": isForwarded && !isOpened ? true : nil]
            + (link?.members ?? [:]) + ["diagnostics": JSON(nonEmpty: diagnostics.map(\.json))]
        if isOpened { openApplication(presentation, response.action, userText: response.userText, link) }
        if option != .doNotDismiss { presenting.end(presentation, reason: "\(option) after \(response.action)") }
        return JSON(present: members)
    }

    /// Notifies subscribers that an action opens the app, with the link that the app is to open.
    package func openApplication(
        _ presentation: Presentation,
        _ action: String,
        userText: String? = nil,
        _ link: ApplicationLink?
    ) {
        // The app shares the extension's App Groups; without an extension it uses the default suite.
        let groups = presentation.process?.bundle.applicationGroups ?? [configuration.defaultSuite]
        onOpen(groups.compactMap { SuiteName($0) })
        publisher.publish(.openApplication) {
            let members: MemberList = [
                "notification": .string(presentation.identifier), "actionIdentifier": .string(action),
                "userText": userText.map(JSON.string),
            ]
            return JSON(present: members + (link?.members ?? [:]))
        }
    }
}
