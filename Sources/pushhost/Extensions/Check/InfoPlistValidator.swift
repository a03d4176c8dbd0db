internal import Configuration
internal import HostCore
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

/// Validates the names of categories.
private struct CategoryValidator {
    /// The categories of Braze's SDK; the one of Push Story had another name before version 3.13.0.
    private static let builtIn = [
        "ab_cat_accept_decline", "ab_cat_confirm_cancel", "ab_cat_more", "ab_cat_push_story_v2", "ab_cat_yes_no",
    ]
    private static let formerPushStory = "ab_cat_push_story"
    private static let prefix = "ab_cat_"

    let categories: [String]

    func validate(_ report: CheckReport) {
        for (index, category) in categories.enumerated() {
            if categories[..<index].contains(category) {
                report.addFinding(.warning, "Info.plist", "the category \(category) is listed twice")
            } else if let (severity, text) = finding(about: category) {
                report.addFinding(severity, "Info.plist", text)
            }
        }
    }

    private func finding(about category: String) -> (CheckReport.Severity, String)? {
        let quoted = category.debugDescription
        if category != category.trimmed {
            return (
                .error,
                "the category \(quoted) has white space at its beginning or end; remove it, because payloads name categories exactly"
            )
        }
        guard !Self.builtIn.contains(category) else { return nil }
        if category == Self.formerPushStory {
            return (
                .warning, "\(category) was Push Story's category before 3.13.0 of Braze's SDK; now it is \(category)_v2"
            )
        }
        let letters = { (name: String) in name.lowercased().filter { $0.isLetter || $0.isNumber } }
        let twin = Self.builtIn.first { letters($0) == letters(category) }
        let own = category.lowercased().hasPrefix(Self.prefix) ? String(category.dropFirst(Self.prefix.count)) : nil
        let near = own.flatMap { own in
            EditDistance.nearest(own, in: Self.builtIn.map { String($0.dropFirst(Self.prefix.count)) })
        }
        if let correction = twin ?? near.map({ Self.prefix + $0 }) {
            return (
                .error,
                "the category \(quoted) resembles Braze's \(correction), but categories are compared exactly"
            )
        }
        guard own != nil else { return nil }
        return (.warning, "the category \(quoted) begins like Braze's own; choose another name")
    }
}

/// Validates the entitlements of a bundle: the name of the file, and the suites that it lists.
private struct EntitlementsValidator {
    private static let key = "com.apple.security.application-groups"

    let folder: String
    /// `CFBundleExecutable`, perhaps with a build variable in it; empty if the key is absent.
    let executable: String
    /// Whether extensions of this kind may save; a service extension may not.
    let maySave: Bool

    func validate(_ report: CheckReport) {
        // The host reports a folder that cannot be read.
        guard let entries = try? Folders.names(in: folder) else { return }
        let files = entries.filter { $0.hasSuffix(".entitlements") }
        // Xcode replaces the variable or adds the key. Here the name of the folder does, as in the host.
        let name =
            executable.isEmpty || executable.hasPrefix("$")
            ? URL(fileURLWithPath: folder).lastPathComponent : executable
        let expected = "\(name).entitlements"
        guard let file = files.contains(expected) ? expected : files.first else {
            let near = entries.first { $0.lowercased().contains("entitlement") }
            if let near { report.addFinding(.error, near, "it is not read; rename it \(expected)") }
            guard maySave else { return }
            return report.addFinding(
                .warning,
                expected,
                "it is missing, so the extension may touch no suite and what it saves is refused; list \(Self.key) in it"
            )
        }
        if file != expected {
            let others = files.count > 1 ? ", the first of \(files.count) entitlements files," : ""
            let severity: CheckReport.Severity = files.count > 1 ? .error : .warning
            report.addFinding(
                severity,
                file,
                "it is read\(others) because there is no \(expected); name it after the executable"
            )
        } else {
            for other in files where other != expected {
                report.addFinding(
                    .warning,
                    other,
                    "it is not read, because \(expected) is; remove it, or move its App Groups there"
                )
            }
        }
        guard let values = try? BundleFile.dictionary(file, in: folder) else { return }
        let groups = validate(values, file, report)
        guard !groups.isEmpty, !report.findings.contains(where: { $0.place == file }) else { return }
        report.addFinding(.ok, file, "the extension may touch \(groups.joined(separator: ", "))")
    }

    /// - Returns: The App Groups that it lists.
    private func validate(_ values: PropertyListValue, _ file: String, _ report: CheckReport) -> [String] {
        let near = (values.keys ?? []).sorted().filter { $0 != Self.key && Self.isNear($0) }
        for key in near { report.addFinding(.error, file, "\(key) is ignored; did you mean \(Self.key)?") }
        guard let value = values[Self.key] else {
            if near.isEmpty, maySave {
                report.addFinding(.warning, file, "it lists no \(Self.key), so what the extension saves is refused")
            }
            return []
        }
        // The host itself reports a value of another type.
        guard let groups = value.texts else { return [] }
        if groups.isEmpty {
            report.addFinding(.warning, file, "\(Self.key) is empty, so what the extension saves is refused")
        }
        for (index, group) in groups.enumerated() {
            if let rule = HostConfiguration.suiteRule(brokenBy: group) {
                report.addFinding(
                    .error,
                    file,
                    "the App Group \(group.debugDescription) is not a suite name: a name is \(rule)"
                )
            } else if !group.hasPrefix("group.") {
                report.addFinding(.warning, file, "the App Group \(group) does not begin with group., as iOS requires")
            }
            if let other = groups[..<index].first(where: { $0.lowercased() == group.lowercased() }) {
                let isSame = other == group
                let text = isSame ? "is listed twice" : "and \(other) differ only in case, which the host refuses"
                report.addFinding(isSame ? .warning : .error, file, "the App Group \(group) \(text)")
            }
        }
        return groups
    }

    /// Whether a key may be a misspelling of the one for App Groups; only the last parts are compared, because the names of
    /// all entitlements begin alike.
    private static func isNear(_ name: String) -> Bool {
        let last = { (name: String) in name.split(separator: ".").last.map(String.init) ?? "" }
        return EditDistance.nearest(last(name), in: [last(key)]) != nil
    }
}
