package import JSON
internal import Platform

/// Renders a view as text, for people and models that see only text.
///
/// A node with an id is followed by `#` and the id, which is the `element` of `interact`.
/// Stacks go down, rows and grids across; a carousel shows its current page and its
/// number. A text of an extension cannot leave its line.
package enum ViewTextRenderer {
    /// The view as lines of text.
    package static func render(_ view: JSON) -> String {
        guard let drawing = ViewLayout(PlainDrawer()).draw(view, width: nil) else {
            return "the view has more than 1000 nodes, which are not drawn; the member view of a reply has them all"
        }
        return drawing.lines.map(\.text).joined(separator: "\n")
    }
}

/// Draws each node on one line of plain text.
private struct PlainDrawer: NodeDrawer {
    /// The characters of a progress bar.
    private static let barLength = 20

    let gap = 2

    func leaf(_ node: JSON, width: Int?) -> Drawing {
        switch node["type"]?.string {
        case "text": .below(PlainText.spacedLines(node.shownText("text")).map { Drawing($0) })
        case "card": Drawing(card(node) + id(node))
        case "button": Drawing("( \(text(node, "title")) )" + id(node))
        case "field": Drawing("field \(field(node))" + id(node))
        case "image": Drawing("image \(image(node))" + id(node))
        case "progress": Drawing(progress(node))
        default: Drawing(PlainText.spaced(node.description))
        }
    }

    func pager(_ node: JSON, page: Int?, of count: Int, width: Int?) -> Drawing {
        Drawing((page.map { "page \($0 + 1) of \(count)" } ?? "no pages") + id(node))
    }

    func naturalWidth(_ node: JSON) -> Int { leaf(node, width: nil).width }

    private func text(_ node: JSON, _ member: String) -> String { PlainText.spaced(node.shownText(member)) }

    private func card(_ node: JSON) -> String {
        guard node["faceUp"] == true else { return "[?]" }
        return "[\(text(node, "face"))\(node["matched"] == true ? " ✓" : "")]"
    }

    private func field(_ node: JSON) -> String {
        let value = text(node, "value")
        return value.isEmpty ? "(\(text(node, "placeholder")))" : JSON.string(value).description
    }

    private func image(_ node: JSON) -> String {
        let alt = text(node, "alt")
        return alt.isEmpty ? text(node, "url") : JSON.string(alt).description
    }

    private func progress(_ node: JSON) -> String {
        guard let part = ProgressShare.of(node) else { return "progress \(text(node, "value"))" }
        let filled = Int((part * Double(Self.barLength)).rounded())
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.barLength - filled)
        return "progress [\(bar)] \(text(node, "value")) of \(node.shownText("total"))"
    }

    private func id(_ node: JSON) -> String { node["id"]?.string.map { " #\(PlainText.spaced($0))" } ?? "" }
}

/// How far a progress bar is filled.
package enum ProgressShare {
    /// The part of the total, from 0 to 1; nil if the node says none.
    package static func of(_ node: JSON) -> Double? {
        guard let done = node["value"]?.number, let total = node["total"]?.number, total > 0 else { return nil }
        return min(max(done / total, 0), 1)
    }
}

/// Renders what a reply shows of a notification as text, for people and models that see only text.
package enum NotificationTextRenderer {
    /// The text of a reply to `didReceive` or to a later call about the notification; nil if it shows no view.
    package static func render(_ result: JSON) -> String? {
        guard let view = result["view"], view["type"]?.string != nil else { return nil }
        return joined([heading(result), content(result), ViewTextRenderer.render(view), media(result), actions(result)])
    }

    /// The parts with an empty line between two of them; an empty part leaves no gap.
    package static func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// A list below its name; empty if it has no values.
    package static func list(_ name: String, _ values: JSON?, _ line: (JSON) -> String) -> String {
        guard let values = values?.array, !values.isEmpty else { return "" }
        return (["\(name):"] + values.map { "- \(line($0))" }).joined(separator: "\n")
    }

    /// The lines above the view: the notification, and the option of a response.
    private static func heading(_ result: JSON) -> String {
        var lines: [String] = []
        if let notification = result["notification"]?.string {
            let presenter = result["extension"]?.string ?? "the system"
            lines.append("notification \(notification), shown by \(presenter)")
        }
        if let option = result["option"]?.string {
            let url = result["url"]?.string.map { " with \(PlainText.spaced($0))" } ?? ""
            let app = "the app" + (result["background"] == true ? " in the background" : url)
            lines.append("option \(option)" + (result["forwarded"] == true ? ", forwarded to \(app)" : ""))
        }
        return lines.joined(separator: "\n")
    }

    /// The title above the view, and the default content, unless the extension hides it.
    ///
    /// Empty if the system shows the notification, as its view contains all of that.
    private static func content(_ result: JSON) -> String {
        if result["layout"] == .null { return "" }
        let content = result["layout"]?["defaultContentHidden"] == true ? nil : result["content"]
        var texts = [(result["title"] ?? content?["title"])?.string]
        texts += [content?["subtitle"]?.string, content?["body"]?.string]
        let files = content?["attachments"]?.array.map(Array.init) ?? []
        texts += files.map { $0["url"]?.string.map { "attachment \($0)" } }
        return texts.compactMap { $0 }.filter { !$0.isEmpty }.flatMap(PlainText.spacedLines).joined(
            separator: "\n"
        )
    }

    private static func media(_ result: JSON) -> String {
        guard let media = result["media"], media["button"] != "none" else { return "" }
        return media["playing"] == true
            ? "media is playing: mediaPause pauses it" : "media is paused: mediaPlay plays it"
    }

    private static func actions(_ result: JSON) -> String {
        list("buttons", result["actions"]) { action in
            let options = action["options"]?.array?.compactMap(\.string) ?? []
            let details = options + (action["textInput"] == nil ? [] : ["takes userText"])
            let identifier = PlainText.spaced(action["identifier"]?.string ?? "")
            let end = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
            return "\(identifier): \(PlainText.spaced(action["title"]?.string ?? ""))\(end)"
        }
    }
}
