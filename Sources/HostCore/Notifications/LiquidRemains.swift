internal import Contract
internal import JSON
internal import JSONRPC

/// Finds Liquid that nobody rendered: Braze fills templates in before it sends a push, so no phone ever sees one.
enum LiquidRemains {
    /// How many texts are named; a payload has at most 4 KiB.
    private static let limit = 10

    /// Whether a text holds a tag or an output of Liquid.
    static func isTemplate(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let brace = UInt8(ascii: "{"), percent = UInt8(ascii: "%"), end = UInt8(ascii: "}")
            return [(brace, end), (percent, percent)].contains { open, close in
                guard let start = find(brace, open, in: bytes) else { return false }
                return find(close, end, in: UnsafeBufferPointer(rebasing: bytes[(start + 2)...])) != nil
            }
        }
    }

    /// Where a byte stands that another one follows.
    private static func find(_ first: UInt8, _ second: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count > 1 else { return nil }
        return (0..<bytes.count - 1).first { bytes[$0] == first && bytes[$0 + 1] == second }
    }

    /// A diagnostic for each text of a payload that is a template.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - text: The payload as JSON, in which most payloads show that they hold none.
    ///   - path: A JSON Pointer to the payload.
    /// - Returns: The diagnostics, in the order of the payload; at most ten.
    static func diagnostics(of payload: JSON.Object, text: [UInt8], path: String) -> [Diagnostic] {
        // JSON itself has neither pair, so such a pair stands in a text or in a name.
        let brace = UInt8(ascii: "{"), percent = UInt8(ascii: "%")
        let mayHold = text.withUnsafeBufferPointer { text in
            find(brace, brace, in: text) != nil || find(brace, percent, in: text) != nil
        }
        guard mayHold else { return [] }
        var diagnostics: [Diagnostic] = []
        for (name, value) in payload { visit(value, "\(path)/\(JSONPointer.escape(name))", &diagnostics) }
        return diagnostics
    }

    private static func visit(_ value: JSON, _ path: String, _ diagnostics: inout [Diagnostic]) {
        guard diagnostics.count < limit else { return }
        switch value {
        case .string(let text):
            guard isTemplate(text) else { return }
            let message =
                "the text holds Liquid, which Braze renders before it sends a push; write what it becomes, "
                + "or give a profile to have it rendered"
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
