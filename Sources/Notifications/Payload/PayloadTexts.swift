internal import Contract
package import JSON
internal import JSONRPC
package import Localization
internal import Spelling

/// One text of an alert: a plain text, a key of the bundle's localized texts, or both.
struct AlertText {
    /// The maximum number of keys that are compared with a misspelt one; a file may have very many.
    private static let comparedKeys = 1_000

    private let name: String
    private let plain: String?
    private let key: String?
    private let arguments: [String]
    /// A JSON Pointer to the key; empty if there is no key.
    private let path: String

    /// The body of an alert that is a plain string.
    init(body: String) {
        name = "body"
        plain = body
        (key, arguments, path) = (nil, [], "")
    }

    /// Reads a text's members, such as `title`, `title-loc-key` and `title-loc-args`.
    init(_ alert: inout PayloadReader, _ name: String, key keyName: String, arguments argumentsName: String) {
        self.name = name
        plain = alert.valid(name, .string)
        // Apple's reference allows null for the key and the arguments.
        let key: String? = alert[keyName]?.isNull == true ? nil : alert.valid(keyName, .string)
        self.key = key
        path = key == nil ? "" : alert.path(keyName)
        guard alert[argumentsName]?.isNull == false, let texts = alert.valid(argumentsName, .strings) else {
            arguments = []
            return
        }
        arguments = texts
        if key == nil { alert.ignore(argumentsName, "has no effect without \(keyName)") }
    }

    /// The text to show until the key is resolved, and if it cannot be resolved.
    var fallback: String { plain ?? key ?? "" }

    /// The text of the key with its arguments, or ``fallback``; each diagnostic for the payload's author is reported.
    func resolved(_ source: LocalizedTextSource, _ report: (Diagnostic) -> Void) -> String {
        guard let key else { return fallback }
        guard !source.places.isEmpty else {
            let text = "no extension shows the notification, whose texts could have the key \(key), \(consequence)"
            report(Diagnostic("unknownLocalizationKey", text, path: path))
            return fallback
        }
        var findings: [LocalizedStrings.Finding] = []
        for place in source.places {
            let finding = place.strings.find(key, locale: source.locale)
            for failure in finding.failures {
                report(Diagnostic("unreadableStrings", "\(place.name): \(failure)", path: path))
            }
            if let text = finding.text {
                let filled = text.filled(arguments)
                for mismatch in filled.mismatches {
                    report(Diagnostic("localizationArguments", "the text of \(key): \(mismatch)", path: path))
                }
                return filled.text
            }
            findings.append(finding)
        }
        let names = source.places.map(\.name).joined(separator: " and ") + (findings.count == 1 ? " has" : " have")
        let problem = "\(names) no text of the key \(key) for the locale \(source.locale)"
        let text = "\(problem), \(Self.searched(findings)), \(consequence)"
        report(Diagnostic("unknownLocalizationKey", text, advice: Self.suggestion(key, findings), path: path))
        return fallback
    }

    /// The clause of a message that says what is shown instead of the localized text.
    private var consequence: String {
        plain == nil ? "so the key itself is shown" : "so the plain \(name) beside it is shown"
    }

    private static func searched(_ findings: [LocalizedStrings.Finding]) -> String {
        let files = findings.flatMap(\.files)
        return files.isEmpty ? "there is no Localizable.strings" : "not in \(files.joined(separator: ", "))"
    }

    private static func suggestion(_ key: String, _ findings: [LocalizedStrings.Finding]) -> String? {
        let near = findings.lazy.flatMap(\.keys).filter { abs($0.utf8.count - key.utf8.count) < 8 }
            .prefix(comparedKeys).filter { EditDistance.isNear($0, key) }.prefix(3)
        return near.isEmpty ? nil : "did you mean \(near.joined(separator: " or "))?"
    }
}

/// The source of the texts for an alert's keys.
package struct LocalizedTextSource {
    /// Where texts are looked up, in order, each with its name for people.
    let places: [(name: String, strings: LocalizedStrings)]
    let locale: String

    /// The texts for a locale.
    ///
    /// - Parameters:
    ///   - bundle: The identifier of the bundle that shows the notification, and its texts; nil if the system shows it.
    ///   - app: The texts of the app, which has what the bundle lacks; nil if they are not known.
    ///   - locale: The locale.
    package init(bundle: (name: String, strings: LocalizedStrings)?, app: LocalizedStrings? = nil, locale: String) {
        places = [bundle, app.map { ("the app", $0) }].compactMap(\.self)
        self.locale = locale
    }
}

/// Finds members of `aps` and of its alert that are misspelt or belong in the other of the two objects; a phone ignores
/// them silently.
enum MisspeltKeys {
    /// An object of a payload whose members Apple defines.
    private struct Known {
        /// The object's name in messages.
        let place: String
        let names: Set<String>
    }

    /// The members of `aps` (developer.apple.com, "Generating a remote notification"), those of Live Activities and
    /// widgets included.
    private static let aps = Known(
        place: "aps",
        names: [
            "alert", "attributes", "attributes-type", "badge", "category", "content-available", "content-changed",
            "content-state", "dismissal-date", "event", "filter-criteria", "input-push-channel", "input-push-token",
            "interruption-level", "mutable-content", "relevance-score", "sound", "stale-date", "target-content-id",
            "thread-id", "timestamp", "url-args",
        ]
    )

    /// The members of an alert.
    private static let alert = Known(
        place: "aps.alert",
        names: [
            "action", "action-loc-key", "body", "launch-image", "loc-args", "loc-key", "subtitle", "subtitle-loc-args",
            "subtitle-loc-key", "summary-arg", "summary-arg-count", "title", "title-loc-args", "title-loc-key",
        ]
    )

    /// Whether Apple defines a member of `aps`.
    static func isMemberOfAps(_ name: String) -> Bool { aps.names.contains(name) }

    /// A diagnostic for each such member of `aps`, which is at a JSON Pointer, in the order of the payload.
    static func diagnostics(of object: JSON.Object, path: String) -> [Diagnostic] {
        object.flatMap { name, value -> [Diagnostic] in
            guard name == "alert", let members = value.object else {
                return [diagnostic(name, in: aps, other: alert, path)].compactMap { $0 }
            }
            return members.compactMap { diagnostic($0.name, in: alert, other: aps, path + "/alert") }
        }
    }

    private static func diagnostic(_ name: String, in known: Known, other: Known, _ path: String) -> Diagnostic? {
        guard !known.names.contains(name) else { return nil }
        let advice: String
        if other.names.contains(name) {
            advice = "it belongs in \(other.place)"
        } else if let near = EditDistance.nearest(name, in: known.names.sorted()) {
            advice = "did you mean \(near)?"
        } else {
            return nil
        }
        let message = "\(name) is not a member of \(known.place), so it is ignored"
        return Diagnostic("misspeltKey", message, advice: advice, path: "\(path)/\(JSONPointer.escape(name))")
    }
}

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

    /// A diagnostic for each text of a payload that is a template, at most ten, in the order of the payload.
    ///
    /// The text is that of the whole payload, which rules out most payloads quickly.
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
