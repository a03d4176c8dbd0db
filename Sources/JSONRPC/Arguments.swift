public import JSON

/// The params of one call by name; a value that does not fit throws an error with its path and what it must be.
///
/// An absent member and `null` differ: `null` for an optional parameter that is
/// not nullable is an error, like any value of a wrong type.
public struct Arguments {
    /// The method's name and parameters.
    public let signature: Signature
    private let members: Members

    init(_ signature: Signature, _ members: Members) {
        self.signature = signature
        self.members = members
    }

    /// A JSON Pointer to the parameter in the request, by position if the caller gave an array.
    public func path(_ name: String) -> String {
        members.isArray ? "/params/\(signature.index(of: name))" : "/params/\(name)"
    }

    /// The value of any type; nil if it is absent.
    public subscript(name: String) -> JSON? { members[signature.index(of: name)] }

    /// Whether there is a value.
    public func has(_ name: String) -> Bool { members.isPresent(at: signature.index(of: name)) }

    /// The bytes of a text, which are valid while the arguments are; nil if the value is absent or no text.
    public func text(_ name: String) -> UnsafeRawBufferPointer? { members.text(at: signature.index(of: name)) }

    /// A required value of any type.
    public func value(_ name: String) throws(RPCError) -> JSON {
        guard let value = self[name] else { throw mistyped(name, "a value") }
        return value
    }

    /// A value of an expected type; nil if it is absent.
    public func optional<Value>(
        _ name: String,
        _ expected: @autoclosure () -> ExpectedValue<Value>
    ) throws(RPCError) -> Value? {
        guard let value = self[name] else { return nil }
        let expected = expected()
        guard let result = expected.read(value) else { throw mistyped(name, problem: expected.problem(value)) }
        return result
    }

    /// A required value of an expected type.
    public func required<Value>(_ name: String, _ expected: ExpectedValue<Value>) throws(RPCError) -> Value {
        guard let value = try optional(name, expected) else { throw mistyped(name, expected.description) }
        return value
    }

    /// A required text.
    public func string(_ name: String) throws(RPCError) -> String { try required(name, .string) }

    /// A text; nil if it is absent.
    public func optionalString(_ name: String) throws(RPCError) -> String? { try optional(name, .string) }

    /// A required text that serves as a name: not empty and without U+0000.
    public func name(_ name: String) throws(RPCError) -> String {
        guard let bytes = text(name) else { throw mistyped(name, ExpectedValue.string.description) }
        guard !bytes.isEmpty, !bytes.contains(0) else { throw mistyped(name, ExpectedValue.name.description) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A boolean; nil if it is absent.
    public func optionalBool(_ name: String) throws(RPCError) -> Bool? { try optional(name, .bool) }

    /// An integer within bounds; nil if it is absent.
    public func optionalInteger(_ name: String, in range: ClosedRange<Int64>) throws(RPCError) -> Int64? {
        try optional(name, .integer(in: range))
    }

    /// A required object.
    public func object(_ name: String) throws(RPCError) -> JSON.Object { try required(name, .object) }

    /// An object; nil if it is absent.
    public func optionalObject(_ name: String) throws(RPCError) -> JSON.Object? { try optional(name, .object) }

    /// A required array.
    public func array(_ name: String) throws(RPCError) -> JSON.Array { try required(name, .array) }

    /// The error for a value that is not what is expected.
    ///
    /// - Parameters:
    ///   - name: The parameter.
    ///   - expected: What the value must be, with its article.
    /// - Returns: The error, with the path of the value.
    public func mistyped(_ name: String, _ expected: String) -> RPCError {
        mistyped(name, problem: MemberError.problem(mustBe: expected, self[name]))
    }

    private func mistyped(_ name: String, problem: String) -> RPCError {
        .invalidParams(path: path(name), reason: "mistypedParam", "\(name) \(problem)")
    }
}
