package import JSON

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
            let url = result["url"]?.string.map { " with \(ViewTextRenderer.sanitized($0))" } ?? ""
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
        return texts.compactMap { $0 }.filter { !$0.isEmpty }.map(ViewTextRenderer.sanitizedLines).joined(
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
            let identifier = ViewTextRenderer.sanitized(action["identifier"]?.string ?? "")
            let end = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
            return "\(identifier): \(ViewTextRenderer.sanitized(action["title"]?.string ?? ""))\(end)"
        }
    }
}
