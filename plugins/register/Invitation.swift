import ExtensionKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The invitation of a notification.
struct Invitation {
    private let title: String
    private let description: String
    private let image: String?

    /// Reads the key-value pairs; the picture is the first attachment.
    init(_ content: NotificationContent) throws(ExtensionError) {
        title = try content.userInfo.optionalString("cert_title") ?? ""
        description = try content.userInfo.optionalString("cert_description") ?? ""
        image = content.attachments.first?.url.absoluteString
    }

    /// The invitation above a field that contains the entered text.
    func view(email: String, _ context: ExtensionContext) -> View {
        let placeholder = context.localizedString(forKey: "FIELD_EMAIL")
        return view([
            .text(description, id: "description"), .field(id: "email", value: email, placeholder: placeholder),
        ])
    }

    /// The view after the registration: the title, and thanks below it.
    func thanks(_ context: ExtensionContext) -> View {
        view([
            .text(context.localizedString(forKey: "THANKS_TITLE"), id: "thanks"),
            .text(context.localizedString(forKey: "THANKS_TEXT"), id: "description"),
        ])
    }

    private func view(_ parts: [View]) -> View {
        let picture = image.map { [View.image($0, id: "image")] } ?? []
        return .stack(picture + [.text(title, id: "header")] + parts)
    }
}
