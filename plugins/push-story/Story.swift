import ExtensionKit
import JSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Braze's push story: `ab.c_items` of its payload has an object for each page.
struct Story {
    /// A page, of which the dashboard requires only the image; texts and link may be absent or empty.
    struct Page {
        let image: String
        let title: String
        let subtitle: String
        let titleAlignment: View.TextAlignment
        let subtitleAlignment: View.TextAlignment
        let link: String?
    }

    /// The maximum length of a URL that an extension may pass to its app.
    private static let linkLimit = 2048

    private(set) var pages: [Page] = []
    /// Why pages or parts of them were left out, each with the place in the payload.
    private(set) var diagnostics: [(reason: String, message: String)] = []

    /// Reads the pages that can be shown.
    init(_ userInfo: UserInfo) {
        guard let items = userInfo["ab"]?["c_items"]?.array else {
            diagnostics.append(("noPages", "ab.c_items must be an array of pages, so the alert's own texts are shown"))
            return
        }
        for (index, item) in items.enumerated() {
            do throws(PageError) {
                pages.append(try read(item, "ab.c_items[\(index)]"))
            } catch {
                diagnostics.append(("pageLeftOut", "ab.c_items[\(index)] is left out: \(error.text)"))
            }
        }
        if pages.isEmpty {
            diagnostics.append(("noPages", "no page of ab.c_items can be shown, so the alert's own texts are"))
        }
    }

    private struct PageError: Error { let text: String }

    private mutating func read(_ item: JSON, _ place: String) throws(PageError) -> Page {
        guard item.object != nil else { throw PageError(text: "a page is an object, this is \(item.typeName)") }
        let image = try text(item, "i")
        // Braze warns that an http:// image crashes the app.
        guard let url = URL(string: image), url.scheme?.lowercased() == "https", url.host?.isEmpty == false else {
            let found = image.isEmpty ? "missing" : JSON.string(image).excerpt()
            throw PageError(text: "i must be the https:// URL of an image, it is \(found)")
        }
        let title = try text(item, "t")
        let subtitle = try text(item, "st")
        return Page(
            image: url.absoluteString,
            title: title,
            subtitle: subtitle,
            titleAlignment: try alignment(item, "t_j", place),
            subtitleAlignment: try alignment(item, "st_j", place),
            link: link(try text(item, "uri"), place)
        )
    }

    /// A text, or an empty one if it is absent or null.
    private func text(_ item: JSON, _ key: String) throws(PageError) -> String {
        guard let value = item[key], !value.isNull else { return "" }
        guard let text = value.string else {
            throw PageError(text: "\(key) must be a string, it is \(value.excerpt())")
        }
        return text
    }

    private mutating func alignment(_ item: JSON, _ key: String, _ place: String) throws(PageError)
        -> View.TextAlignment
    {
        let word = try text(item, key)
        if let alignment = View.TextAlignment(rawValue: word) { return alignment }
        // Only an unknown word is ignored: as for any member, a value of a wrong type drops the page.
        if !word.isEmpty {
            let found = JSON.string(word).excerpt()
            diagnostics.append(("alignmentIgnored", "\(place).\(key) must be start, center or end, it is \(found)"))
        }
        return .start
    }

    private mutating func link(_ text: String, _ place: String) -> String? {
        if text.isEmpty { return nil }
        if let url = URL(string: text), let scheme = url.scheme {
            let link = url.absoluteString
            // The host refuses a URL that is only a scheme or is too long; the limit applies to the escaped URL.
            if link.utf8.count > scheme.utf8.count + 1, link.utf8.count <= Self.linkLimit { return link }
        }
        let needed = "an absolute URL of at most \(Self.linkLimit) characters"
        let found = JSON.string(text).excerpt()
        diagnostics.append(("linkIgnored", "\(place).uri must be \(needed), it is \(found); the page has no link"))
        return nil
    }
}
