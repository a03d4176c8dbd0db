internal import Contract
package import JSON

/// Something that the author of a payload should know before it is sent.
package struct PayloadFinding: Equatable {
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

    package init(_ level: Level, _ reason: String, _ path: String, _ message: String, _ advice: String) {
        self.level = level
        self.reason = reason
        self.path = path
        self.message = message
        self.advice = advice
    }

    /// The finding on the wire.
    package var json: JSON {
        [
            "level": .string(level.rawValue), "reason": .string(reason), "path": .string(path),
            "message": .string(message), "advice": .string(advice),
        ]
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
            case "localizationArguments": (.warning, "give as many arguments as the text has places")
            case "unreadableStrings": (.error, "correct the file of the bundle")
            default: (.warning, "correct the payload")
            }
        let parts = Self.parts(of: diagnostic.message)
        // Advice of the diagnostic is about this payload, unless it is about a delivery.
        let own = diagnostic.reason == "unrenderedLiquid" ? nil : parts.advice
        self.init(
            level,
            diagnostic.reason,
            diagnostic.path ?? "",
            own == nil && diagnostic.reason != "unrenderedLiquid" ? diagnostic.message : parts.message,
            own ?? advice
        )
    }

    /// A diagnostic's sentence and the advice behind its last semicolon, if it has one.
    private static func parts(of message: String) -> (message: String, advice: String?) {
        // A semicolon within quotation marks is text of the payload.
        let ends = message.ranges(of: "; ").filter { end in
            let quoted = message[..<end.lowerBound].replacing(#"\\"#, with: "").replacing(#"\""#, with: "")
            return quoted.count { $0 == "\"" }.isMultiple(of: 2)
        }
        guard let end = ends.last else { return (message, nil) }
        return (String(message[..<end.lowerBound]), String(message[end.upperBound...]))
    }
}
