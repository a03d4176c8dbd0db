internal import Contract
internal import JSON
internal import JSONRPC

/// Finds Liquid that was not rendered: Braze renders templates before it sends a push, so a phone never sees one.
enum UnrenderedLiquid {
    /// The maximum number of diagnostics; a payload has at most 4 KiB.
    private static let limit = 10

    /// Whether a text contains a Liquid tag or output.
    static func isTemplate(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let brace = UInt8(ascii: "{"), percent = UInt8(ascii: "%"), end = UInt8(ascii: "}")
            return [(brace, end), (percent, percent)].contains { open, close in
                guard let start = firstPair(brace, open, in: bytes) else { return false }
                return firstPair(close, end, in: UnsafeBufferPointer(rebasing: bytes[(start + 2)...])) != nil
            }
        }
    }

    /// The offset of the first occurrence of two bytes in a row.
    private static func firstPair(_ first: UInt8, _ second: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count > 1 else { return nil }
        return (0..<bytes.count - 1).first { bytes[$0] == first && bytes[$0 + 1] == second }
    }

    /// A diagnostic for each text of a payload that is a template.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - text: The payload as JSON text, which rules out most payloads quickly.
    ///   - path: A JSON Pointer to the payload.
    /// - Returns: The diagnostics, in the order of the payload; at most ten.
    static func diagnostics(of payload: JSON.Object, text: [UInt8], path: String) -> [Diagnostic] {
        // JSON syntax contains neither pair, so a pair is part of a text or a name.
        let brace = UInt8(ascii: "{"), percent = UInt8(ascii: "%")
        let mayHold = text.withUnsafeBufferPointer { text in
            firstPair(brace, brace, in: text) != nil || firstPair(brace, percent, in: text) != nil
        }
        guard mayHold else { return [] }
        var diagnostics: [Diagnostic] = []
        for (name, value) in payload {
            visit(value, "\(path)/\(JSONPointer.escape(name))", isUser: name == "braze_id", &diagnostics)
        }
        return diagnostics
    }

    private static func visit(_ value: JSON, _ path: String, isUser: Bool = false, _ diagnostics: inout [Diagnostic]) {
        guard diagnostics.count < limit else { return }
        switch value {
        case .string(let text):
            guard isTemplate(text) else { return }
            let message =
                "the text holds Liquid, which Braze renders before it sends a push; write what it becomes, "
                + "or give a profile to have it rendered"
            let consequence = isUser ? ", for records of this notification have no user" : ""
            diagnostics.append(Diagnostic("unrenderedLiquid", message + consequence, path: path))
        case .array(let array):
            for (index, element) in array.enumerated() { visit(element, "\(path)/\(index)", &diagnostics) }
        case .object(let object):
            for (name, member) in object { visit(member, "\(path)/\(JSONPointer.escape(name))", &diagnostics) }
        default: break
        }
    }
}
