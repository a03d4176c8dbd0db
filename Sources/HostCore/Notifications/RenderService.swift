internal import JSON
internal import JSONRPC
internal import Notifications

/// Renders notifications for clients that do not draw views themselves.
final class RenderService {
    /// What a notification can be rendered to.
    private enum Format: String, CaseIterable {
        /// A page for a browser.
        case html
        /// Lines of text.
        case text
    }

    private let configuration: HostConfiguration
    private let presentations: Presentations

    init(_ configuration: HostConfiguration, _ presentations: Presentations) {
        self.configuration = configuration
        self.presentations = presentations
    }

    /// Renders the presentation of a call as it is now.
    func render(_ invocation: Invocation) throws(RPCError) -> JSON {
        let arguments = invocation.arguments
        let presentation = try presentations.live(invocation)
        let format = try arguments.required("format", ExpectedValue<Format>.choice)
        let newest = presentation.newest
        let shown = JSON.object(JSON.Object(presentation.members(of: presentation.identifier, newest.content)))
        switch format {
        case .html: return ["text": ""]
        case .text: return ["text": .string(NotificationTextRenderer.render(shown) ?? "")]
        }
    }
}
