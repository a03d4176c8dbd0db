package import PhoneDiagnostics

/// What a notification extension does.
package enum ExtensionKind: String, Codable, Sendable {
    case content, service
}

/// A notification extension of a project, with everything that a build needs.
package struct NotificationExtension {
    /// The target; of a plain folder, the folder.
    package let code: SourceModule
    /// The frameworks of the project and the modules of its packages, which the sources may import.
    package var frameworks: [SourceModule] = []
    /// Where modules come from that nothing here has, by their names: a pod, or a package that is not checked out.
    package var origins: [String: String] = [:]
    /// Content or service.
    package let kind: ExtensionKind
    /// The `project.pbxproj`, or the folder without a project.
    package let project: String
    /// `CFBundleIdentifier`.
    package let identifier: String
    /// `PRODUCT_NAME`, also the name of the executable.
    package let product: String
    /// The categories of a content extension.
    package let categories: [String]
    /// `NSExtensionPrincipalClass`.
    package let principalClass: String?
    /// `NSExtensionMainStoryboard`.
    package let storyboard: String?
    /// The file Info.plist; nil if Xcode generates all of it.
    package let infoPlistPath: String?
    /// The Info.plist as it is in the bundle.
    package let infoPlist: InfoPlist
    /// The file of the entitlements.
    package let entitlementsPath: String?
    /// The names of the targets that are built before.
    package let dependencies: [String]
    /// The names of the linked frameworks and products of packages.
    package let libraries: [String]
    /// What is wrong with the target and does not prevent a build.
    package let warnings: [Diagnostic]

    /// The entitlements in a file with their variables replaced.
    ///
    /// - Throws: A diagnostic if the file is absent or no property list.
    package func entitlements(at path: String) throws(Diagnostic) -> [String: Any] {
        try InfoPlist.dictionary(path).mapValues { InfoPlist.expanded($0, code.settings) }
    }
}
