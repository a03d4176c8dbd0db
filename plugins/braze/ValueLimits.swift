import JSON

/// Braze's limits on names and values (braze.com, "Event object", "User attributes
/// object", "Nested custom attributes"); the strict value where its documents differ.
struct ValueLimits: Equatable, Sendable {
    /// The greatest length of names, keys and texts, in characters.
    static let characters = 255
    /// The greatest number of properties of an event.
    static let properties = 256
    /// The operators of nested attributes, which alone may begin with `$`.
    private static let operators: Set<String> = [
        "$add", "$remove", "$update", "$identifier_key", "$identifier_value", "$new_object", "$time",
    ]

    /// A date as Braze stores it in an object: ISO 8601, the time and its zone where they are known.
    nonisolated(unsafe) private static let time =
        /(\d{4})-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.:]\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?/

    /// The greatest size of an event's properties, and of an array or an object, in bytes.
    var bytes = 50 << 10
    /// The greatest number of elements of an array attribute.
    var elements = 25

    /// Judges an event; the size of its properties is known once they are written.
    func checkEvent(_ name: String, _ properties: JSON.Object?) throws(Unsendable) {
        guard !name.isEmpty else { throw .rejected("an event needs a name") }
        try Self.check(name, "the event's name")
        guard let properties else { return }
        guard properties.count <= Self.properties else {
            throw .rejected("an event has at most \(Self.properties) properties, this one \(properties.count)")
        }
        for (key, value) in properties {
            try Self.check(key: key)
            guard key != "time", key != "event_name" else {
                throw .rejected("the property name \(key) is reserved by Braze")
            }
            try check(value, in: key, isAttribute: false)
        }
    }

    /// Judges an attribute's key and value; the size is known once they are written.
    func checkAttribute(_ key: String, _ value: JSON) throws(Unsendable) {
        try Self.check(key: key)
        if case .array(let array) = value, array.count > elements {
            throw .rejected("\(key) has \(array.count) elements; an array has at most \(elements)")
        }
        try check(value, in: key, isAttribute: true)
    }

    /// Judges what was written of properties or of an array or object.
    func checkSize(_ size: Int, _ what: @autoclosure () -> String) throws(Unsendable) {
        guard size > bytes else { return }
        throw .rejected("\(what()) has \(size) bytes; Braze takes at most \(bytes)")
    }

    private func check(_ value: JSON, in key: String, isAttribute: Bool) throws(Unsendable) {
        switch value {
        case .string(let text): try Self.check(text, "the value of \(key)")
        case .array(let array):
            for element in array {
                if isAttribute { try Self.check(nested: element, "an element", in: key) }
                try check(element, in: key, isAttribute: isAttribute)
            }
        case .object(let object):
            for (name, member) in object {
                if isAttribute { try Self.check(nested: name, of: key, member) }
                try Self.check(name, "a key in \(key)")
                try check(member, in: key, isAttribute: isAttribute)
            }
        default: break
        }
    }

    private static func check(key: String) throws(Unsendable) {
        guard !key.isEmpty else { throw .rejected("a key must not be empty") }
        guard key.utf8.first != UInt8(ascii: "$") else { throw .rejected("the key \(key) must not begin with $") }
        try check(key, "a key")
    }

    private static func check(nested name: String, of key: String, _ member: JSON) throws(Unsendable) {
        guard operators.contains(name) || !name.utf8.contains(where: " .$".utf8.contains), !name.isEmpty else {
            throw .rejected("the key \"\(name)\" in \(key) must not be empty or hold a space, a period or $")
        }
        try check(nested: member, name, in: key)
        guard name == "$time" else { return }
        guard let year = member.string?.wholeMatch(of: time)?.output.1, let year = Int(year), year <= 3_000 else {
            throw .rejected("$time in \(key) must be a date of the years 0 to 3000, as 2026-01-31T12:00:00Z")
        }
    }

    /// One such value makes Braze drop all of the attribute without a word.
    private static func check(nested value: JSON, _ what: String, in key: String) throws(Unsendable) {
        guard !value.isNull else { throw .rejected("\(what) in \(key) is null, for which Braze drops all of \(key)") }
    }

    private static func check(_ text: String, _ what: @autoclosure () -> String) throws(Unsendable) {
        // Never more than bytes, so most texts are not counted. Braze counts code points and not what looks like one.
        guard text.utf8.count > characters, text.unicodeScalars.count > characters else { return }
        throw .rejected("\(what()) has \(text.unicodeScalars.count) characters; Braze takes at most \(characters)")
    }
}

/// Why a record is not sent.
enum Unsendable: Error, Equatable {
    /// It will never be taken.
    case rejected(String)
    /// It may be, once something else is there.
    case held(String)
}
