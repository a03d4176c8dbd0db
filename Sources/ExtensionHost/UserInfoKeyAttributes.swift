internal import Notifications

/// What a property list says about the key-value pairs that an extension reads; an invalid entry is ignored and reported.
struct UserInfoKeyAttributes {
    private static let key = "PushhostUserInfoKeys"
    private static let members = ["Example", "Required", "Type"]

    private(set) var keys: [UserInfoKey] = []

    init(_ attributes: PropertyList?, _ problems: inout [BundleProblem]) {
        guard let attributes, attributes.has(Self.key) else { return }
        do throws(BundleProblem) {
            let list = try attributes.dictionary(Self.key)
            for name in list.keys {
                do throws(BundleProblem) {
                    keys.append(try Self.key(name, list))
                } catch {
                    let text = "\(Self.key), \(name): \(error.message)"
                    problems.append(BundleProblem(path: error.path, message: text, key: Self.key))
                }
            }
        } catch {
            problems.append(error)
        }
    }

    private static func key(_ name: String, _ list: PropertyList) throws(BundleProblem) -> UserInfoKey {
        guard !name.isEmpty, name.count(where: { $0 == "#" }) <= 1, !name.hasPrefix("/") || !name.contains("#") else {
            let text = "a name is a key, a JSON Pointer, or a key with one # in place of a number"
            throw BundleProblem(path: list.path, message: text)
        }
        let entry = try list.dictionary(name)
        if let unknown = entry.keys.first(where: { !members.contains($0) }) {
            let text = "there is no member \(unknown), there are \(members.joined(separator: ", "))"
            throw BundleProblem(path: list.path, message: text)
        }
        let types = UserInfoKey.ValueType.allCases.map(\.rawValue).joined(separator: ", ")
        guard let type = UserInfoKey.ValueType(rawValue: try entry.string("Type")) else {
            throw entry.problem("Type", "one of \(types)")
        }
        let key = UserInfoKey(
            name,
            type,
            isRequired: try entry.bool("Required") ?? true,
            example: try entry.string("Example")
        )
        guard key.isExampleRight else { throw entry.problem("Example", "a value of the type \(type.rawValue)") }
        return key
    }
}
