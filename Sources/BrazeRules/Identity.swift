public import JSON

/// The user of a record: the one identifier by which Braze finds the user.
///
/// Braze uses one primary identifier (`external_id`, `braze_id` or `user_alias`). Only if there is none does it use
/// `email` or, if that is absent too, `phone`.
public struct Identity: Equatable, Sendable {
    /// The maximum length of an `external_id` in bytes of UTF-8, as Braze counts it.
    public static let externalIDBytes = 987
    /// The maximum length of the texts of other identifiers in bytes of UTF-8; a limit of this program.
    public static let identifierBytes = 1_000
    /// The names of all identifiers, the primary ones first.
    public static let names = Name.allCases.map(\.rawValue)

    /// The member of a user that says whether a record of the user creates no profile; Braze's name for it.
    public static let updateMember = "_update_existing_only"

    /// Whether a record of the user creates no profile; `nil` if the destination decides that.
    public static func updatesExistingOnly(_ user: JSON.Object) -> Bool? { user[updateMember]?.bool }

    /// The names of the identifiers, in order of preference.
    enum Name: String, CaseIterable, Sendable {
        case externalID = "external_id"
        case brazeID = "braze_id"
        case userAlias = "user_alias"
        case email
        case phone

        var isPrimary: Bool { self != .email && self != .phone }
    }

    private let chosen: Name
    /// The identifier's value in Braze's form.
    public let value: JSON
    /// The identifier as a member of an object, as JSON text.
    public let member: [UInt8]

    /// The identifier's name.
    public var name: String { chosen.rawValue }

    /// Whether it is an alias: events for an alias never create a profile, attributes only if the request says so.
    public var isAlias: Bool { chosen == .userAlias }

    /// Chooses the identifier; `nil` if the user has none.
    ///
    /// - Parameter user: The known identifiers of the user; other members are ignored.
    /// - Throws: Why Braze would reject the user.
    public init?(_ user: JSON.Object) throws(IdentityError) {
        guard let (name, value) = try Self.choose(user) else { return nil }
        chosen = name
        self.value = name == .userAlias ? Self.alias(value) : value
        var bytes = JSON.string(name.rawValue).bytes
        bytes.append(UInt8(ascii: ":"))
        self.value.write(to: &bytes)
        member = bytes
    }

    /// Checks whether Braze accepts a user.
    ///
    /// - Parameter user: The known identifiers of the user; other members are ignored.
    /// - Throws: Why Braze would reject the user.
    /// - Returns: Whether the user has an identifier.
    @discardableResult
    public static func check(_ user: JSON.Object) throws(IdentityError) -> Bool { try choose(user) != nil }

    /// Checks all identifiers and chooses one, with its value.
    private static func choose(_ user: JSON.Object) throws(IdentityError) -> (Name, JSON)? {
        var chosen: (name: Name, value: JSON)?
        for (key, value) in user {
            guard let name = Name(rawValue: key) else {
                guard key == updateMember, value.bool == nil else { continue }
                throw IdentityError(.form, "\(key) must be true or false, it is \(value.excerpt(80))", [key])
            }
            try checkValue(name, value)
            if let other = chosen?.name, other.isPrimary {
                guard name.isPrimary else { continue }
                let text = "the user has \(other.rawValue) and \(name.rawValue); Braze accepts only one of them"
                throw IdentityError(.rule, text, [])
            }
            // `email` ranks after the primary identifiers, and `phone` after `email`.
            if chosen == nil || name != .phone { chosen = (name, value) }
        }
        // Only an address by which Braze finds the user must have its form.
        if let chosen, chosen.name == .email, chosen.value.string.map(StandardField.isEmail) != true {
            throw IdentityError(.rule, "\(chosen.value.excerpt(80)) is not an e-mail address", ["email"])
        }
        return chosen.map { ($0.name, $0.value) }
    }

    private static func checkValue(_ name: Name, _ value: JSON) throws(IdentityError) {
        switch name {
        case .userAlias:
            guard value.object != nil else {
                let text = "user_alias must be an object of alias_name and alias_label, it is \(value.typeName)"
                throw IdentityError(.form, text, [name.rawValue])
            }
            for part in aliasMembers { try checkText(value[part], part, in: name, limit: identifierBytes) }
        case .externalID: try checkText(value, name.rawValue, limit: externalIDBytes)
        case .brazeID, .email, .phone: try checkText(value, name.rawValue, limit: identifierBytes)
        }
    }

    private static func checkText(
        _ value: JSON?,
        _ name: String,
        in parent: Name? = nil,
        limit: Int
    ) throws(IdentityError) {
        // Computed only for an error.
        var steps: [String] { (parent.map { [$0.rawValue] } ?? []) + [name] }
        guard let text = value?.string, !text.isEmpty else {
            throw IdentityError(.form, "\(name) must be a non-empty string", steps)
        }
        guard text.utf8.count > limit else { return }
        throw IdentityError(.rule, "\(name) has at most \(limit) bytes, this one \(text.utf8.count)", steps)
    }

    // MARK: Aliases

    private static let aliasMembers = ["alias_name", "alias_label"]

    /// An alias with its two members, always in the same order.
    private static func alias(_ value: JSON) -> JSON {
        .object(JSON.Object(aliasMembers.map { ($0, value[$0] ?? .null) }))
    }
}

extension Identity {
    /// Why a standard field cannot be set for this user.
    ///
    /// In an object without a primary identifier, Braze finds the user by `email` or `phone`, so another value of that
    /// field would identify another user, and `email` would take precedence over `phone`.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - value: Its new value.
    /// - Returns: The reason, as a sentence without a full stop; `nil` if the field can be set.
    public func conflict(_ field: String, _ value: JSON) -> String? {
        guard !chosen.isPrimary, field == name || field == Name.email.rawValue else { return nil }
        guard field != name || value != self.value else { return nil }
        return "\(field) cannot be set for a user that is named by \(name) alone: name a primary identifier"
    }

    /// Whether a field can also be an identifier, so that ``conflict(_:_:)`` matters.
    public static func isIdentifier(_ field: String) -> Bool { Name(rawValue: field) != nil }
}

/// Why Braze would reject a user.
public struct IdentityError: Error, Equatable {
    /// The kind of error.
    public enum Kind: Equatable, Sendable {
        /// An identifier is malformed.
        case form
        /// The identifiers are well-formed, but violate a rule of Braze.
        case rule
    }

    /// The kind of error.
    public let kind: Kind
    /// A sentence without a full stop.
    public let text: String
    /// The member names that lead from the user to the invalid member; empty if the user as a whole is invalid.
    public let steps: [String]

    init(_ kind: Kind, _ text: String, _ steps: [String]) {
        self.kind = kind
        self.text = text
        self.steps = steps
    }
}
