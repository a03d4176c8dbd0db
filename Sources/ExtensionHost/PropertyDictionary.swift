internal import JSON
internal import Localization
internal import PropertyLists

/// A dictionary of a property list file; its errors name file, key and the required value.
struct PropertyDictionary {
    let path: String
    /// The JSON Pointer to it in the file.
    private let pointer: String
    private let values: PropertyListValue

    /// Reads a file of a bundle's folder, or the text in its place.
    init(_ name: String, in folder: String, unsaved: [String: [UInt8]]) throws(BundleProblem) {
        let path = "\(folder)/\(name)"
        let values: PropertyListValue?
        do throws(BundleFile.Failure) {
            values = try BundleFile.dictionary(name, in: folder, unsaved: unsaved)
        } catch {
            throw BundleProblem(
                path: path,
                message: error.message,
                place: .init(reason: "unreadableFile", line: error.line)
            )
        }
        guard let values else { throw BundleProblem(path: path, message: "it is missing") }
        self.init(path: path, pointer: "", values: values)
    }

    private init(path: String, pointer: String, values: PropertyListValue) {
        self.path = path
        self.pointer = pointer
        self.values = values
    }

    func requiredString(_ key: String) throws(BundleProblem) -> String {
        guard let value = values[key]?.text, !value.isEmpty else { throw problem(key, "a non-empty string") }
        return value
    }

    func requiredDictionary(_ key: String) throws(BundleProblem) -> PropertyDictionary {
        guard let value = values[key], case .dictionary = value else { throw problem(key, "a dictionary") }
        return PropertyDictionary(path: path, pointer: pointer(to: key), values: value)
    }

    /// The value of a key that is a string or an array of strings; `nil` if the key is absent.
    func strings(_ key: String) throws(BundleProblem) -> [String]? {
        guard let value = values[key] else { return nil }
        guard let texts = value.texts else { throw problem(key, "a string or an array of strings") }
        return texts
    }

    /// A number, real or integer: apps write a ratio of 1 as an integer.
    func number(_ key: String) throws(BundleProblem) -> Double? {
        guard let value = values[key] else { return nil }
        guard let number = value.number, number.isFinite else {
            let number = value.text.flatMap(Double.init).flatMap { $0.isFinite ? "<real>\($0)</real>" : nil }
            throw problem(key, "a number", element: number)
        }
        return number
    }

    /// A boolean, or the integer 0 or 1, which iOS accepts as one.
    func bool(_ key: String) throws(BundleProblem) -> Bool? {
        switch values[key] {
        case nil: return nil
        case .bool(let value): return value
        case .integer(0): return false
        case .integer(1): return true
        case .string(let text):
            let meant = ["yes": "<true/>", "true": "<true/>", "1": "<true/>"][text.lowercased()]
            let denied = ["no": "<false/>", "false": "<false/>", "0": "<false/>"][text.lowercased()]
            throw problem(key, "a boolean", element: meant ?? denied)
        default: throw problem(key, "a boolean")
        }
    }

    /// The keys of the dictionary, sorted.
    var keys: [String] { values.keys?.sorted() ?? [] }

    /// The JSON Pointer to a key in the file.
    func pointer(to key: String) -> String { "\(pointer)/\(JSONPointer.escape(key))" }

    func has(_ key: String) -> Bool { values[key] != nil }

    func problem(_ key: String, _ needed: String, element: String? = nil) -> BundleProblem {
        let found =
            switch values[key] {
            case nil: "is absent"
            case .string(let value): "is the string \"\(value)\""
            case .integer(let value): "is the number \(value)"
            case .unsigned(let value): "is the number \(value)"
            case .real(let value): "is the number \(value)"
            case .bool(let value): "is the boolean \(value)"
            case .some(let value): "is \(value.typeName)"
            }
        let reason = has(key) ? "wrongValue" : "missingKey"
        return BundleProblem(
            path: path,
            message: "\(key) must be \(needed), it \(found)",
            key: key,
            place: .init(reason: reason, pointer: pointer(to: key), element: element)
        )
    }
}
