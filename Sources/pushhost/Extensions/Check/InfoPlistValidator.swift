internal import Foundation
internal import HostCore
internal import Localization
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
                ].map { prefix + $0 } + ["NSExtension"]
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
    private let values: PropertyListValue
    private let kind: Kind

    /// Reads the property list; nil if that fails, which the host reports.
    init?(folder: String) {
        self.folder = folder
        guard let values = try? BundleFile.dictionary("Info.plist", in: folder) else { return nil }
        self.values = values
        kind = Kind(point: values["NSExtension"]?["NSExtensionPointIdentifier"]?.text)
    }

    func validate(_ report: CheckReport) {
        let nsExtension = values["NSExtension"]
        let attributes = nsExtension?["NSExtensionAttributes"]
        for (level, values) in [(.root, values), (.extension, nsExtension), (.attributes, attributes)]
            as [(Level, PropertyListValue?)]
        {
            for key in values?.keys?.sorted() ?? [] {
                if let text = problem(of: key, at: level) { report.addFinding(.error, "Info.plist", text) }
            }
        }
        CategoryValidator(categories: attributes?[Self.prefix + "Category"]?.texts ?? []).validate(report)
        let point = nsExtension?["NSExtensionPointIdentifier"]?.text ?? ""
        guard point.hasPrefix("com.apple.") else { return }
        EntitlementsValidator(
            folder: folder,
            executable: values["CFBundleExecutable"]?.text ?? "",
            maySave: point != "com.apple.usernotifications.service"
        ).validate(report)
    }

    // MARK: Keys

    /// What is wrong with the name of a key; nil if it is valid.
    private func problem(of key: String, at level: Level) -> String? {
        // The host accepts and reports the guide's misspelling.
        let known = level.keys(kind)
        guard !known.contains(key), key != Self.prefix + "InteractionEnabled" || level != .attributes else {
            return nil
        }
        if let home = Level.allCases.first(where: { $0.keys(kind).contains(key) }) {
            return "\(key) is in \(level.rawValue), where it is ignored; move it to \(home.rawValue)"
        }
        let owners = Kind.allCases.filter { Level.attributes.keys($0).contains(key) }
        if !owners.isEmpty { return problem(ofKey: key, of: owners) }
        let all = Level.allCases.flatMap { $0.keys(kind) }
        if let correction = all.first(where: { $0.lowercased() == key.lowercased() }) {
            return "\(key) must be written \(correction), case counts"
        }
        let prefix = Level.attributes.prefix(kind)
        if key.lowercased().hasPrefix(prefix.lowercased()) {
            let known = Level.attributes.keys(kind).filter { $0.hasPrefix(prefix) }
            let guess = Self.nearest(key, prefix, known).map { "did you mean \($0)?" }
            let reader = kind == .content ? "iOS" : "the host"
            return "\(reader) does not know \(key); \(guess ?? "it knows \(known.joined(separator: ", "))")"
        }
        guard let correction = Self.nearest(key, level.prefix(kind), known) else { return nil }
        return "\(key) is ignored; did you mean \(correction)?"
    }

    /// What is wrong with a key of another extension point.
    private func problem(ofKey key: String, of owners: [Kind]) -> String? {
        // The host itself reports this key, because its variables may hold secrets.
        if key == Self.ownPrefix + "Environment" { return nil }
        let names = owners.map(\.name).joined(separator: " or ")
        return "\(key) is ignored here, because only \(names) has it; remove it"
    }

    /// The known key that is spelt most like another one; only what follows the common prefix is compared.
    private static func nearest(_ key: String, _ prefix: String, _ known: [String]) -> String? {
        guard key.hasPrefix(prefix) else { return EditDistance.nearest(key, in: known) }
        let family = known.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        return EditDistance.nearest(String(key.dropFirst(prefix.count)), in: family).map { prefix + $0 }
    }
}
