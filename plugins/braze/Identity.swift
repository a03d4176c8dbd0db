import JSON

/// Whom an object is about: exactly one identifier.
///
/// Braze takes one primary identifier (`external_id`, `user_alias` or `braze_id`),
/// and `email` or `phone` only where there is none; `email` wins then.
struct Identity: Equatable, Sendable {
    /// The greatest length of an `external_id` in bytes.
    private static let externalIDLimit = 987

    /// The identifier's name.
    let name: String
    /// The identifier as a member of an object, as JSON text.
    let member: [UInt8]
    /// The text of an `email` or `phone`.
    private let contact: String?

    /// Whether it is an alias: events of it never create a profile, attributes only when that is asked for.
    var isAlias: Bool { name == "user_alias" }

    /// Chooses the identifier.
    init(_ user: JSON.Object?) throws(Unsendable) {
        guard let user else { throw .held(Self.need) }
        let primaries = ["external_id", "user_alias", "braze_id"].filter { user[$0].map { !$0.isNull } ?? false }
        guard primaries.count < 2 else {
            throw .rejected("the user has \(primaries.joined(separator: " and ")); Braze takes one of them")
        }
        let contacts = ["email", "phone"].filter { user[$0].map { !$0.isNull } ?? false }
        guard let name = primaries.first ?? contacts.first, let value = user[name] else { throw .held(Self.need) }
        self.name = name
        if name == "user_alias" {
            member = Self.member(name, try Self.alias(value))
        } else {
            guard let text = value.string, !text.isEmpty else {
                throw .rejected("the user's \(name) must be a string that is not empty")
            }
            guard name != "external_id" || text.utf8.count <= Self.externalIDLimit else {
                let limit = Self.externalIDLimit
                throw .rejected("the user's external_id has \(text.utf8.count) bytes; Braze takes at most \(limit)")
            }
            member = Self.member(name, value)
        }
        contact = primaries.isEmpty ? value.string : nil
    }

    private static let need =
        "it has no user: name an external_id, user_alias or braze_id, or an email or phone, at capture or at the flush"

    private static func alias(_ value: JSON) throws(Unsendable) -> JSON {
        guard let label = value["alias_label"]?.string, let name = value["alias_name"]?.string, !label.isEmpty,
            !name.isEmpty
        else { throw .rejected("the user's user_alias must have the texts alias_name and alias_label") }
        return ["alias_name": .string(name), "alias_label": .string(label)]
    }

    private static func member(_ name: String, _ value: JSON) -> [UInt8] {
        var bytes = JSON.string(name).bytes
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
        return bytes
    }

    /// Judges an attribute that Braze would take for the identifier itself.
    func check(_ key: String, _ value: JSON) throws(Unsendable) {
        // With an e-mail address in it, that is what an object is looked up by.
        guard let contact, key == name || key == "email" else { return }
        guard key != name || value.string != contact else { return }
        throw .held("\(key) cannot be set for a user that is named by \(name) alone: name a primary identifier")
    }
}
