internal import BrazeRules
internal import Contract
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

extension Arguments {
    /// A time in milliseconds since 1970, written with a time zone; nil if it is absent.
    func time(_ name: String) throws(RPCError) -> Int64? {
        let format = "an RFC 3339 time with a zone, such as 2026-01-01T00:00:00Z"
        return try optional(name, ExpectedValue(format) { $0.string.flatMap(Timestamp.parse) })
    }

    /// The key that identifies the repetitions of a save; nil if it is absent.
    func idempotencyKey() throws(RPCError) -> IdempotencyKey? {
        let name = "idempotencyKey"
        guard has(name) else { return nil }
        guard let text = text(name) else { throw mistyped(name, ExpectedValue.string.description) }
        guard let key = IdempotencyKey(text) else { throw mistyped(name, IdempotencyKey.rule) }
        return key
    }

    /// Converts a path in the params of the call that an extension received to the path of the same value in these params.
    ///
    /// - Parameter path: A JSON Pointer from an error of the extension.
    /// - Returns: A JSON Pointer into the client's request; nil if the value does not come from it.
    func clientPath(ofExtensionPath path: String) -> String? {
        let userInfo = "/params/request/content/userInfo"
        let clientPath = path.hasPrefix(userInfo) ? "/params/payload" + path.dropFirst(userInfo.count) : path
        for parameter in signature.parameters {
            let prefix = "/params/\(parameter.name)"
            guard clientPath == prefix || clientPath.hasPrefix(prefix + "/") else { continue }
            return self.path(parameter.name) + clientPath.dropFirst(prefix.count)
        }
        return nil
    }

    /// The greatest length of a locale in bytes; RFC 5646 requires at least 35.
    private static let localeLimit = 100

    /// A locale; nil if it is absent.
    func locale() throws(RPCError) -> String? {
        guard let text = try optionalString("locale") else { return nil }
        guard text.utf8.count <= Self.localeLimit else {
            throw mistyped("locale", "a language tag of at most \(Self.localeLimit) bytes")
        }
        return text
    }

    /// An identity such as `{"braze_id": "…"}`; nil if it is absent.
    ///
    /// - Parameters:
    ///   - name: The parameter.
    ///   - ruleError: Makes the error for a well-formed identity that breaks a rule of Braze, from a message and a path.
    /// - Returns: The identity as it was given.
    /// - Throws: The error for an invalid identity.
    func user(_ name: String, ruleError: (String, String) -> RPCError) throws(RPCError) -> JSON? {
        guard let object = try optionalObject(name) else { return nil }
        let known = Identity.names + [Identity.updateMember]
        for (key, _) in object where !known.contains(key) {
            let path = self.path(name) + "/" + JSONPointer.escape(key)
            let text = "\(name) has no member \(key.excerpt()); it takes \(known.joined(separator: ", "))"
            throw .invalidParams(path: path, reason: "unknownParam", text)
        }
        let hasIdentifier: Bool
        do throws(IdentityError) {
            hasIdentifier = try Identity.check(object)
        } catch {
            let path = self.path(name) + JSONPointer.pointer(error.steps)
            switch error.kind {
            case .form: throw .invalidParams(path: path, reason: "mistypedParam", error.text)
            case .rule: throw ruleError(error.text, path)
            }
        }
        guard hasIdentifier else {
            let text = "\(name) names nobody; it takes one of \(Identity.names.joined(separator: ", "))"
            throw .invalidParams(path: path(name), reason: "mistypedParam", text)
        }
        return .object(object)
    }

    /// The user of a record; nil if it is absent.
    func recordUser() throws(RPCError) -> JSON? {
        try user("user") { HostError.invalidRecord("not saved: \($0)", path: $1) }
    }

    /// The user of the records that name none; nil if it is absent.
    func flushUser() throws(RPCError) -> JSON? {
        try user("user") { .invalidParams(path: $1, $0) }
    }
}
