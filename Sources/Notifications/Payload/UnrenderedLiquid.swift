internal import Contract
package import JSON
internal import JSONRPC

/// Finds Liquid that was not rendered: Braze renders templates before it sends a push, so a phone never sees one.
package enum UnrenderedLiquid {
    /// The maximum number of diagnostics; a payload has at most 4 KiB.
    private static let limit = 10

    /// Whether a text contains a Liquid tag or output.
    static func isTemplate(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let brace = UInt8(ascii: "{"), percent = UInt8(ascii: "%"), end = UInt8(ascii: "}")
            return [(brace, end), (percent, percent)].contains { open, close in
                guard let start = firstPair(brace, open, in: bytes) else { return false }
                let rest = UnsafeBufferPointer(rebasing: bytes[(start + 2)...])
                // An attribute in it tells a tag that is not closed from other text.
                return firstPair(close, end, in: rest) != nil || firstPair(UInt8(ascii: "$"), brace, in: rest) != nil
            }
        }
    }

    /// Whether a text of a payload may be a template, also one that is not closed.
    package static func mayBeTemplate(_ payload: JSON) -> Bool { mayHold(payload.bytes) }

    private static func mayHold(_ text: [UInt8]) -> Bool {
        // JSON syntax contains neither pair, so a pair is part of a text or a name.
        text.withUnsafeBufferPointer { text in
            [UInt8(ascii: "{"), UInt8(ascii: "%")].contains { firstPair(UInt8(ascii: "{"), $0, in: text) != nil }
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
        guard mayHold(text) else { return [] }
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
            let problem = "the text holds Liquid, which Braze renders before it sends a push"
            let advice = "write what it becomes, or give a profile to have it rendered"
            let consequence = isUser ? ", for records of this notification have no user" : ""
            diagnostics.append(
                Diagnostic("unrenderedLiquid", problem, advice: advice + consequence, path: path)
            )
        case .array(let array):
            for (index, element) in array.enumerated() { visit(element, "\(path)/\(index)", &diagnostics) }
        case .object(let object):
            for (name, member) in object { visit(member, "\(path)/\(JSONPointer.escape(name))", &diagnostics) }
        default: break
        }
    }
}
