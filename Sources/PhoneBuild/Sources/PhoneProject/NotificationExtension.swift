package import PhoneDiagnostics

/// What a notification extension does.
package enum ExtensionKind: String, Codable, Sendable {
    case content, service
}

/// A notification extension of a project, with everything that a build needs.
package struct NotificationExtension {
    /// The name of the target; of a plain folder, the folder's name.
    package let target: String
    /// Content or service.
    package let kind: ExtensionKind
    /// The `project.pbxproj`, or the folder without a project.
    package let project: String
    /// `CFBundleIdentifier`.
    package let identifier: String
    /// `PRODUCT_NAME`, also the name of the executable.
    package let product: String
    /// `PRODUCT_MODULE_NAME`.
    package let module: String
    /// The categories of a content extension.
    package let categories: [String]
    /// `NSExtensionPrincipalClass`.
    package let principalClass: String?
    /// `NSExtensionMainStoryboard`.
    package let storyboard: String?
    /// The Swift files, wherever they stand.
    package let sources: [String]
    /// The sources that only a Mac compiles.
    package let objectiveC: [String]
    /// The resources with their places in the bundle.
    package let resources: [Resource]
    /// The file Info.plist; nil if Xcode generates all of it.
    package let infoPlistPath: String?
    /// The Info.plist as it is in the bundle.
    package let infoPlist: InfoPlist
    /// The file of the entitlements.
    package let entitlementsPath: String?
    /// The settings of the target.
    package let settings: BuildSettings
    /// The names of the targets that are built before.
    package let dependencies: [String]
    /// The names of the linked frameworks and products of packages.
    package let libraries: [String]
    /// What is wrong with the target and does not prevent a build.
    package let warnings: [Diagnostic]

    /// The language mode of the sources: 6 if the project says so, else 5 or the older one that is still known.
    package var swiftVersion: String {
        let major = settings["SWIFT_VERSION"].flatMap { $0.split(separator: ".").first }
        return major.flatMap { ["4", "5", "6"].contains($0) ? String($0) : nil } ?? "5"
    }

    /// The names that `#if` finds set.
    package var conditions: [String] {
        var names = settings.words("SWIFT_ACTIVE_COMPILATION_CONDITIONS")
        let flags = settings.words("OTHER_SWIFT_FLAGS")
        for (index, flag) in flags.enumerated() where flag.hasPrefix("-D") {
            let name = flag == "-D" ? flags.dropFirst(index + 1).first : String(flag.dropFirst(2))
            names += name.map { [$0] } ?? []
        }
        var known: Set<String> = []
        return names.filter { known.insert($0).inserted }
    }

    /// The flags of the compiler that change what a source means.
    package var languageFlags: [String] {
        var flags = ["-swift-version", swiftVersion]
        if settings["SWIFT_DEFAULT_ACTOR_ISOLATION"] == "MainActor" { flags += ["-default-isolation", "MainActor"] }
        var features: Set<String> = []
        if settings.isOn("SWIFT_APPROACHABLE_CONCURRENCY") {
            features = ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"]
            if swiftVersion != "6" {
                features.formUnion([
                    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferSendableFromCaptures",
                ])
            }
        }
        let prefix = "SWIFT_UPCOMING_FEATURE_"
        for name in settings.names(prefix: prefix) where settings.isOn(name) {
            let words = name.dropFirst(prefix.count).split(separator: "_")
            features.insert(
                words.map { Self.spelling[String($0)] ?? $0.prefix(1) + $0.dropFirst().lowercased() }.joined()
            )
        }
        // A file needs no import of what it uses: the copy would need one of each module behind UIKit.
        features.remove("MemberImportVisibility")
        return flags + features.sorted().flatMap { ["-enable-upcoming-feature", $0] } + conditions.map { "-D\($0)" }
    }

    /// The entitlements in a file with their variables replaced.
    ///
    /// - Throws: A diagnostic if the file is absent or no property list.
    package func entitlements(at path: String) throws(Diagnostic) -> [String: Any] {
        try InfoPlist.dictionary(path).mapValues { InfoPlist.expanded($0, settings) }
    }

    /// The words in names of upcoming features that are not written in lower case after their first letter.
    private static let spelling: [String: Substring] = ["OBJC": "ObjC", "NONISOLATED": "Nonisolated"]
}
