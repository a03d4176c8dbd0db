internal import Foundation
internal import HostCore
internal import Localization
internal import PropertyLists
internal import Spelling

/// Validates what the host does not report when it loads an `Info.plist`: the names of keys and their levels, categories.
///
/// The host itself reports what is missing or has a wrong type.
struct InfoPlistValidator {
    /// The keys that matter at each level, and how they are called there.
    private enum Level: String, CaseIterable {
        case root = "the root"
        case `extension` = "NSExtension"
        case attributes = "NSExtension/NSExtensionAttributes"

        /// What the names of the level's keys begin with.
        func prefix(_ isDestination: Bool) -> String {
            switch self {
            case .root: "CFBundle"
            case .extension: "NSExtension"
            case .attributes: isDestination ? InfoPlistValidator.destinationPrefix : InfoPlistValidator.prefix
            }
        }

        func keys(_ isDestination: Bool) -> [String] {
            let prefix = prefix(isDestination)
            return switch self {
            case .root:
                [
                    "DevelopmentRegion", "DisplayName", "Executable", "Identifier", "InfoDictionaryVersion", "Name",
                    "PackageType", "ShortVersionString", "Version",
                ].map { prefix + $0 } + ["NSExtension"]
            case .extension: ["Attributes", "MainStoryboard", "PointIdentifier", "PrincipalClass"].map { prefix + $0 }
            case .attributes where isDestination:
                ["DestinationConcurrentBatches", "DestinationName", "Environment"].map { prefix + $0 }
            case .attributes:
                [
                    "Category", "DefaultContentHidden", "InitialContentSizeRatio", "OverridesDefaultTitle",
                    "UserInteractionEnabled",
                ].map { prefix + $0 } + [InfoPlistValidator.destinationPrefix + "UserInfoKeys"]
            }
        }
    }

    private static let prefix = "UNNotificationExtension"
    private static let destinationPrefix = "Pushhost"
    private static let destination = "pushhost.destination"

    private let folder: String
    private let values: PropertyListValue
    private let isDestination: Bool

    /// Reads the plist; nil if that fails, which the host reports.
    init?(folder: String) {
        self.folder = folder
        guard let values = try? BundleFile.dictionary("Info.plist", in: folder) else { return nil }
        self.values = values
        let point = values["NSExtension"]?["NSExtensionPointIdentifier"]?.text
        isDestination = point == Self.destination
    }

    func validate(_ report: CheckReport) {
        let nsExtension = values["NSExtension"]
        let attributes = nsExtension?["NSExtensionAttributes"]
        for (level, values) in [(.root, values), (.extension, nsExtension), (.attributes, attributes)]
            as [(Level, PropertyListValue?)]
        {
            for key in values?.keys?.sorted() ?? [] {
                if let text = problem(of: key, at: level) { report.add(.error, "Info.plist", text) }
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

    /// What is wrong with the name of a key; nil if nothing is.
    private func problem(of key: String, at level: Level) -> String? {
        // The host itself reports the guide's misspelling, because it accepts it.
        let known = level.keys(isDestination)
        guard !known.contains(key), key != Self.prefix + "InteractionEnabled" || level != .attributes else {
            return nil
        }
        if let home = Level.allCases.first(where: { $0.keys(isDestination).contains(key) }) {
            return "\(key) is in \(level.rawValue), where nobody reads it; move it to \(home.rawValue)"
        }
        if Level.attributes.keys(!isDestination).contains(key) {
            return problem(ofOthers: key)
        }
        let all = Level.allCases.flatMap { $0.keys(isDestination) }
        if let right = all.first(where: { $0.lowercased() == key.lowercased() }) {
            return "\(key) must be written \(right), case counts"
        }
        let prefix = Level.attributes.prefix(isDestination)
        if key.lowercased().hasPrefix(prefix.lowercased()) {
            let known = Level.attributes.keys(isDestination).filter { $0.hasPrefix(prefix) }
            let guess = Self.nearest(key, prefix, known).map { "did you mean \($0)?" }
            let reader = isDestination ? "the host" : "iOS"
            return "\(reader) knows no \(key); \(guess ?? "it knows \(known.joined(separator: ", "))")"
        }
        guard let right = Self.nearest(key, level.prefix(isDestination), known) else { return nil }
        return "nobody reads \(key); did you mean \(right)?"
    }

    /// What is wrong with an attribute of another extension point.
    private func problem(ofOthers key: String) -> String? {
        // The host itself reports that, because secrets are at stake.
        if !isDestination, key == Self.destinationPrefix + "Environment" { return nil }
        let reader = isDestination ? "a content extension" : "a destination (\(Self.destination))"
        return "nobody reads \(key) here, it is of \(reader); remove it"
    }

    /// Keys of one family share so many letters that only the others count.
    private static func nearest(_ key: String, _ prefix: String, _ known: [String]) -> String? {
        guard key.hasPrefix(prefix) else { return EditDistance.nearest(key, in: known) }
        let family = known.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        return EditDistance.nearest(String(key.dropFirst(prefix.count)), in: family).map { prefix + $0 }
    }
}
