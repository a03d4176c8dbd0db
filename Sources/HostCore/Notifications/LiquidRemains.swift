internal import JSON
internal import JSONRPC

/// Finds Liquid that nobody rendered: Braze fills templates in before it sends a push, so no phone ever sees one.
enum LiquidRemains {
    /// How many texts are named; a payload has at most 4 KiB.
    private static let limit = 10

    /// Whether a text holds a tag or an output of Liquid.
    static func isTemplate(_ text: String) -> Bool {
        [("{{", "}}"), ("{%", "%}")].contains { open, close in
            guard let start = text.firstRange(of: open) else { return false }
            return text[start.upperBound...].contains(close)
        }
    }

    /// A diagnostic for each text of a payload that is a template.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - path: A JSON Pointer to it.
    /// - Returns: The diagnostics, in the order of the payload; at most ten.
    static func diagnostics(of payload: JSON.Object, path: String) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for (name, value) in payload { visit(value, "\(path)/\(JSONPointer.escape(name))", &diagnostics) }
        return diagnostics
    }

    private static func visit(_ value: JSON, _ path: String, _ diagnostics: inout [Diagnostic]) {
        guard diagnostics.count < limit else { return }
        switch value {
        case .string(let text):
            guard isTemplate(text) else { return }
            let message = "the text holds Liquid, which Braze renders before it sends a push; write what it becomes"
            let user = path.hasSuffix("/braze_id") ? ", for records of this notification have no user" : ""
            diagnostics.append(Diagnostic("unrenderedLiquid", message + user, path: path))
        case .array(let array):
            for (index, element) in array.enumerated() { visit(element, "\(path)/\(index)", &diagnostics) }
        case .object(let object):
            for (name, member) in object { visit(member, "\(path)/\(JSONPointer.escape(name))", &diagnostics) }
        default: break
        }
    }
}
