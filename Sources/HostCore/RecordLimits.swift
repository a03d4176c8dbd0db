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

    func checkEvent(name: String, properties: JSON.Object?) throws(RecordProblem) {
        try check(text: name, "the event's name", RecordPlace("name"))
        guard let properties else { return }
        let place = RecordPlace("properties")
        try checkDepth(.object(properties), place)
        guard properties.count <= self.properties else {
            let text = "an event has at most \(self.properties) properties, this one \(properties.count)"
            throw RecordProblem(text, place)
        }
        for (key, value) in properties {
            let place = RecordPlace("properties", key: key)
            try check(key: key, place)
            guard key != "time" && key != "event_name" else {
                throw RecordProblem("the property name \(key) is reserved by Braze; use another one", place)
            }
            try check(value, place)
        }
    }

    func checkAttribute(key: String, value: JSON) throws(RecordProblem) {
        let place = RecordPlace("value")
        try check(key: key, RecordPlace("key"))
        try checkDepth(value, place)
        try check(value, place)
        if case .array(let array) = value, array.count > elements {
            let text = "an array attribute has at most \(elements) elements, this one \(array.count)"
            throw RecordProblem(text, place)
        }
        if case .object(let object) = value { try checkChange(object, place) }
    }

    /// An object that changes an attribute instead of being its value: one of `inc`, `add` and `remove`.
    private func checkChange(_ object: JSON.Object, _ place: RecordPlace) throws(RecordProblem) {
        for name in ["add", "remove"] {
            guard object.count == 1, let count = object[name]?.array?.count else { continue }
            guard (1...elements).contains(count) else {
                throw RecordProblem("\(name) takes 1 to \(elements) elements, this one has \(count)", place)
            }
        }
    }

    func checkField(_ field: String, value: JSON) throws(RecordProblem) {
        guard StandardField.all.contains(field) else {
            let text = "\(field) is no standard field of a user; save it as a custom attribute"
            throw RecordProblem(text, RecordPlace("field"))
        }
        let place = RecordPlace("value")
        try checkDepth(value, place)
        if field == "email", !value.isNull, !(value.string.map(StandardField.isEmail) ?? false) {
            throw RecordProblem("\(value) is no e-mail address", place)
        }
        try check(value, place)
    }

    private func check(_ value: JSON, _ place: RecordPlace) throws(RecordProblem) {
        guard case .string(let text) = value else { return }
        try check(text: text, "a text", place)
    }

    private func check(key: String, _ place: RecordPlace) throws(RecordProblem) {
        guard !key.isEmpty else { throw RecordProblem("a key must not be empty", place) }
        guard key.utf8.first != UInt8(ascii: "$") else { throw RecordProblem("a key must not begin with $", place) }
        try check(text: key, "a key", place)
    }

    private func check(text: String, _ what: String, _ place: RecordPlace) throws(RecordProblem) {
        // Characters are never more than bytes, so most texts are not counted.
        guard text.utf8.count > characters, text.count > characters else { return }
        throw RecordProblem("\(what) has at most \(characters) characters, this one \(text.count)", place)
    }

    private func checkDepth(_ value: JSON, _ place: RecordPlace) throws(RecordProblem) {
        guard value.nests(within: depth) else {
            throw RecordProblem("a value nests at most \(depth) deep", place)
        }
    }
}

/// Where something in a save is wrong: a parameter, or a member of its value.
struct RecordPlace: Equatable {
    let parameter: String
    let key: String?

    init(_ parameter: String, key: String? = nil) {
        self.parameter = parameter
        self.key = key
    }
}

/// Why a record may not be saved.
struct RecordProblem: Error, Equatable {
    let text: String
    let place: RecordPlace

    init(_ text: String, _ place: RecordPlace) {
        self.text = text
        self.place = place
    }

    /// The error for a caller who wrote the params in this way.
    func error(_ arguments: Arguments) -> RPCError {
        let key = place.key.map { "/" + JSONPointer.escape($0) } ?? ""
        return HostError.invalidRecord("not saved: \(text)", path: arguments.path(place.parameter) + key)
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
