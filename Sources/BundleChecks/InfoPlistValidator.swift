internal import JSON
internal import Localization
internal import Platform
internal import PropertyLists
internal import Spelling

/// Validates the parts of an `Info.plist` that the host does not: the names and levels of keys, and categories.
///
/// The host itself reports missing keys and values of wrong types.
struct InfoPlistValidator {
    /// Whose attributes the property list has.
    private enum Kind: CaseIterable {
        /// An extension that a phone has too.
        case content
        case destination
        case source

        init(point: String?) {
            switch point {
            case "pushhost.destination": self = .destination
            case "pushhost.source": self = .source
            default: self = .content
            }
        }

        /// Who has such attributes, in a sentence.
        var name: String {
            switch self {
            case .content: "a content extension"
            case .destination: "a destination (pushhost.destination)"
            case .source: "a source (pushhost.source)"
            }
        }
    }

    /// A level of the property list.
    private enum Level: String, CaseIterable {
        case root = "the root"
        case `extension` = "NSExtension"
        case attributes = "NSExtension/NSExtensionAttributes"

        /// The JSON Pointer to its dictionary.
        var pointer: String {
            switch self {
            case .root: ""
            case .extension: "/NSExtension"
            case .attributes: "/NSExtension/NSExtensionAttributes"
            }
        }

        /// The prefix of the names of the level's keys.
        func prefix(_ kind: Kind) -> String {
            switch self {
            case .root: "CFBundle"
            case .extension: "NSExtension"
            case .attributes: kind == .content ? InfoPlistValidator.prefix : InfoPlistValidator.ownPrefix
            }
        }

        /// The known keys of the level.
        func keys(_ kind: Kind) -> [String] {
            let prefix = prefix(kind)
            return switch self {
            case .root:
                [
                    "DevelopmentRegion", "DisplayName", "Executable", "Identifier", "InfoDictionaryVersion", "Name",
                    "PackageType", "ShortVersionString", "Version",
                ].map { prefix + $0 } + ["NSExtension", InfoPlistValidator.ownPrefix + "Permissions"]
            case .extension: ["Attributes", "MainStoryboard", "PointIdentifier", "PrincipalClass"].map { prefix + $0 }
            case .attributes where kind == .destination:
                ["DestinationConcurrentBatches", "DestinationIsIdempotent", "DestinationName", "Environment"].map {
                    prefix + $0
                }
            case .attributes where kind == .source: ["SourceName", "Environment"].map { prefix + $0 }
            case .attributes:
                [
                    "Category", "DefaultContentHidden", "InitialContentSizeRatio", "OverridesDefaultTitle",
                    "UserInteractionEnabled",
                ].map { prefix + $0 } + [InfoPlistValidator.ownPrefix + "UserInfoKeys"]
            }
        }
    }

    private static let prefix = "UNNotificationExtension"
    private static let ownPrefix = "Pushhost"

    private let folder: String
    private let unsaved: [String: [UInt8]]
    private let values: PropertyListValue
    private let kind: Kind

    /// Reads the property list; nil if that fails, which the host reports.
    init?(folder: String, unsaved: [String: [UInt8]]) {
        (self.folder, self.unsaved) = (folder, unsaved)
        guard let values = try? BundleFile.dictionary("Info.plist", in: folder, unsaved: unsaved) else { return nil }
        self.values = values
        kind = Kind(point: values["NSExtension"]?["NSExtensionPointIdentifier"]?.text)
    }

    func findings() -> [BundleFinding] {
        var findings: [BundleFinding] = []
        let nsExtension = values["NSExtension"]
        let attributes = nsExtension?["NSExtensionAttributes"]
        for (level, values) in [(.root, values), (.extension, nsExtension), (.attributes, attributes)]
            as [(Level, PropertyListValue?)]
        {
            for key in values?.keys?.sorted() ?? [] {
                guard let (reason, text, correction) = problem(of: key, at: level) else { continue }
                let path = "\(level.pointer)/\(JSONPointer.escape(key))"
                findings.append(
                    BundleFinding(.error, reason, "Info.plist", text, path: path, correction: correction)
                )
            }
        }
        findings += CategoryValidator(
            categories: attributes?[Self.prefix + "Category"]?.texts ?? [],
            pointer: "\(Level.attributes.pointer)/\(Self.prefix)Category"
        ).findings()
        let point = nsExtension?["NSExtensionPointIdentifier"]?.text ?? ""
        guard point.hasPrefix("com.apple.") else { return findings }
        var entitlements = EntitlementsValidator(
            folder: folder,
            unsaved: unsaved,
            executable: values["CFBundleExecutable"]?.text ?? "",
            maySave: point != "com.apple.usernotifications.service"
        )
        entitlements.validate()
        return findings + entitlements.findings
    }

    // MARK: Keys

    /// What is wrong with the name of a key, and what corrects it.
    private typealias Problem = (reason: String, message: String, correction: BundleFinding.Correction?)

