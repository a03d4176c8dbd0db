internal import CJansson

/// A number that JSON lacks, within a value that a program built: `nan`, or an infinity.
///
/// Jansson refuses such numbers. A literal such as `["x": .real(value)]` cannot fail, so the tree keeps them until the value
/// is written, which ends the program. A program that writes numbers of others checks ``JSON/nonFinite`` before.
public struct NonFinite: Sendable {
    /// The number.
    public let value: Double
    /// The names of members and the indices of elements that lead to the number.
    public let steps: [String]

    fileprivate init(value: Double, steps: [String]) { (self.value, self.steps) = (value, steps) }

    private static let values: [Double] = [.nan, .infinity, -.infinity]

    /// What stands for the numbers in a tree.
    ///
    /// Jansson takes each for a further `null`: it looks at no more of it than the
    /// type, and never counts references to it, as the count is the greatest number.
    nonisolated(unsafe) private static let nodes = {
        let nodes = UnsafeMutablePointer<json_t>.allocate(capacity: values.count)
        nodes.initialize(repeating: json_t(type: JSON_NULL, refcount: .max), count: values.count)
        return nodes
    }()

    /// The value of a tree that stands for a number that is not finite.
    static func node(_ value: Double) -> UnsafeMutablePointer<json_t> {
        nodes + (values.firstIndex(of: value) ?? 0)
    }

    /// The number for which a `null` of a tree stands, if it does.
    static func value(of node: UnsafeMutablePointer<json_t>) -> Double? {
        values.indices.first { nodes + $0 == node }.map { values[$0] }
    }

    /// The first such number of a tree, which nests at most 2,048 deep, so recursion is safe.
    fileprivate init?(_ tree: UnsafeMutablePointer<json_t>) {
        switch cjansson_typeof(tree) {
        case JSON_NULL:
            guard let value = Self.value(of: tree) else { return nil }
            self.init(value: value, steps: [])
            return
        case JSON_OBJECT:
            var position = json_object_iter(tree)
            while let member = position, let value = json_object_iter_value(member) {
                if let found = NonFinite(value) {
                    let name = withMemberName(member) { String(decoding: $0, as: UTF8.self) }
                    self.init(value: found.value, steps: [name] + found.steps)
                    return
                }
                position = json_object_iter_next(tree, member)
            }
        case JSON_ARRAY:
            for index in 0..<json_array_size(tree) {
                guard let element = json_array_get(tree, index), let found = NonFinite(element) else { continue }
                self.init(value: found.value, steps: [String(index)] + found.steps)
                return
            }
        default: break
        }
        return nil
    }
}

extension JSON {
    /// The first number in the value that is not finite, and so cannot be written; a value that was read has none.
    public var nonFinite: NonFinite? {
        switch self {
        case .real(let value): value.isFinite ? nil : NonFinite(value: value, steps: [])
        case .array(let value): NonFinite(value.node.pointer)
        case .object(let value): NonFinite(value.node.pointer)
        case .null, .bool, .integer, .string: nil
        }
    }
}
