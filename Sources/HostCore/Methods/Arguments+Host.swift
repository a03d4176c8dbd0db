internal import JSON
internal import JSONRPC

extension Arguments {
    /// A time with a zone in milliseconds since 1970, or nothing where it is absent.
    func time(_ name: String) throws(RPCError) -> Int64? {
        guard let text = try optionalString(name) else { return nil }
        guard let time = Timestamp.parse(text) else {
            throw mistyped(name, "an RFC 3339 time with a zone, such as 2026-01-01T00:00:00Z")
        }
        return time
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

    /// The greatest size of a member of an identity: Braze takes an `external_id` of 987 bytes.
    private static let identityLimit = 1_000

    /// An identity such as `{"braze_id": "…"}`, or nothing where it is absent.
    func user(_ name: String) throws(RPCError) -> JSON? {
        guard let object = try optionalObject(name) else { return nil }
        let known = ["external_id", "braze_id", "user_alias", "email", "phone"]
        for (key, value) in object {
            let path = self.path(name) + "/" + JSONPointer.escape(key)
            guard known.contains(key) else {
                let text = "\(name) has no member \(key.excerpt()); it takes \(known.joined(separator: ", "))"
                throw .invalidParams(path: path, reason: "unknownParam", text)
            }
            if key == "user_alias" {
                _ = try Members.string(value, "alias_name", path: path)
                _ = try Members.string(value, "alias_label", path: path)
            } else if value.string?.isEmpty ?? true {
                throw .invalidParams(path: path, reason: "mistypedParam", "\(key) must be a non-empty string")
            }
            guard value.bytes.count <= Self.identityLimit else {
                let text = "\(key) has at most \(Self.identityLimit) bytes"
                throw .invalidParams(path: path, reason: "mistypedParam", text)
            }
        }
        guard !object.isEmpty else {
            let text = "\(name) names nobody; it takes one of \(known.joined(separator: ", "))"
            throw .invalidParams(path: path(name), reason: "mistypedParam", text)
        }
        return .object(object)
    }
}
