internal import Contract
internal import JSON
internal import Localization
internal import Spelling

/// A text of an alert: given plainly, by a key of the bundle's texts, or by both.
struct AlertText {
    /// How many keys are compared in search of what was meant: a file may have very many.
    private static let guessLimit = 1_000

    private let name: String
    private let plain: String?
    private let key: String?
    private let arguments: [String]
    /// A JSON Pointer to the key, if there is one.
    private let path: String

    init(plain: String) {
        name = "body"
        self.plain = plain
        (key, arguments, path) = (nil, [], "")
    }

    /// Reads a text's members, such as `title`, `title-loc-key` and `title-loc-args`.
    init(_ alert: inout MemberReader, _ name: String, key keyName: String, arguments argumentsName: String) {
        self.name = name
        plain = alert.string(name)
        // Apple's reference lets both be null.
        key = alert.object[keyName]?.isNull == true ? nil : alert.string(keyName)
        path = key == nil ? "" : alert.path + "/" + keyName
        guard let value = alert.object[argumentsName], !value.isNull else {
            arguments = []
            return
        }
        let texts = value.array?.compactMap(\.string)
        arguments = texts ?? []
        if texts == nil || texts?.count != value.array?.count {
            alert.remark(argumentsName, "must be an array of strings, it is \(value)")
        } else if key == nil {
            alert.remark(argumentsName, "is of no use without \(keyName)")
        }
    }

    /// What is shown while nothing resolves the key, and where nothing does.
    var fallback: String { plain ?? key ?? "" }

    /// The text for people.
    ///
    /// - Parameters:
    ///   - source: Where texts come from.
    ///   - note: Takes what the payload's author should know.
    /// - Returns: The text of the key with its arguments, else ``fallback``.
    func resolved(_ source: TextSource, _ note: (Diagnostic) -> Void) -> String {
        guard let key else { return fallback }
        let shown = plain == nil ? "so the key itself is shown" : "so the plain \(name) beside it is shown"
        guard let bundle = source.bundle, let strings = source.strings else {
            let text = "no extension shows the notification, whose texts could have the key \(key), \(shown)"
            note(Diagnostic("unknownLocalizationKey", text, path: path))
            return fallback
        }
        let finding = strings.find(key, locale: source.locale)
        for failure in finding.failures {
            note(Diagnostic("unreadableStrings", "\(bundle): \(failure)", path: path))
        }
        guard let format = finding.text else {
            let near = finding.keys.lazy.filter { abs($0.utf8.count - key.utf8.count) < 8 }
                .prefix(Self.guessLimit).filter { EditDistance.isNear($0, key) }.prefix(3)
            let files =
                finding.files.isEmpty
                ? "there is no Localizable.strings" : "not in \(finding.files.joined(separator: ", "))"
            var text = "\(bundle) has no text of the key \(key) for the locale \(source.locale), \(files), \(shown)"
            if !near.isEmpty { text += "; did you mean \(near.joined(separator: " or "))?" }
            note(Diagnostic("unknownLocalizationKey", text, path: path))
            return fallback
        }
        let filled = TextFormat(format, arguments)
        for remark in filled.remarks {
            note(Diagnostic("localizationArguments", "the text of \(key): \(remark)", path: path))
        }
        return filled.text
    }
}

/// Where the texts of an alert's keys come from.
struct TextSource {
    /// The identifier of the bundle that shows the notification; none where the system does.
    let bundle: String?
    let strings: LocalizedStrings?
    let locale: String
}
