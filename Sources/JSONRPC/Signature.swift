public import JSON

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
        guard let unknown = members.unknownNames(names).first(where: { !$0.hasPrefix("_") }) else { return }
        let known = parameters.map(\.name).joined(separator: ", ")
        throw .invalidParams(
            path: "/params/" + JSONPointer.escape(unknown),
            reason: "unknownParam",
            known.isEmpty
                ? "\(name) takes no params" : "\(name) has no param \(unknown.excerpt()); it takes \(known)"
        )
    }
}
