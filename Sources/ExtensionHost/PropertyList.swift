internal import Foundation
internal import Localization

/// The dictionary of a property list file, XML or binary, read with errors for people.
struct PropertyList {
    private static let sizeLimit = 1 << 20

    let path: String
    private let values: [String: Any]

    /// Reads a file of a bundle's folder.
    init(_ name: String, in folder: String) throws(BundleProblem) {
        let path = "\(folder)/\(name)"
        let data: Data?
        do throws(BundleFile.Failure) {
            data = try BundleFile.contents(of: name, in: folder, limit: Self.sizeLimit)
        } catch {
            throw BundleProblem(path: path, message: error.message)
        }
        guard let data else { throw BundleProblem(path: path, message: "it is missing") }
        guard Self.isXMLOrBinary(data) else {
            throw BundleProblem(path: path, message: "it is no property list in XML or binary form")
        }
        guard let values = try Self.parse(data, path) as? [String: Any] else {
            throw BundleProblem(path: path, message: "its root must be a dictionary")
        }
        self.init(path: path, values: values)
    }

    /// Foundation also takes texts of an older form, and then writes to stderr itself when something in them is wrong.
    private static func isXMLOrBinary(_ data: Data) -> Bool {
        // Past byte order marks and the zero halves of UTF-16.
        let start = data.first { !([0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0] + Array(" \t\r\n".utf8)).contains($0) }
        return start == UInt8(ascii: "<") || data.starts(with: Data("bplist".utf8))
    }

    private static func parse(_ data: Data, _ path: String) throws(BundleProblem) -> Any {
        do {
            return try PropertyListSerialization.propertyList(from: data, format: nil)
        } catch {
            // Its description says only that something is wrong; where, it says here.
            let reason = (error as NSError).userInfo["NSDebugDescription"] as? String ?? error.localizedDescription
            throw BundleProblem(path: path, message: "it is no readable property list: \(reason)")
        }
    }

    private init(path: String, values: [String: Any]) {
        self.path = path
        self.values = values
    }

    func string(_ key: String) throws(BundleProblem) -> String {
        guard let value = values[key] as? String, !value.isEmpty else { throw problem(key, "a non-empty string") }
        return value
    }

    func dictionary(_ key: String) throws(BundleProblem) -> PropertyList {
        guard let value = values[key] as? [String: Any] else { throw problem(key, "a dictionary") }
        return PropertyList(path: path, values: value)
    }

    /// The strings of a string or of an array of strings; nothing where the key is absent.
    func strings(_ key: String) throws(BundleProblem) -> [String]? {
        guard let value = values[key] else { return nil }
        if let value = value as? String { return [value] }
        guard let value = value as? [String] else { throw problem(key, "a string or an array of strings") }
        return value
    }

    /// Property lists of real apps write a ratio of 1 as an integer.
    func number(_ key: String) throws(BundleProblem) -> Double? {
        guard let value = values[key] else { return nil }
        guard let value = value as? NSNumber, value.doubleValue.isFinite else { throw problem(key, "a number") }
        return value.doubleValue
    }

    func bool(_ key: String) throws(BundleProblem) -> Bool? {
        guard let value = values[key] else { return nil }
        guard let value = value as? Bool else { throw problem(key, "a boolean") }
        return value
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    func problem(_ key: String, _ needed: String) -> BundleProblem {
        let found =
            switch values[key] {
            case nil: "is absent"
            case let value as String: "is the string \"\(value)\""
            case let value as NSNumber: "is the number \(value)"
            case is [Any]: "is an array"
            case is [String: Any]: "is a dictionary"
            default: "is of another type"
            }
        return BundleProblem(path: path, message: "\(key) must be \(needed), it \(found)", key: key)
    }
}
