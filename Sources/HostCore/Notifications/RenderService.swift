internal import JSON
internal import JSONRPC
internal import NotificationHTML
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

    /// The maximum size of all images of a page, as text in it.
    private static let imageLimit = 10 << 20

    private let configuration: HostConfiguration
    private let presentations: Presentations

    init(_ configuration: HostConfiguration, _ presentations: Presentations) {
        self.configuration = configuration
        self.presentations = presentations
    }

    /// Renders the presentation of a call as it is now.
    func render(_ invocation: Invocation) throws(RPCError) -> JSON {
        let presentation = try presentations.live(invocation)
        let format = try invocation.arguments.required("format", ExpectedValue<Format>.choice)
        let scheme = try invocation.arguments.optional("scheme", ExpectedValue<HTMLRenderer.Scheme>.choice)
        let content = presentation.newest.content
        let shown = JSON.object(JSON.Object(presentation.members(of: presentation.identifier, content)))
        switch format {
        case .html: return ["text": .string(page(shown, presentation.newest.locale, scheme ?? .automatic))]
        case .text: return ["text": .string(NotificationTextRenderer.render(shown) ?? "")]
        }
    }

    private func page(_ shown: JSON, _ locale: String?, _ scheme: HTMLRenderer.Scheme) -> String {
        var settings = HTMLRenderer.Settings()
        settings.scheme = scheme
        settings.images = Self.embeddedImages()
        let notification = ShownNotification(shown)
        let title = notification.title.isEmpty ? "Notification" : notification.title
        return HTMLRenderer(settings).page([("", notification, locale ?? configuration.locale)], title: title)
    }

    /// Embeds local images while they fit into the page.
    ///
    /// After the first one that does not fit, no file is read.
    private static func embeddedImages() -> (String) -> ImageSource {
        let images = LocalImages(allowsRemote: false)
        var room = imageLimit
        return { url in
            guard room > 0 else { return .placeholder("the page has no room for more images") }
            let source = images.source(url)
            guard case .embedded(let text) = source else { return source }
            room -= text.utf8.count
            return room > 0 ? source : .placeholder("the page has no room for it")
        }
    }
}
