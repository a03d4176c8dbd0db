public import JSON

/// The params of one call by name, with errors that say where and what is needed.
///
/// An absent member and `null` differ: `null` for an optional parameter that is
/// not nullable is an error, as any value of a wrong type.
public struct Arguments {
    /// The method's name and parameters.
    public let signature: Signature
    let values: [JSON?]
    private let isPositional: Bool

    init(_ signature: Signature, _ values: [JSON?], isPositional: Bool) {
        self.signature = signature
        self.values = values
        self.isPositional = isPositional
    }

    private func index(_ name: String) -> Int {
        guard let index = signature.parameters.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("\(signature.name) has no parameter \(name)")
        }
        return index
    }

    /// A JSON Pointer to the parameter in the request, by position where the caller wrote an array.
    public func path(_ name: String) -> String {
        isPositional ? "/params/\(index(name))" : "/params/\(name)"
    }

    /// The value as it came, of any type; `nil` when it is absent.
    public subscript(name: String) -> JSON? { values[index(name)] }

    /// A value of any type that must be there.
    public func value(_ name: String) throws(RPCError) -> JSON {
        guard let value = self[name] else { throw mistyped(name, "a value") }
        return value
    }

    /// A text that must be there.
    public func string(_ name: String) throws(RPCError) -> String {
        guard let value = try optionalString(name) else { throw mistyped(name, "a string") }
        return value
    }

    /// A string, or nil if the parameter is absent.
    public func optionalString(_ name: String) throws(RPCError) -> String? {
        try optional(name, "a string") { $0.string }
    }

    /// A text that serves as a name somewhere: not empty and without U+0000.
    public func name(_ name: String) throws(RPCError) -> String {
        var value = try string(name)
        guard !value.isEmpty, !value.withUTF8({ $0.contains(0) }) else {
            throw mistyped(name, "a non-empty string without U+0000")
        }
        return value
    }

    /// A boolean, or nil if the parameter is absent.
    public func optionalBool(_ name: String) throws(RPCError) -> Bool? {
        try optional(name, "a boolean") { value in
            guard case .bool(let flag) = value else { return nil }
            return flag
        }
    }

    /// An integer within bounds, or nil if the parameter is absent.
    public func optionalInteger(_ name: String, in range: ClosedRange<Int64>) throws(RPCError) -> Int64? {
        let needed = "an integer from \(range.lowerBound) to \(range.upperBound)"
        return try optional(name, needed) { value in value.integer.flatMap { range.contains($0) ? $0 : nil } }
    }

    /// An object that must be there.
    public func object(_ name: String) throws(RPCError) -> JSON.Object {
        guard let value = try optionalObject(name) else { throw mistyped(name, "an object") }
        return value
    }

    /// An object, or nil if the parameter is absent.
    public func optionalObject(_ name: String) throws(RPCError) -> JSON.Object? {
        try optional(name, "an object") { $0.object }
    }

    /// An array that must be there.
    public func array(_ name: String) throws(RPCError) -> JSON.Array {
        guard let value = try optional(name, "an array", { $0.array }) else { throw mistyped(name, "an array") }
        return value
    }

    private func optional<Value>(
        _ name: String,
        _ needed: String,
        _ read: (JSON) -> Value?
    ) throws(RPCError) -> Value? {
        guard let value = self[name] else { return nil }
        guard let result = read(value) else { throw mistyped(name, needed) }
        return result
    }

    /// The error for a value that is not what is needed, which is said with its article.
    public func mistyped(_ name: String, _ needed: String) -> RPCError {
        let found = self[name].map { value in
            switch value {
            case .array, .object, .null: "is \(value.typeName)"
            default: "is \(value.excerpt())"
            }
        }
        return .invalidParams(
            path: path(name),
            reason: "mistypedParam",
            "\(name) must be \(needed), it \(found ?? "is absent")"
        )
    }
}
