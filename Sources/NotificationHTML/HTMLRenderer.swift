internal import Foundation
package import Notifications

/// Renders notifications as HTML and SVG: values in, text out.
///
/// The same values give the same bytes. Nothing in a picture is fetched unless ``Settings/images`` names an address,
/// and no text of a payload or an extension is markup.
package struct HTMLRenderer {
    /// Light or dark.
    package enum Scheme: String, CaseIterable, Sendable {
        /// What the reader prefers.
        case automatic = "auto"
        case light, dark
    }

    /// What is seen of a notification.
    package enum Part: String, CaseIterable, Sendable {
        /// What is seen before it is expanded.
        case banner
        case expanded
    }

    /// A notification and what is said about it.
    package typealias Figure = (label: String, shown: ShownNotification, language: String?)

    /// How notifications are rendered.
    package struct Settings {
        package var scheme = Scheme.automatic
        package var parts = Part.allCases
        package var textSize = TextSize.large
        /// The name of the app; by default the end of the bundle's identifier.
        package var appName: String?
        /// The icon of the app as a `data:` URL; by default the first letter of its name.
        package var appIcon: String?
        /// Where the picture at an address comes from.
        package var images: (String) -> ImageSource = { _ in .placeholder("not loaded") }
        /// Whether what can be used is a control: `data-element` with the id (and `data-page` for a carousel),
        /// `data-action` with the identifier, `data-media` with `play` or `pause`, `data-text-of` on the field of an
        /// action.
        package var isInteractive = false

        package init() {}
    }

    let settings: Settings

    package init(_ settings: Settings) { self.settings = settings }

    /// One notification, as a fragment that needs ``styleSheet``.
    package func figure(_ shown: ShownNotification, language: String? = nil) -> String {
        FigureWriter(settings, shown).figure(language).markup.html
    }

    /// A complete document with notifications side by side.
    package func page(_ figures: [Figure], title: String) -> String {
        "<!DOCTYPE html>\n" + DocumentWriter(settings).page(figures, title: title).html + "\n"
    }

    /// A picture of notifications side by side.
    package func svg(_ figures: [Figure], title: String) -> String {
        DocumentWriter(settings).svg(figures, title: title).html + "\n"
    }

    /// The style sheet that figures need.
    package static var styleSheet: String { StyleSheet.text }
}
