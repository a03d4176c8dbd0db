public import JSON

/// The methods of one callee by name, each with its parameters in the documented order.
///
/// The table finds a method; the owner decides what a `Handler` is and calls it.
public struct MethodTable<Handler> {
    /// A method: how it is called and what it does.
    public struct Method {
        /// Its name and parameters.
        public let signature: Signature
        /// The handler.
        public let handler: Handler
    }

    @usableFromInline var methods: [String: Method] = [:]

    /// A table without methods.
    public init() {}

    /// Adds a method.
    ///
    /// - Parameters:
    ///   - name: The name, which must be new.
    ///   - parameters: The parameters in positional order; a name that ends in `?` is optional.
    ///   - handler: Runs the call.
    public mutating func add(_ name: String, _ parameters: [String] = [], _ handler: Handler) {
        let old = methods.updateValue(Method(signature: Signature(name, parameters), handler: handler), forKey: name)
        precondition(old == nil, "the method \(name) is there twice")
    }

    /// The method of that name.
    ///
    /// - Parameter name: The name, compared exactly.
    @inlinable public subscript(name: String) -> Method? {
        // Swift's strings are equal if they are canonically equivalent; names on the wire are compared as bytes.
        methods[name].flatMap { $0.signature.name.utf8.elementsEqual(name.utf8) ? $0 : nil }
    }

    /// Every method's signature, sorted by name.
    public var signatures: [Signature] {
        methods.values.map(\.signature).sorted { $0.name < $1.name }
    }
}

/// A method's name and its parameters in positional order.
public struct Signature: Sendable {
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

    init(_ name: String, _ parameters: [String]) {
        self.name = name
        self.parameters = parameters.map { text in
            text.hasSuffix("?")
                ? Parameter(name: String(text.dropLast()), isRequired: false)
                : Parameter(name: text, isRequired: true)
        }
    }

    /// Checks the params of a call, an object, an array or nothing, and finds the value of each parameter.
    ///
    /// Unknown members are an error, except those that begin with `_`.
    ///
    /// - Parameters:
    ///   - params: The params.
    ///   - allowsUnknown: Whether unknown members are ignored, because a caller of a later version may send more.
    /// - Returns: Each parameter's value by its name.
    /// - Throws: -32602 with the path of the first member that does not fit.
    public func bind(_ params: JSON?, allowsUnknown: Bool = false) throws(RPCError) -> Arguments {
        let arguments =
            switch params {
            case .object(let object): Arguments(self, parameters.map { object[$0.name] }, isPositional: false)
            case .array(let array): Arguments(self, try position(array), isPositional: true)
            default: Arguments(self, parameters.map { _ in JSON?.none }, isPositional: false)
            }
        if !allowsUnknown, case .object(let object) = params { try refuseUnknown(object, found: arguments.values) }
        for (index, parameter) in parameters.enumerated() where parameter.isRequired && arguments.values[index] == nil {
            throw .invalidParams(
                path: arguments.path(parameter.name),
                reason: "missingParam",
                "\(name) needs \(parameter.name)"
            )
        }
        return arguments
    }

    private func position(_ array: JSON.Array) throws(RPCError) -> [JSON?] {
        guard array.count <= parameters.count else {
            throw .invalidParams(
                path: "/params/\(parameters.count)",
                reason: "unknownParam",
                "\(name) takes at most \(parameters.count) params, \(array.count) were given"
            )
        }
        return parameters.indices.map { $0 < array.count ? array[$0] : nil }
    }

    private func refuseUnknown(_ object: JSON.Object, found: [JSON?]) throws(RPCError) {
        // Unknown names are searched only if there are more members than known ones.
        guard object.count > found.count(where: { $0 != nil }) else { return }
        for (name, _) in object where !name.hasPrefix("_") && !parameters.contains(where: { $0.name == name }) {
            let known = parameters.map(\.name).joined(separator: ", ")
            throw .invalidParams(
                path: "/params/" + JSONPointer.escape(name),
                reason: "unknownParam",
                known.isEmpty
                    ? "\(self.name) takes no params" : "\(self.name) has no param \(name.excerpt()); it takes \(known)"
            )
        }
    }
}

/// JSON Pointers (RFC 6901), the form of an error's `path`.
public enum JSONPointer {
    /// A member's name as a step of a JSON Pointer; a name of more than 1,000 bytes is cut.
    public static func escape(_ name: String) -> String {
        let name = name.excerpt(1_000)
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return name }
        // By scalars: a Character is a grapheme cluster, in which a slash may have an accent.
        var escaped = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped.append(contentsOf: "~0".unicodeScalars)
            case "/": escaped.append(contentsOf: "~1".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
