internal import JSON
internal import Notifications

/// Writes the result of a tool as text: what it shows is drawn, any other result is written as JSON.
enum ToolText {
    /// The text of a result.
    static func of(_ result: JSON) -> String {
        if let list = result["notifications"]?.array, list.count == 1, list[0]["view"] != nil { return of(list[0]) }
        // The result of render is a drawing already.
        if let text = result["text"]?.string, result.object?.count == 1 { return text }
        guard let drawing = NotificationTextRenderer.render(result) else { return result.description }
        return NotificationTextRenderer.joined([drawing, diagnostics(result)])
    }

    private static func diagnostics(_ result: JSON) -> String {
        NotificationTextRenderer.list("diagnostics", result["diagnostics"]) { diagnostic in
            let words = ["reason", "message"].compactMap { diagnostic[$0]?.string }
            return ViewTextRenderer.sanitized(words.joined(separator: ": "))
        }
    }
}
