internal import Localization
internal import PropertyLists

extension BundleFile {
    /// The dictionary of a property list of a bundle; nil if it cannot be read, which the host reports.
    static func dictionary(_ name: String, in folder: String) -> PropertyListValue? {
        guard let data = try? contents(of: name, in: folder, limit: 1 << 20),
            let list = try? PropertyListValue(propertyList: [UInt8](data)), case .dictionary = list
        else { return nil }
        return list
    }
}
