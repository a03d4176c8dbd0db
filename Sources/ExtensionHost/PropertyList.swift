internal import Foundation

/// The dictionary of a property list file, XML or binary, read with errors for people.
struct PropertyList {
    let path: String
    private let values: [String: Any]

    init(path: String) throws(BundleProblem) {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            guard let values = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            else { throw BundleProblem(path: path, message: "its root must be a dictionary") }
            self.init(path: path, values: values)
        } catch let problem as BundleProblem {
            throw problem
        } catch {
            throw BundleProblem(path: path, message: "it is no readable property list: \(error.localizedDescription)")
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
        return BundleProblem(path: path, message: "\(key) must be \(needed), it \(found)")
    }
}
