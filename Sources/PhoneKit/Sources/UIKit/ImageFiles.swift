import Foundation
import PhoneRuntime

/// The images and colours that a bundle contains: loose files, and those of its asset catalogs.
struct AssetCatalog {
    static var main: AssetCatalog { AssetCatalog(.main) }

    private let folder: URL

    init(_ bundle: Bundle) { folder = bundle.bundleURL }

    /// The best file of an image of that name: a vector, or the one with the greatest scale.
    func image(named name: String) -> URL? {
        if let set = find(name, "imageset"), let file = file(of: set) { return file }
        let path = name as NSString
        let names =
            path.pathExtension.isEmpty
            ? ["@3x", "@2x", ""].flatMap { scale in
                ["png", "jpg", "jpeg", "gif", "svg", "pdf"].map { "\(name)\(scale).\($0)" }
            }
            : ["@3x", "@2x", ""].map { "\(path.deletingPathExtension)\($0).\(path.pathExtension)" }
        return names.lazy.map { folder.appendingPathComponent($0) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    private func file(of set: URL) -> URL? {
        let images = contents(set)?["images"] as? [[String: Any]] ?? []
        let files = images.filter { ($0["idiom"] as? String).map { ["universal", "iphone"].contains($0) } ?? true }
            // An image for another appearance comes after the one for any.
            .filter { $0["appearances"] == nil }
            .compactMap { image in (image["filename"] as? String).map { ($0, image["scale"] as? String ?? "") } }
        return files.max { $0.1 < $1.1 }.map { set.appendingPathComponent($0.0) }
    }

    /// The colour of that name, and its variant for the dark appearance if it has one.
    func color(named name: String) -> (light: CGColor, dark: CGColor?)? {
        guard let set = find(name, "colorset"), let colors = contents(set)?["colors"] as? [[String: Any]],
            let light = colors.first(where: { $0["appearances"] == nil }).flatMap(Self.color)
        else { return nil }
        let dark = colors.first { ($0["appearances"] as? [[String: String]])?.first?["value"] == "dark" }
        return (light, dark.flatMap(Self.color))
    }

    private static func color(_ entry: [String: Any]) -> CGColor? {
        guard let color = entry["color"] as? [String: Any], let parts = color["components"] as? [String: Any] else {
            return nil
        }
        let value = { (name: String) in part(parts[name]) }
        if let white = value("white") {
            return CGColor(red: white, green: white, blue: white, alpha: value("alpha") ?? 1)
        }
        return CGColor(
            red: value("red") ?? 0,
            green: value("green") ?? 0,
            blue: value("blue") ?? 0,
            alpha: value("alpha") ?? 1
        )
    }

    /// A part of a colour: `0.5`, `128` or `0x80`.
    private static func part(_ value: Any?) -> CGFloat? {
        guard let text = value.map({ "\($0)" }) else { return nil }
        if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16).map { CGFloat($0) / 255 } }
        guard let number = Double(text) else { return nil }
        return CGFloat(text.contains(".") ? number : number > 1 ? number / 255 : number)
    }

    private func contents(_ set: URL) -> [String: Any]? {
        guard let data = try? Data(contentsOf: set.appendingPathComponent("Contents.json")) else { return nil }
        return try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    }

    /// The folder of a set in any catalog of the bundle.
    private func find(_ name: String, _ kind: String) -> URL? {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        for catalog in files.filter({ $0.pathExtension == "xcassets" }).sorted(by: { $0.path < $1.path }) {
            let wanted = "\(name).\(kind)"
            let direct = catalog.appendingPathComponent(wanted)
            if FileManager.default.fileExists(atPath: direct.path) { return direct }
            let last = (wanted as NSString).lastPathComponent
            guard let paths = FileManager.default.enumerator(atPath: catalog.path) else { continue }
            for case let path as String in paths where (path as NSString).lastPathComponent == last {
                return catalog.appendingPathComponent(path)
            }
        }
        return nil
    }
}

