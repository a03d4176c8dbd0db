internal import BrazeRules
internal import Contract
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

extension Arguments {
    /// A time with a zone in milliseconds since 1970, or nothing where it is absent.
    func time(_ name: String) throws(RPCError) -> Int64? {
        guard let text = try optionalString(name) else { return nil }
        guard let time = Timestamp.parse(text) else {
            throw mistyped(name, "an RFC 3339 time with a zone, such as 2026-01-01T00:00:00Z")
        }
        return time
    }

    /// What names a save that may be repeated, or nothing if it is absent.
    func idempotencyKey() throws(RPCError) -> IdempotencyKey? {
        guard let text = try optionalString("idempotencyKey") else { return nil }
        guard let key = IdempotencyKey(text) else { throw mistyped("idempotencyKey", IdempotencyKey.rule) }
        return key
    }

    /// Where in the params stands what an extension points at in those of the call that it got for this one.
    func place(_ path: String) -> String? {
        let userInfo = "/params/request/content/userInfo"
        let own = path.hasPrefix(userInfo) ? "/params/payload" + path.dropFirst(userInfo.count) : path
        for parameter in signature.parameters {
            let prefix = "/params/\(parameter.name)"
            guard own == prefix || own.hasPrefix(prefix + "/") else { continue }
            return self.path(parameter.name) + own.dropFirst(prefix.count)
        }
        return nil
    }

    /// The greatest length of a locale in bytes; RFC 5646 asks for 35 at least.
    private static let localeLimit = 100

    /// A locale, or nothing where it is absent.
    func locale() throws(RPCError) -> String? {
        guard let text = try optionalString("locale") else { return nil }
        guard text.utf8.count <= Self.localeLimit else {
            throw mistyped("locale", "a language tag of at most \(Self.localeLimit) bytes")
        }
        return text
    }

    /// An identity such as `{"braze_id": "…"}`, or nothing if it is absent.
    ///
    /// - Parameters:
    ///   - name: The parameter.
    ///   - refuse: Makes the error for an identity that has the right form and that Braze refuses, of a sentence and
    ///     the path.
    /// - Returns: The identity as it was given.
    /// - Throws: What is wrong with it, and where.
    func user(_ name: String, refuse: (String, String) -> RPCError) throws(RPCError) -> JSON? {
        guard let object = try optionalObject(name) else { return nil }
        for (key, _) in object where !Identity.names.contains(key) {
            let path = self.path(name) + "/" + JSONPointer.escape(key)
            let text = "\(name) has no member \(key.excerpt()); it takes \(Identity.names.joined(separator: ", "))"
            throw .invalidParams(path: path, reason: "unknownParam", text)
        }
        let hasIdentifier: Bool
        do throws(IdentityError) {
            hasIdentifier = try Identity.check(object)
        } catch {
            let path = self.path(name) + JSONPointer.pointer(error.steps)
            switch error.kind {
            case .form: throw .invalidParams(path: path, reason: "mistypedParam", error.text)
            case .rule: throw refuse(error.text, path)
            }
        }
        guard hasIdentifier else {
            let text = "\(name) names nobody; it takes one of \(Identity.names.joined(separator: ", "))"
            throw .invalidParams(path: path(name), reason: "mistypedParam", text)
        }
        return .object(object)
    }

    /// Whom a record is about, or nothing if it is absent.
    func recordUser() throws(RPCError) -> JSON? {
        try user("user") { HostError.invalidRecord("not saved: \($0)", path: $1) }
    }

    /// Whom the records without a user are about, or nothing if it is absent.
    func flushUser() throws(RPCError) -> JSON? {
        try user("user") { .invalidParams(path: $1, $0) }
    }
}
