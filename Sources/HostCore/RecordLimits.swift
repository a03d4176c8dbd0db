internal import JSON
internal import JSONRPC

/// Braze's limits on what may be saved (braze.com, "User attributes object", "Event
/// object"); the strict value where its documents differ.
public struct RecordLimits: Sendable {
    /// The greatest length of names, keys and texts in characters, as Braze counts.
    public var characters = 255
    /// The greatest number of properties of an event.
    public var properties = 256
    /// The greatest size of an event's properties, or of an attribute, in bytes; judged when they are stored.
    public var bytes = 50 << 10
    /// The greatest number of elements of an array attribute.
    public var elements = 25
    /// How deep values may nest.
    public var depth = 512

    /// The strict limits.
    public init() {}

    func checkEvent(name: String, properties: JSON.Object?, path: String) throws(RPCError) {
        try check(text: name, "the event's name", path: "/params/name")
        guard let properties else { return }
        try checkDepth(.object(properties), path: path)
        guard properties.count <= self.properties else {
            throw refuse("an event has at most \(self.properties) properties, this one \(properties.count)", path)
        }
        for (key, value) in properties {
            // Made only for an error: most properties have none.
            var place: String { path + "/" + JSONPointer.escape(key) }
            try check(key: key, path: place)
            guard key != "time" && key != "event_name" else {
                throw refuse("the property name \(key) is reserved by Braze; use another one", place)
            }
            try check(value, path: place)
        }
    }

    func checkAttribute(key: String, value: JSON, path: String) throws(RPCError) {
        try check(key: key, path: "/params/key")
        try checkDepth(value, path: path)
        try check(value, path: path)
        if case .array(let array) = value, array.count > elements {
            throw refuse("an array attribute has at most \(elements) elements, this one \(array.count)", path)
        }
    }

    func checkField(_ field: String, value: JSON, path: String) throws(RPCError) {
        guard StandardField.all.contains(field) else {
            throw refuse("\(field) is no standard field of a user; save it as a custom attribute", "/params/field")
        }
        try checkDepth(value, path: path)
        if field == "email", case .string(let text) = value, !StandardField.isEmail(text) {
            throw refuse("\(value) is no e-mail address", path)
        }
        try check(value, path: path)
    }

    private func check(_ value: JSON, path: @autoclosure () -> String) throws(RPCError) {
        guard case .string(let text) = value else { return }
        try check(text: text, "a text", path: path())
    }

    private func check(key: String, path: @autoclosure () -> String) throws(RPCError) {
        guard !key.isEmpty else { throw refuse("a key must not be empty", path()) }
        guard !key.hasPrefix("$") else { throw refuse("a key must not begin with $", path()) }
        try check(text: key, "a key", path: path())
    }

    private func check(text: String, _ what: String, path: @autoclosure () -> String) throws(RPCError) {
        // Characters are never more than bytes, so most texts are not counted.
        guard text.utf8.count > characters, text.count > characters else { return }
        throw refuse("\(what) has at most \(characters) characters, this one \(text.count)", path())
    }

    private func checkDepth(_ value: JSON, path: String) throws(RPCError) {
        guard value.nests(within: depth) else { throw refuse("a value nests at most \(depth) deep", path) }
    }

    private func refuse(_ message: String, _ path: String) -> RPCError {
        HostError.invalidRecord("not saved: \(message)", path: path)
    }
}

/// The standard fields of a Braze user profile.
enum StandardField {
    static let all: Set<String> = [
        "first_name", "last_name", "home_city", "email", "phone", "dob", "gender", "country", "language",
        "time_zone", "email_subscribe", "push_subscribe", "email_open_tracking_disabled",
        "email_click_tracking_disabled", "current_location", "date_of_first_session", "date_of_last_session",
        "marked_email_as_spam_at", "push_tokens", "subscription_groups", "facebook", "twitter", "alias_name",
        "alias_label", "image_url",
    ]

    /// Whether a text has the outer form of an e-mail address: Braze refuses others.
    static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".")
            && !parts[1].hasPrefix(".") && !parts[1].hasSuffix(".")
            && !text.contains { $0.isWhitespace }
    }
}
