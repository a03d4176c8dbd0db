import ExtensionKit
import JSON

/// Braze's push story: pages that the user turns, each with a link that opens in the app.
@main
final class PushStory: NotificationContentExtension, NotificationResponseHandler, InteractionHandler {
    /// The first version with carousels.
    static let contractVersion = "1.1"

    private let context: ExtensionContext
    private var pages: [Story.Page] = []
    private var current = 0

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: DeliveredNotification) {
        let content = notification.request.content
        let story = Story(content.userInfo)
        for diagnostic in story.diagnostics { context.addDiagnostic(reason: diagnostic.reason, diagnostic.message) }
        (pages, current) = (story.pages, 0)
        context.view = pages.isEmpty ? alert(content) : view
    }

    func interact(_ interaction: Interaction) throws {
        switch interaction.element {
        case "story": try turn(to: interaction.value?.integer.flatMap { Int(exactly: $0) })
        case "previous": try turn(to: current - 1)
        case "next": try turn(to: current + 1)
        case id(ofImage: current) where !pages.isEmpty:
            try context.performNotificationDefaultAction(url: pages[current].link)
        default:
            throw ExtensionError(
                reason: "notTouchable",
                "the element \(interaction.element) cannot be touched: touch the current page's image, previous or next, "
                    + "or swipe story with a page's number as value",
                path: "/params/element"
            )
        }
    }

    func didReceive(
        _ response: NotificationResponse,
        completionHandler completion: @escaping @Sendable (NotificationContentExtensionResponseOption) -> Void
    ) {
        switch response.actionIdentifier {
        case NotificationResponse.dismissActionIdentifier: completion(.dismiss)
        case NotificationResponse.defaultActionIdentifier:
            context.applicationURL = pages.isEmpty ? nil : pages[current].link
            completion(.dismissAndForwardAction)
        // The app decides what a button of the category opens.
        default: completion(.dismissAndForwardAction)
        }
    }

    private func turn(to page: Int?) throws {
        guard let page, pages.indices.contains(page) else {
            throw ExtensionError(
                reason: "noSuchPage",
                "the story has the pages 0 to \(pages.count - 1), and page \(current) is shown",
                path: "/params/value"
            )
        }
        current = page
        context.view = view
    }

    // MARK: The view

    private func id(ofImage page: Int) -> String { "page-\(page)" }

    private var view: View {
        let carousel = View.carousel(pages.indices.map(page), id: "story", page: current)
        let buttons: [View] =
            (current > 0 ? [.button(context.localizedString(forKey: "PREVIOUS"), id: "previous")] : [])
            + (current < pages.count - 1 ? [.button(context.localizedString(forKey: "NEXT"), id: "next")] : [])
        return buttons.isEmpty ? carousel : .stack([carousel, .row(buttons)])
    }

    private func page(_ number: Int) -> View {
        let page = pages[number]
        let label = context.localizedString(forKey: "PAGE", String(number + 1), String(pages.count))
        let texts: [View] =
            (page.title.isEmpty ? [] : [.text(page.title, style: .title, alignment: page.titleAlignment)])
            + (page.subtitle.isEmpty ? [] : [.text(page.subtitle, alignment: page.subtitleAlignment)])
        return .stack(
            [.image(page.image, id: id(ofImage: number), alt: page.title.isEmpty ? label : page.title)] + texts
        )
    }

    /// The notification's texts, which the system does not show because the plist hides the default content.
    private func alert(_ content: NotificationContent) -> View {
        let texts = [(content.title, View.TextStyle.title), (content.subtitle, .body), (content.body, .body)]
        return .stack(texts.filter { !$0.0.isEmpty }.map { .text($0.0, style: $0.1) })
    }
}
