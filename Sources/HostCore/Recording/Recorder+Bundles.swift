internal import ExtensionHost
internal import Foundation
internal import JSON
internal import Localization
internal import Recording

// What the host knows of bundles is recorded too, so that a replay can do without them.

extension Recorder {
    /// The greatest size of a file that is recorded, in bytes; the host reads no larger ones of a bundle.
    private static let fileLimit = 1 << 20

    /// Hides what processes of bundles are told in secret.
    ///
    /// - Parameters:
    ///   - bundles: The bundles that were read.
    ///   - environment: The host's own, from which destinations get variables.
    func hideSecrets(of bundles: [ExtensionBundle], environment: [String: String]) {
        for name in Set(bundles.flatMap(\.environmentNames)).sorted() {
            if let value = environment[name] { hide(value, name: name) }
        }
    }

    /// Records the property lists and texts of every bundle, and hides the secrets of those that are new.
    ///
    /// - Parameters:
    ///   - bundles: The bundles that were read.
    ///   - environment: The host's own, from which destinations get variables.
    func record(_ bundles: [ExtensionBundle], environment: [String: String]) {
        hideSecrets(of: bundles, environment: environment)
        for bundle in bundles {
            let files = Self.files(of: bundle.path)
                .compactMap { name in Self.content(of: name, in: bundle.path).map { (name, $0) } }
            let description: [(String, JSON)] = [
                ("identifier", .string(bundle.identifier)),
                ("folder", .string(String(bundle.path.split(separator: "/").last ?? ""))),
                ("executable", .string(bundle.executable)),
                ("files", .object(JSON.Object(files))),
            ]
            record([("bundle", .object(JSON.Object(description)))])
        }
    }

    /// What the host may read of a bundle, by path within it.
    private static func files(of folder: String) -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.sorted()
            .compactMap { entry in
                if entry == "Info.plist" || entry.hasSuffix(".entitlements") { return entry }
                return entry.hasSuffix(".lproj") ? "\(entry)/Localizable.strings" : nil
            }
    }

    /// A file as text, or in an object as Base64 where it is no UTF-8; nothing where the host would not read it.
    private static func content(of name: String, in folder: String) -> JSON? {
        guard let data = try? BundleFile.contents(of: name, in: folder, limit: fileLimit) else { return nil }
        if let text = String(validating: data, as: UTF8.self) { return .string(text) }
        return ["base64": .string(data.base64EncodedString())]
    }
}
