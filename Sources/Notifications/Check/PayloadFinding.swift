internal import Contract
package import JSON

/// Something that the author of a payload should know before it is sent.
package struct PayloadFinding: Hashable {
    /// How much it matters.
    package enum Level: String, CaseIterable {
        /// The notification is not delivered, or something of it does not have the effect that it should have.
        case error
        /// It may be intended.
        case warning
        /// Nothing is wrong.
        case information
    }

    package let level: Level
    /// The stable word that programs compare.
    package let reason: String
    /// A JSON Pointer into the payload.
    package let path: String
    /// A sentence that says what was found.
    package let message: String
    /// What to do.
    package let advice: String
    /// Where it is in the payload's text; nil if that is not known.
    var place: TextPlace?

    package init(_ level: Level, _ reason: String, _ path: String, _ message: String, _ advice: String) {
        self.level = level
        self.reason = reason
        self.path = path
        self.message = message
        self.advice = advice
    }

    /// The finding on the wire.
    package var json: JSON {
        JSON(present: [
            "level": .string(level.rawValue), "reason": .string(reason), "path": .string(path),
            "message": .string(message), "advice": .string(advice), "line": place.map { JSON($0.line) },
            "column": place.map { JSON($0.column) },
        ])
    }
}

extension PayloadFinding {
    /// The finding for a diagnostic that a delivery of the payload would have.
    init(_ diagnostic: Diagnostic, isShownByExtension: Bool) {
        let (level, advice): (Level, String) =
            switch diagnostic.reason {
            case "misspeltKey": (.error, "rename the key")
            case "ignoredMember": (.error, "correct the value, or remove the member")
            case "unrenderedLiquid": (.error, "write the text that it becomes, or check the payload as a template")
            // The app itself may have the text.
            case "unknownLocalizationKey":
                isShownByExtension
                    ? (.error, "add the text to the bundle, or correct the key")
                    : (.warning, "correct the key, unless the app has the text")
            case "localizationArguments": (.warning, "make the text and its arguments agree")
            case "unreadableStrings": (.error, "correct the file of the bundle")
            default: (.warning, "correct the payload")
            }
        // Advice of the diagnostic is about this payload, unless it is about a delivery.
        let own = diagnostic.reason == "unrenderedLiquid" ? nil : diagnostic.advice
        self.init(level, diagnostic.reason, diagnostic.path ?? "", diagnostic.problem, own ?? advice)
    }

    /// The path of a finding about what a path in a call of the extension that renders templates leads to.
    package static func path(_ path: String) -> String? {
        let payload = "/params/payload"
        return path.hasPrefix(payload) ? String(path.dropFirst(payload.count)) : nil
    }

    /// The finding for what the extension that renders templates reported; its reason is a word of that extension.
    package init(ofTemplate level: Level, _ reason: String, path: String?, _ message: String) {
        let parts = Self.parts(of: message)
        let advice = parts.advice ?? (level == .error ? "correct the template" : "change nothing if it is meant")
        self.init(level, reason, path ?? "", parts.message, advice)
    }

    /// A diagnostic's sentence and the advice behind its last semicolon, if it has one.
    private static func parts(of message: String) -> (message: String, advice: String?) {
        // A semicolon within quotation marks is text of the payload.
        let bytes = message.utf8
        var (isQuoted, isEscaped, last) = (false, false, UInt8(0))
        var end: String.Index?
        for index in bytes.indices {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: " "), last == UInt8(ascii: ";"), !isQuoted {
                end = bytes.index(before: index)
            }
            last = byte
        }
        guard let end else { return (message, nil) }
        let advice = message[bytes.index(end, offsetBy: 2)...]
        return (String(message[..<end]), advice.isEmpty ? nil : String(advice))
    }
}

/// How many bytes a payload has, and which of its keys have them.
package struct PayloadSize {
    /// The share of one key.
    package struct Share: Equatable {
        package let key: String
        /// The bytes of the key and its value in compact form.
        package let bytes: Int
    }

    /// The bytes of the payload in compact form, as Apple counts them.
    package let bytes: Int
    /// The share of each key of the payload, the largest first.
    package let shares: [Share]

    /// The size of a text without keys.
    init(bytes: Int) {
        self.bytes = bytes
        shares = []
    }

    package init(_ payload: JSON) {
        bytes = payload.bytes.count
        let shares = (payload.object.map(Array.init) ?? []).map { name, value in
            // A colon stands between them.
            Share(key: name, bytes: JSON.string(name).bytes.count + 1 + value.bytes.count)
        }
        self.shares = shares.enumerated()
            .sorted { ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset) }.map(\.element)
    }

    /// The finding for a payload that is too large to be delivered; nil if it is not.
    func finding(isTemplate: Bool) -> PayloadFinding? {
        guard bytes > Payload.limit else { return nil }
        let largest = shares.prefix(3).map { "\($0.key) \($0.bytes)" }.joined(separator: ", ")
        return PayloadFinding(
            // What a template has before it is rendered says little.
            isTemplate ? .warning : .error,
            "payloadTooLarge",
            "",
            "the payload has \(bytes) bytes, Apple delivers at most \(Payload.limit); the largest keys: \(largest)",
            "remove \(bytes - Payload.limit) bytes"
        )
    }
}
