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
