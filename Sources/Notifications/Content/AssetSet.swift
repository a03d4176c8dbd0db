internal import JSON
internal import Platform

/// The files of one image or icon in an asset catalog: the same picture for several scales and appearances.
package struct AssetSet {
    /// Longer descriptions of a set are not read; those that Xcode writes have a few kilobytes.
    private static let sizeLimit = 1 << 20

    private let folder: String
    private let images: [JSON]

    /// The set in a folder, which its `Contents.json` describes; nil if there is none that can be read.
    package init?(folder: String) {
        guard let bytes = try? NamedFile.contents(at: "\(folder)/Contents.json", limit: Self.sizeLimit),
            let contents = try? JSON(authored: bytes), let images = contents["images"]?.array
        else { return nil }
        (self.folder, self.images) = (folder, Array(images))
    }

    /// The set that a path means: that of an `.imageset` folder, or of a file in one.
    init?(path: String) {
        let path = path.hasSuffix("/") ? String(path.dropLast()) : path
        let folder = path.hasSuffix(".imageset") ? path : Paths.parent(of: path)
        guard folder.hasSuffix(".imageset") else { return nil }
        self.init(folder: folder)
    }

    /// The path of the largest file for an iPhone in light appearance.
    package var light: String? { file(for: []) }

    /// The path of the largest file for an iPhone in dark appearance; nil if it looks as in the light one.
    var dark: String? { file(for: ["dark"]) }

    private func file(for appearances: [String]) -> String? {
        let wanted = images.filter { image in
            let own = image["appearances"]?.array?.compactMap { $0["value"]?.string } ?? []
            return own == appearances
                && ["universal", "iphone", "ios-marketing", nil].contains(image["idiom"]?.string)
        }
        let files = wanted.compactMap { image -> (name: String, size: Double)? in
            // A name with a slash would lead out of the set.
            guard let name = image["filename"]?.string, !name.contains("/") else { return nil }
            return (name, Self.number(image["size"]) * Self.number(image["scale"]))
        }
        return files.max { $0.size < $1.size }.map { "\(folder)/\($0.name)" }
    }

    /// The first number of `60x60` or `3x`; 1 without one.
    private static func number(_ value: JSON?) -> Double {
        value?.string?.split(separator: "x").first.flatMap { Double($0) } ?? 1
    }
}