/// What the first bytes of an image say.
enum ImageHeader {
    /// Whether the bytes begin like an image.
    static func isImage(_ data: Data) -> Bool {
        let starts: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("RIFF".utf8), Array("BM".utf8),
            Array("II*".utf8), Array("MM\0*".utf8), Array("<svg".utf8), Array("<?xml".utf8), Array("%PDF".utf8),
        ]
        return starts.contains { data.starts(with: $0) } || data.dropFirst(4).starts(with: Array("ftyp".utf8))
    }

    /// The number of pixels of an image in PNG, GIF or JPEG.
    static func size(of source: UIImage.Source) -> CGSize? {
        switch source {
        case .data(let data): size(of: data)
        case .file(let url): (try? Data(contentsOf: url, options: .mappedIfSafe)).flatMap(size)
        case .symbol, .drawn: nil
        }
    }

    private static func size(of data: Data) -> CGSize? {
        let bytes = [UInt8](data.prefix(1 << 20))
        func number(_ index: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 << 8 | Int(bytes[index + $1]) } }
        guard bytes.count > 24 else { return nil }
        if bytes.starts(with: [0x89, 0x50]) { return CGSize(width: number(16, 4), height: number(20, 4)) }
        if bytes.starts(with: Array("GIF8".utf8)) {
            return CGSize(width: Int(bytes[6]) | Int(bytes[7]) << 8, height: Int(bytes[8]) | Int(bytes[9]) << 8)
        }
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var index = 2
        while index + 9 < bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            // The markers of frames; the others among them are tables.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return CGSize(width: number(index + 7, 2), height: number(index + 5, 2))
            }
            index += 2 + number(index + 2, 2)
        }
        return nil
    }
}

/// Finds a URL for an image that the view can name.
@MainActor
package enum ImageURL {
    /// The files of the current notification's attachments: an image that was read from one has its URL.
    package static var attachments: [URL] = []

    static func text(for image: UIImage) -> String? {
        switch image.source {
        case .file(let url): url.absoluteString
        case .symbol, .drawn: nil
        case .data(let data): text(for: data)
        }
    }

    private static func text(for data: Data) -> String? {
        let files = FileManager.default
        if let attachment = attachments.first(where: { url in
            (try? files.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue == data.count
                && (try? Data(contentsOf: url)) == data
        }) {
            return attachment.absoluteString
        }
        // FNV-1a, since Swift's own hashes differ from run to run.
        let hash = data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return file("\(String(hash, radix: 16)).\(suffix(data))", data)
    }

    /// Writes a file for a picture, whose name depends on the picture only, so that two runs show the same.
    private static func file(_ name: String, _ data: Data) -> String? {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("pushhost-images-\(getuid())", isDirectory: true)
        let url = folder.appendingPathComponent(name.replacingOccurrences(of: "/", with: "-"))
        if !files.fileExists(atPath: url.path) {
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try? files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: attributes)
            guard (try? data.write(to: url, options: .atomic)) != nil else { return nil }
            TemporaryFiles.remember(url)
        }
        return url.absoluteString
    }

    private static func suffix(_ data: Data) -> String {
        switch data.first {
        case 0x89: "png"
        case 0xFF: "jpg"
        case UInt8(ascii: "G"): "gif"
        case UInt8(ascii: "R"): "webp"
        case UInt8(ascii: "<"): "svg"
        default: "bin"
        }
    }
}

/// Files that are removed when the process ends; used on the main thread only.
private nonisolated(unsafe) var temporaryFiles: [URL] = []

private enum TemporaryFiles {
    @MainActor
    static func remember(_ url: URL) {
        if temporaryFiles.isEmpty {
            atexit {
                for file in temporaryFiles { try? FileManager.default.removeItem(at: file) }
            }
        }
        temporaryFiles.append(url)
    }
}
