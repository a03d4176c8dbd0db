internal import CJansson

extension JSON {
    /// Whether the nesting depth is at most the limit; a scalar has depth 0, `[]` has depth 1.
    public func nests(within limit: Int) -> Bool {
        switch self {
        case .array(let value): nestsWithin(limit, value.node.pointer)
        case .object(let value): nestsWithin(limit, value.node.pointer)
        default: limit >= 0
        }
    }
}

private func nestsWithin(_ limit: Int, _ tree: UnsafeMutablePointer<json_t>) -> Bool {
    switch cjansson_typeof(tree) {
    case JSON_OBJECT:
        guard limit > 0 else { return false }
        var position = json_object_iter(tree)
        while let member = position, let value = json_object_iter_value(member) {
            guard nestsWithin(limit - 1, value) else { return false }
            position = json_object_iter_next(tree, member)
        }
        return true
    case JSON_ARRAY:
        guard limit > 0 else { return false }
        for index in 0..<json_array_size(tree) {
            guard let element = json_array_get(tree, index), nestsWithin(limit - 1, element) else { return false }
        }
        return true
    default:
        return true
    }
}
