internal import JSON
internal import Notifications

/// A result as text: what shows a view is drawn, anything else is its JSON.
enum ToolText {
    /// The text of a result.
    static func of(_ result: JSON) -> String {
        if let list = result["notifications"]?.array, list.count == 1, list[0]["view"] != nil { return of(list[0]) }
        guard let view = result["view"], view["type"]?.string != nil else { return result.description }
        return [
            heading(result), content(result), ViewTextRenderer.render(view), media(result), actions(result),
            diagnostics(result),
        ]
        .filter { !$0.isEmpty }
        .joined(separator: "\n\n")
    }

    /// What the reply says besides what is shown.
    private static func heading(_ result: JSON) -> String {
        var lines: [String] = []
        if let notification = result["notification"]?.string {
            let shower = result["extension"]?.string ?? "the system"
            lines.append("notification \(notification), shown by \(shower)")
        }
        if let option = result["option"]?.string {
            let url = result["url"]?.string.map { " with \(ViewTextRenderer.sanitized($0))" } ?? ""
            lines.append("option \(option)" + (result["forwarded"] == true ? ", forwarded to the app\(url)" : ""))
        }
        return lines.joined(separator: "\n")
    }

    /// The title that stands above the view, and what the system itself shows unless the extension hides it.
    ///
    /// Where the system shows it all, the view says so already.
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
        return media["playing"] == true ? "media plays: mediaPause stops it" : "media stands still: mediaPlay plays it"
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

    private static func diagnostics(_ result: JSON) -> String {
        list("diagnostics", result["diagnostics"]) { diagnostic in
            let words = ["reason", "message"].compactMap { diagnostic[$0]?.string }
            return ViewTextRenderer.sanitized(words.joined(separator: ": "))
        }
    }

    private static func list(_ name: String, _ values: JSON?, _ line: (JSON) -> String) -> String {
        guard let values = values?.array, !values.isEmpty else { return "" }
        return (["\(name):"] + values.map { "- \(line($0))" }).joined(separator: "\n")
    }
}