    /// What is wrong with the name of a key; nil if it is valid.
    private func problem(of key: String, at level: Level) -> Problem? {
        // The host accepts and reports the guide's misspelling.
        let known = level.keys(kind)
        guard !known.contains(key), key != Self.prefix + "InteractionEnabled" || level != .attributes else {
            return nil
        }
        if let home = Level.allCases.first(where: { $0.keys(kind).contains(key) }) {
            let text = "\(key) is in \(level.rawValue), where it is ignored; move it to \(home.rawValue)"
            return ("misplacedKey", text, .move(to: home.pointer))
        }
        let owners = Kind.allCases.filter { Level.attributes.keys($0).contains(key) }
        if !owners.isEmpty { return problem(ofKey: key, of: owners) }
        let all = Level.allCases.flatMap { $0.keys(kind) }
        if let correction = all.first(where: { $0.lowercased() == key.lowercased() }) {
            return ("misspeltKey", "\(key) must be written \(correction), case counts", .rename(correction))
        }
        let prefix = Level.attributes.prefix(kind)
        if key.lowercased().hasPrefix(prefix.lowercased()) {
            let known = Level.attributes.keys(kind).filter { $0.hasPrefix(prefix) }
            let reader = kind == .content ? "iOS" : "the host"
            guard let near = Self.nearest(key, prefix, known) else {
                let text = "\(reader) does not know \(key); it knows \(known.joined(separator: ", "))"
                return ("unknownKey", text, .remove)
            }
            return ("misspeltKey", "\(reader) does not know \(key); did you mean \(near)?", .rename(near))
        }
        guard let correction = Self.nearest(key, level.prefix(kind), known) else { return nil }
        return ("misspeltKey", "\(key) is ignored; did you mean \(correction)?", .rename(correction))
    }

    /// What is wrong with a key of another extension point.
    private func problem(ofKey key: String, of owners: [Kind]) -> Problem? {
        // The host itself reports this key, because its variables may hold secrets.
        if key == Self.ownPrefix + "Environment" { return nil }
        let names = owners.map(\.name).joined(separator: " or ")
        return ("unknownKey", "\(key) is ignored here, because only \(names) has it; remove it", .remove)
    }

    /// The known key that is spelt most like another one; only what follows the common prefix is compared.
    private static func nearest(_ key: String, _ prefix: String, _ known: [String]) -> String? {
        guard key.hasPrefix(prefix) else { return EditDistance.nearest(key, in: known) }
        let family = known.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        return EditDistance.nearest(String(key.dropFirst(prefix.count)), in: family).map { prefix + $0 }
    }
}

/// Validates the names of categories.
private struct CategoryValidator {
    /// The categories of Braze's SDK; the one of Push Story had another name before version 3.13.0.
    private static let builtIn = [
        "ab_cat_accept_decline", "ab_cat_confirm_cancel", "ab_cat_more", "ab_cat_push_story_v2", "ab_cat_yes_no",
    ]
    private static let formerPushStory = "ab_cat_push_story"
    private static let prefix = "ab_cat_"

    let categories: [String]
    /// The JSON Pointer to the string or array.
    let pointer: String

    func findings() -> [BundleFinding] {
        categories.enumerated().compactMap { index, category in
            guard categories[..<index].contains(category) else { return finding(about: category, at: index) }
            let text = "the category \(category) is listed twice"
            return finding(.warning, "repeatedCategory", index, text, .remove)
        }
    }

    private func finding(
        _ severity: BundleFinding.Severity,
        _ reason: String,
        _ index: Int,
        _ text: String,
        _ correction: BundleFinding.Correction?
    ) -> BundleFinding {
        let path = "\(pointer)/\(index)"
        return BundleFinding(severity, reason, "Info.plist", text, path: path, correction: correction)
    }

    private func finding(about category: String, at index: Int) -> BundleFinding? {
        let quoted = category.debugDescription
        if category != category.trimmed {
            let text =
                "the category \(quoted) has white space at its beginning or end; remove it, because payloads name categories exactly"
            let trimmed = String(category.trimmed)
            return finding(.error, "categoryWhiteSpace", index, text, trimmed.isEmpty ? nil : .replace(trimmed))
        }
        guard !Self.builtIn.contains(category) else { return nil }
        if category == Self.formerPushStory {
            let text =
                "\(category) was Push Story's category before 3.13.0 of Braze's SDK; now it is \(category)_v2"
            return finding(.warning, "formerCategory", index, text, .replace("\(category)_v2"))
        }
        let letters = { (name: String) in name.lowercased().filter { $0.isLetter || $0.isNumber } }
        let twin = Self.builtIn.first { letters($0) == letters(category) }
        let own = category.lowercased().hasPrefix(Self.prefix) ? String(category.dropFirst(Self.prefix.count)) : nil
        let near = own.flatMap { own in
            EditDistance.nearest(own, in: Self.builtIn.map { String($0.dropFirst(Self.prefix.count)) })
        }
        if let correction = twin ?? near.map({ Self.prefix + $0 }) {
            let text = "the category \(quoted) resembles Braze's \(correction), but categories are compared exactly"
            return finding(.error, "misspeltCategory", index, text, .replace(correction))
        }
        guard own != nil else { return nil }
        let text = "the category \(quoted) begins like Braze's own; choose another name"
        return finding(.warning, "reservedCategory", index, text, nil)
    }
}
