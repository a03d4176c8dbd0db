public import JSON

/// The methods of one callee by name, each with its parameters in the documented order.
///
/// The table finds a method; the owner decides what a `Handler` is and calls it.
public struct MethodTable<Handler> {
    /// A method: how it is called and what it does.
    public final class Method {
        /// Its name and parameters.
        public let signature: Signature
        /// The handler.
        public let handler: Handler

        @usableFromInline init(_ signature: Signature, _ handler: Handler) {
            self.signature = signature
            self.handler = handler
        }
    }

    @usableFromInline var names = Names([])
    @usableFromInline var methods: [Method] = []

    /// A table without methods.
    public init() {}

    /// Adds a method.
    ///
    /// - Parameters:
    ///   - name: The name, which must be new.
    ///   - parameters: The parameters in positional order; a name that ends in `?` is optional.
    ///   - handler: Runs the call.
    @inlinable public mutating func add(_ name: String, _ parameters: [String] = [], _ handler: Handler) {
        precondition(self[name] == nil, "the method \(name) is there twice")
        methods.append(Method(Signature(name, parameters), handler))
        names = names.appending(name)
    }

    /// The method of that name.
    ///
    /// - Parameter name: The name, compared exactly.
    @inlinable public subscript(name: String) -> Method? {
        guard let index = names.index(of: name) else { return nil }
        return methods[index]
    }

    /// The method that a call names.
    @inlinable public subscript(call: Call) -> Method? {
        guard let index = call.methodIndex(in: names) else { return nil }
        return methods[index]
    }

    /// Every method's signature, sorted by name.
    public var signatures: [Signature] {
        methods.map { $0.signature }.sorted { $0.name < $1.name }
    }
}

/// A method's name and its parameters in positional order.
public final class Signature: Sendable {
    /// One parameter.
    public struct Parameter: Equatable, Sendable {
        /// The name of the member of params.
        public let name: String
        /// Whether it must be present.
        public let isRequired: Bool
    }

    /// The name of the method.
    public let name: String
    /// The parameters in positional order.
    public let parameters: [Parameter]
    private let names: Names

    @usableFromInline init(_ name: String, _ parameters: [String]) {
        self.name = name
        self.parameters = parameters.map { text in
            text.utf8.last == UInt8(ascii: "?")
                ? Parameter(name: String(decoding: text.utf8.dropLast(), as: UTF8.self), isRequired: false)
                : Parameter(name: text, isRequired: true)
        }
        names = Names(self.parameters.map(\.name))
    }

    /// The index of a parameter, which must be one of the method's.
    func index(of name: String) -> Int {
        guard let index = names.index(of: name) else { preconditionFailure("\(self.name) has no parameter \(name)") }
        return index
    }

    /// Checks the params of a call and finds the value of each parameter.
    ///
    /// Unknown members are an error, except those that begin with `_`.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - allowsUnknown: Whether unknown members are ignored, because a caller of a later version may send more.
    /// - Returns: Each parameter's value by its name.
    /// - Throws: -32602 with the path of the first member that does not fit.
    public func bind(_ call: Call, allowsUnknown: Bool = false) throws(RPCError) -> Arguments {
        try check(call.members(names), allowsUnknown)
    }

    /// Checks params, an object, an array or nothing, and finds the value of each parameter.
    ///
    /// - Parameters:
    ///   - params: The params.
    ///   - allowsUnknown: Whether unknown members are ignored, because a caller of a later version may send more.
    /// - Returns: Each parameter's value by its name.
    /// - Throws: -32602 with the path of the first member that does not fit.
    public func bind(_ params: JSON?, allowsUnknown: Bool = false) throws(RPCError) -> Arguments {
        try check(Members(of: params, names), allowsUnknown)
    }

    private func check(_ members: consuming Members, _ allowsUnknown: Bool) throws(RPCError) -> Arguments {
        if members.knownCount < members.count, members.isArray || !allowsUnknown { try refuseUnknown(members) }
        for index in parameters.indices where parameters[index].isRequired && !members.isPresent(at: index) {
            let parameter = parameters[index].name
            throw .invalidParams(
                path: Arguments(self, members).path(parameter),
                reason: "missingParam",
                "\(name) needs \(parameter)"
            )
        }
        return Arguments(self, members)
    }

    private func refuseUnknown(_ members: Members) throws(RPCError) {
        guard !members.isArray else {
            throw .invalidParams(
                path: "/params/\(parameters.count)",
                reason: "unknownParam",
                "\(name) takes at most \(parameters.count) params, \(members.count) were given"
            )
        }
        let unknownNames = members.unknownNames(names)
        guard let unknown = unknownNames.first(where: { $0.utf8.first != UInt8(ascii: "_") }) else { return }
        let known = parameters.map(\.name).joined(separator: ", ")
        throw .invalidParams(
            path: "/params/" + JSONPointer.escape(unknown),
            reason: "unknownParam",
            known.isEmpty
                ? "\(name) takes no params" : "\(name) has no param \(unknown.excerpt()); it takes \(known)"
        )
    }
}

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
