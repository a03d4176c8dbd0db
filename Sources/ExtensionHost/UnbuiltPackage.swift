internal import Foundation

/// A SwiftPM package in whose build folder an executable is missing.
struct UnbuiltPackage {
    /// What to do, as the end of a sentence.
    let advice: String

    /// Finds the package; nil if the link leads to no build folder of a package.
    ///
    /// - Parameters:
    ///   - link: The target of the link that leads to the executable, such as `../.build/release/coupon`.
    ///   - folder: The folder of the link.
    init?(link: String, in folder: String) {
        let base = URL(filePath: folder, directoryHint: .isDirectory)
        let path = URL(filePath: link, relativeTo: base).absoluteURL.standardized.path
        guard let root = ExtensionBundle.package(ofBuildFolder: path),
            let manifest = try? String(contentsOfFile: "\(root)/Package.swift", encoding: .utf8)
        else { return nil }
        let release = path.contains("/release/") ? "-c release " : ""
        let build = "swift build \(release)--package-path \(root)"
        // The packages of the system that SwiftPM's manifest names for Debian and Ubuntu.
        let lists = manifest.matches(of: /\.apt\(\[([^\]]*)\]\)/).map { String($0.1) }
        let packages = lists.joined(separator: ",").matches(of: /"([^"]+)"/).map { String($0.1) }
        let needs = packages.isEmpty ? "" : "apt-get install \(packages.joined(separator: " ")) && "
        advice = "; build it: \(needs)\(build)"
    }
}
