package import Configuration
package import ExtensionHost
internal import JSON
internal import Localization
internal import Platform
internal import Recording

/// The descriptions of the bundles are recorded too: a reader of a recording may not have the bundles.
extension Recorder {
    /// The greatest size of a recorded file in bytes; the host does not read larger files of a bundle.
    private static let fileLimit = 4 << 20

    /// Redacts the values of the environment variables that the bundles of a host receive.
    ///
    /// The bundles are read again when they are first needed, as without a recording.
    package func hideSecrets(_ configuration: HostConfiguration) {
        let bundles = BundleCatalog(folders: configuration.pluginFolders, allowsWritable: true).bundles
        hideSecrets(of: bundles, environment: configuration.hostEnvironment())
        flush()
    }

    /// Redacts the values of the environment variables that destinations and sources receive.
    package func hideSecrets(of bundles: [ExtensionBundle], environment: [String: String]) {
        for name in Set(bundles.flatMap(\.environmentNames)).sorted() {
            if let value = environment[name] { hide(value, name: name) }
        }
    }

    /// Records the property lists and localized texts of every bundle, and redacts the values of their environment variables.
    package func record(_ bundles: [ExtensionBundle], environment: [String: String]) {
        hideSecrets(of: bundles, environment: environment)
        for bundle in bundles {
            let files = Self.files(of: bundle.path)
                .compactMap { name in Self.content(of: name, in: bundle.path).map { (name, $0) } }
            let description: JSON = [
                "identifier": .string(bundle.identifier),
                "folder": .string(String(bundle.path.split(separator: "/").last ?? "")),
                "executable": .string(bundle.executable),
                "files": .object(JSON.Object(files)),
            ]
            record([("bundle", description)])
        }
    }

    /// The paths of the files in a bundle that the host may read.
    private static func files(of folder: String) -> [String] {
        // A folder that cannot be listed gives the host no texts and suites either, and it is a problem of the bundle.
        let entries = (try? Folders.names(in: folder)) ?? ["Info.plist"]
        return entries.flatMap { entry in
            if entry.hasSuffix(".lproj") { return LocalizedStrings.languageFiles.map { "\(entry)/\($0)" } }
            let isRead = entry == "Info.plist" || entry == LocalizedStrings.catalogFile
            return isRead || entry.hasSuffix(".entitlements") ? [entry] : []
        }
    }

    /// A file as text, or as Base64 in an object if it is not UTF-8; nil if the host would not read it.
    private static func content(of name: String, in folder: String) -> JSON? {
        guard let bytes = try? BundleFile.contents(of: name, in: folder, limit: fileLimit) else { return nil }
        if let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
        return ["base64": .string(Data(bytes).base64EncodedString())]
    }
}

extension ConnectionTap: ExtensionTap {}
