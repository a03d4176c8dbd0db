internal import JSON
internal import PropertyLists

/// The texts of a `Localizable.stringsdict`, a property list with the plurals of one language.
enum StringsDictionary {
    private static let formatKey = "NSStringLocalizedFormatKey"
    private static let deviceKey = "NSStringDeviceSpecificRuleType"
    private static let widthKey = "NSStringVariableWidthRuleType"

    /// Reads a file's bytes.
    ///
    /// - Throws: What is wrong, with the key of the text.
    static func texts(_ bytes: [UInt8], _ rules: PluralRules) throws(BundleFile.Failure) -> [String: LocalizedText] {
        guard case .dictionary(let members) = try BundleFile.dictionary(bytes) else { return [:] }
        var texts: [String: LocalizedText] = [:]
        for member in members {
            texts[member.key] = try naming(member.key) { () throws(BundleFile.Failure) in
                try text(member.value, rules)
            }
        }
        return texts
    }

    private static func text(_ entry: PropertyListValue, _ rules: PluralRules) throws(BundleFile.Failure)
        -> LocalizedText
    {
        if let text = entry.text { return .format(text) }
        // The host stands for an iPhone, which has room for the longest text.
        let widths = entry[widthKey].flatMap { list -> PropertyListValue? in
            guard case .dictionary(let members) = list else { return nil }
            return members.max { (Int($0.key) ?? 0) < (Int($1.key) ?? 0) }?.value
        }
        if let chosen = entry[deviceKey]?["iphone"] ?? entry[deviceKey]?["other"] ?? widths {
            return try text(chosen, rules)
        }
        guard let format = entry[formatKey]?.text, case .dictionary(let members) = entry else {
            throw BundleFile.Failure(message: "an entry needs \(formatKey)")
        }
        var variables: [String: PluralFormats.Variable] = [:]
        for member in members {
            guard case .dictionary(let values) = member.value else { continue }
            var forms: [PluralCategory: String] = [:]
            for value in values {
                if let category = PluralCategory(rawValue: value.key) { forms[category] = value.value.text }
            }
            variables[member.key] = PluralFormats.Variable(forms: forms)
        }
        return try PluralFormats(rules: rules, variables: variables).text(format)
    }
}

/// The texts of a string catalog, `Localizable.xcstrings`, by language.
struct StringCatalog {
    /// The texts by language tag, as ``LocalizedStrings/chain(_:)`` writes it, and key.
    private(set) var texts: [String: [String: LocalizedText]] = [:]

    /// Reads a file's bytes.
    ///
    /// - Throws: What is wrong, with its line or with the key of the text.
    init(_ bytes: [UInt8]) throws(BundleFile.Failure) {
        let catalog: JSON
        do throws(JSONParseError) {
            catalog = try JSON(authored: bytes)
        } catch {
            throw BundleFile.Failure(message: "line \(error.line): \(error.message)")
        }
        guard let source = catalog["sourceLanguage"]?.string, let strings = catalog["strings"]?.object else {
            throw BundleFile.Failure(message: "a string catalog needs sourceLanguage and strings")
        }
        let languages = Set(strings.flatMap { $0.value["localizations"]?.object?.map(\.name) ?? [] } + [source])
        for (key, entry) in strings {
            for language in languages {
                let localization = entry["localizations"]?[language]
                let found = try localization.flatMap { value throws(BundleFile.Failure) in
                    try naming("\(key) (\(language))") { () throws(BundleFile.Failure) in
                        try Self.text(value, PluralRules(language: language))
                    }
                }
                // The key is the text in the language of the source code, and of a text that is the same in all languages.
                let isKey = language == source || entry["shouldTranslate"] == false
                guard let text = found ?? (isKey ? .format(key) : nil) else { continue }
                texts[LocalizedStrings.chain(language).first ?? "", default: [:]][key] = text
            }
        }
    }

    /// The text of a localization; nil if it is not translated yet.
    private static func text(_ localization: JSON, _ rules: PluralRules) throws(BundleFile.Failure) -> LocalizedText? {
        // The host stands for an iPhone.
        if let devices = localization["variations"]?["device"] {
            return try (devices["iphone"] ?? devices["other"]).flatMap { value throws(BundleFile.Failure) in
                try text(value, rules)
            }
        }
        if localization["variations"]?["plural"] != nil {
            return try PluralFormats.text(forms(localization), rules)
        }
        guard let text = value(of: localization) else { return nil }
        guard let substitutions = localization["substitutions"]?.object else { return .format(text) }
        var variables: [String: PluralFormats.Variable] = [:]
        for (name, substitution) in substitutions {
            let argument = substitution["argNum"]?.integer.map { Int(clamping: $0) }
            let forms = forms(substitution).mapValues { form in
                // %arg is the number itself; its place in the forms is that of the variable.
                form.replacing("%arg", with: argument.map { "%\($0)$@" } ?? "%@")
            }
            variables[name] = PluralFormats.Variable(argument: argument, forms: forms)
        }
        return try PluralFormats(rules: rules, variables: variables).text(text)
    }

    private static func forms(_ owner: JSON) -> [PluralCategory: String] {
        var forms: [PluralCategory: String] = [:]
        for (name, form) in owner["variations"]?["plural"]?.object ?? [:] {
            if let category = PluralCategory(rawValue: name) { forms[category] = value(of: form) }
        }
        return forms
    }

    /// The text of a unit; nil if Xcode only made room for it.
    private static func value(of owner: JSON) -> String? {
        let unit = owner["stringUnit"]
        guard let value = unit?["value"]?.string, !value.isEmpty || unit?["state"] != "new" else { return nil }
        return value
    }
}

/// Adds the key of a text to the failure of a closure.
private func naming<Result>(
    _ key: String,
    _ body: () throws(BundleFile.Failure) -> Result
) throws(BundleFile.Failure) -> Result {
    do throws(BundleFile.Failure) {
        return try body()
    } catch {
        throw BundleFile.Failure(message: "\(key): \(error.message)")
    }
}
