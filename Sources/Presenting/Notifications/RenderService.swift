package import Calls
package import Configuration
package import JSON
package import JSONRPC
internal import NotificationHTML
internal import Notifications

/// Renders notifications for clients that do not draw views themselves.
package final class RenderService {
    /// What a notification can be rendered to.
    private enum Format: String, CaseIterable {
        /// A page for a browser.
        case html
        /// Lines of text.
        case text
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
        let content = presentation.newest.content
        let shown = JSON(present: presentation.members(of: presentation.identifier, content))
        switch format {
        case .html: return ["text": .string(page(shown, presentation.newest.locale, scheme ?? .automatic))]
        case .text: return ["text": .string(NotificationTextRenderer.render(shown) ?? "")]
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
