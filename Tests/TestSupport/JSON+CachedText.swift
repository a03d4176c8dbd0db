@testable public import JSON

extension JSON {
    /// Whether the value is a container with cached JSON text, as ``JSON/keepingText`` returns it.
    public var keepsText: Bool {
        switch self {
        case .array(let value): value.node.text != nil
        case .object(let value): value.node.text != nil
        case .null, .bool, .integer, .real, .string: false
        }
    }
}
