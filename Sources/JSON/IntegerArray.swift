internal import CJansson

extension JSON.Array {
    /// A list of integers, in order.
    public init(integers: [Int64]) {
        guard let array = json_array() else { preconditionFailure("out of memory") }
        for integer in integers { json_array_append_new(array, json_integer(integer)) }
        self.init(node: Node(taking: array))
    }

    /// The elements, if all of them are integers.
    public var integers: [Int64]? {
        var integers: [Int64] = []
        integers.reserveCapacity(json_array_size(node.pointer))
        for index in 0..<json_array_size(node.pointer) {
            guard let element = json_array_get(node.pointer, index), cjansson_typeof(element) == JSON_INTEGER else {
                return nil
            }
            integers.append(json_integer_value(element))
        }
        return integers
    }
}
