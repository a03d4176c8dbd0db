internal import Contract
internal import JSON
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

    /// The text to show.
    ///
    /// - Parameters:
    ///   - source: The localized texts.
    ///   - report: Called with each diagnostic for the payload's author.
    /// - Returns: The text of the key with its arguments, or ``fallback``.
    func resolved(_ source: LocalizedTextSource, _ report: (Diagnostic) -> Void) -> String {
        guard let key else { return fallback }
        guard let bundle = source.bundle, let strings = source.strings else {
            let text = "no extension shows the notification, whose texts could have the key \(key), \(consequence)"
            report(Diagnostic("unknownLocalizationKey", text, path: path))
            return fallback
        }
        let finding = strings.find(key, locale: source.locale)
        for failure in finding.failures {
            report(Diagnostic("unreadableStrings", "\(bundle): \(failure)", path: path))
        }
        guard let format = finding.text else {
            let problem = "\(bundle) has no text of the key \(key) for the locale \(source.locale)"
            let text = "\(problem), \(Self.searched(finding)), \(consequence)"
            report(
                Diagnostic("unknownLocalizationKey", text, advice: Self.suggestion(key, finding), path: path)
            )
            return fallback
        }
        let filled = TextFormat(format, arguments)
        for mismatch in filled.mismatches {
            report(Diagnostic("localizationArguments", "the text of \(key): \(mismatch)", path: path))
        }
        return filled.text
    }

    /// The clause of a message that says what is shown instead of the localized text.
    private var consequence: String {
        plain == nil ? "so the key itself is shown" : "so the plain \(name) beside it is shown"
    }

    private static func searched(_ finding: LocalizedStrings.Finding) -> String {
        let files =
            finding.files.isEmpty
            ? "there is no Localizable.strings" : "not in \(finding.files.joined(separator: ", "))"
        guard let unread = finding.unread.first else { return files }
        return "\(files), and \(unread) is in a format that is not read"
    }

    private static func suggestion(_ key: String, _ finding: LocalizedStrings.Finding) -> String? {
        let near = finding.keys.lazy.filter { abs($0.utf8.count - key.utf8.count) < 8 }
            .prefix(comparedKeys).filter { EditDistance.isNear($0, key) }.prefix(3)
        return near.isEmpty ? nil : "did you mean \(near.joined(separator: " or "))?"
    }
}

/// The source of the texts for an alert's keys.
package struct LocalizedTextSource {
    /// The identifier of the bundle that shows the notification; nil if the system shows it.
    let bundle: String?
    let strings: LocalizedStrings?
    let locale: String

    /// The texts of a bundle for a locale.
    package init(bundle: String?, strings: LocalizedStrings?, locale: String) {
        self.bundle = bundle
        self.strings = strings
        self.locale = locale
    }
}
