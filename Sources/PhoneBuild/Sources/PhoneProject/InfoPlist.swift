package import Foundation
internal import PhoneDiagnostics

/// The Info.plist of an extension, as Xcode would put it into the bundle.
package struct InfoPlist {
    /// The extension points of notification extensions.
    package static let extensionPoints = [
        "com.apple.usernotifications.content-extension": ExtensionKind.content,
        "com.apple.usernotifications.service": .service,
    ]

    private var members: [String: Any]

    /// Reads the file and expands its variables; Xcode generates what the settings ask for.
    ///
    /// - Parameters:
    ///   - path: The file; nil if the target has none.
    ///   - settings: The settings of the target.
    /// - Throws: A diagnostic if the file is absent or no property list.
    init(path: String?, settings: BuildSettings) throws(Diagnostic) {
        members = settings.isOn("GENERATE_INFOPLIST_FILE") ? Self.generated(settings) : [:]
        guard let path else { return }
        members.merge(try Self.dictionary(path)) { $1 }
        members = members.mapValues { Self.expanded($0, settings) }
    }

    /// The dictionary of a property list in a file.
    ///
    /// - Throws: A diagnostic if the file is absent or has no dictionary.
    static func dictionary(_ path: String) throws(Diagnostic) -> [String: Any] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Diagnostic(.error, path, "the property list is absent: correct the path in the build settings")
        }
        do {
            if let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
                as? [String: Any]
            {
                return list
            }
        } catch {}
        throw Diagnostic(
            .error,
            path,
            "the file is no property list with a dictionary: open it in Xcode and correct it"
        )
    }

    /// The keys that Xcode writes itself, and those of the settings `INFOPLIST_KEY_…`.
    private static func generated(_ settings: BuildSettings) -> [String: Any] {
        var members: [String: Any] = [
            "CFBundleShortVersionString": settings["MARKETING_VERSION"] ?? "1.0",
            "CFBundleVersion": settings["CURRENT_PROJECT_VERSION"] ?? "1",
        ]
        let prefix = "INFOPLIST_KEY_"
        for name in settings.names(prefix: prefix) {
            guard let value = settings[name] else { continue }
            let isFlag = ["YES", "NO"].contains(value)
            members[String(name.dropFirst(prefix.count))] = isFlag ? value == "YES" : value
        }
        return members
    }

    /// A value whose texts have their variables replaced.
    static func expanded(_ value: Any, _ settings: BuildSettings) -> Any {
        switch value {
        case let text as String: settings.expanded(text)
        case let list as [Any]: list.map { expanded($0, settings) }
        case let dictionary as [String: Any]: dictionary.mapValues { expanded($0, settings) }
        default: value
        }
    }

    /// Sets what a bundle of the host needs: the name of the executable and the identifier.
    mutating func complete(executable: String, identifier: String, region: String) {
        members["CFBundleExecutable"] = executable
        for (key, value) in [
            "CFBundleIdentifier": identifier, "CFBundleName": executable, "CFBundleDevelopmentRegion": region,
            "CFBundlePackageType": "XPC!",
        ] where (members[key] as? String ?? "").isEmpty {
            members[key] = value
        }
        convertTexts()
    }

    /// Flags and numbers that are written as texts become what iOS reads them as.
    private mutating func convertTexts() {
        guard var list = members["NSExtension"] as? [String: Any],
            var attributes = list["NSExtensionAttributes"] as? [String: Any]
        else { return }
        let prefix = "UNNotificationExtension"
        for name in ["DefaultContentHidden", "OverridesDefaultTitle", "UserInteractionEnabled"] {
            guard let text = attributes[prefix + name] as? String else { continue }
            attributes[prefix + name] = ["y", "t", "1"].contains(text.prefix(1).lowercased())
        }
        if let text = attributes["\(prefix)InitialContentSizeRatio"] as? String, let number = Double(text) {
            attributes["\(prefix)InitialContentSizeRatio"] = number
        }
        list["NSExtensionAttributes"] = attributes
        members["NSExtension"] = list
    }

    // MARK: Members

    /// Everything that the file has and Xcode adds.
    package var values: [String: Any] { members }

    /// A text at the top.
    package func text(_ key: String) -> String? { members[key] as? String }

    private var extensionMembers: [String: Any] { members["NSExtension"] as? [String: Any] ?? [:] }

    /// Content or service; nil if the bundle is no notification extension.
    var kind: ExtensionKind? {
        (extensionMembers["NSExtensionPointIdentifier"] as? String).flatMap { Self.extensionPoints[$0] }
    }

    /// The name of the principal class, often with the module's name and a point before it.
    var principalClass: String? { extensionMembers["NSExtensionPrincipalClass"] as? String }

    /// The name of the storyboard whose initial view controller is shown.
    var storyboard: String? { extensionMembers["NSExtensionMainStoryboard"] as? String }

    /// The categories of a content extension.
    var categories: [String] {
        let attributes = extensionMembers["NSExtensionAttributes"] as? [String: Any] ?? [:]
        let value = attributes["UNNotificationExtensionCategory"]
        return value as? [String] ?? (value as? String).map { [$0] } ?? []
    }

    /// The file of the bundle.
    ///
    /// - Throws: An error of Foundation if a value is none of a property list.
    package func data() throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: members, format: .xml, options: 0)
    }
}
