internal import Foundation
internal import Localization

extension BundleFile {
    /// The dictionary of a property list of a bundle; nothing where it cannot be read, which the host tells.
    static func dictionary(_ name: String, in folder: String) -> [String: Any]? {
        guard let data = try? contents(of: name, in: folder, limit: 1 << 20),
            // Foundation takes other texts too, and complains about them on stderr.
            data.first == UInt8(ascii: "<") || data.starts(with: Data("bplist".utf8)),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        else { return nil }
        return list as? [String: Any]
    }
}
