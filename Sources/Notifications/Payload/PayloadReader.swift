internal import Contract
internal import JSON
internal import JSONRPC

/// Reads members of a payload as a phone does: it ignores an invalid value, and reports a diagnostic.
struct PayloadReader {
    /// The diagnostics for the values that were ignored so far.
    private(set) var diagnostics: [Diagnostic] = []
    private let members: MemberReader<MemberError>
    /// A JSON Pointer to the object in the request.
    private let path: String

    /// Reads an object of a payload.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - path: A JSON Pointer to it in the request.
    init(_ object: JSON.Object, path: String) {
        members = MemberReader(object)
        self.path = path
    }

    /// A member of any type.
    subscript(name: String) -> JSON? { members.object[name] }

    /// A JSON Pointer to a member in the request.
    func path(_ name: String) -> String { path + members.pointer(name) }

    /// A member; nil if it is absent or invalid.
    mutating func valid<Value>(_ name: String, _ expected: ExpectedValue<Value>) -> Value? {
        members.valid(name, expected) { ignore($0) }
    }

    /// Reports a member that is ignored for another reason than its type.
    mutating func ignore(_ name: String, _ problem: String) { ignore(MemberError(members.pointer(name), problem)) }

    private mutating func ignore(_ error: MemberError) { diagnostics.append(.ignored(error, in: path)) }
}
