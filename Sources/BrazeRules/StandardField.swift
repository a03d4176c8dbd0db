public import JSON
internal import Spelling

/// The standard fields of a Braze user profile.
public enum StandardField: String, CaseIterable, Sendable {
    case firstName = "first_name"
    case lastName = "last_name"
    case homeCity = "home_city"
    case email
    case phone
    case birthday = "dob"
    case gender
    case country
    case language
    case timeZone = "time_zone"
    case emailSubscribe = "email_subscribe"
    case pushSubscribe = "push_subscribe"
    case emailOpenTrackingDisabled = "email_open_tracking_disabled"
    case emailClickTrackingDisabled = "email_click_tracking_disabled"
    case currentLocation = "current_location"
    case dateOfFirstSession = "date_of_first_session"
    case dateOfLastSession = "date_of_last_session"
    case markedEmailAsSpamAt = "marked_email_as_spam_at"
    case pushTokens = "push_tokens"
    case subscriptionGroups = "subscription_groups"
    case facebook
    case twitter
    case aliasName = "alias_name"
    case aliasLabel = "alias_label"
    case imageURL = "image_url"

    /// The names of all fields, as Braze writes them.
    public static let names = Set(allCases.map(\.rawValue))

    /// Whether a text has the basic form of an e-mail address; Braze rejects others.
    static func isEmail(_ text: String) -> Bool {
        guard let at = text.utf8.firstIndex(of: UInt8(ascii: "@")), at != text.startIndex else { return false }
        let domain = text.utf8[text.utf8.index(after: at)...]
        let dot = UInt8(ascii: ".")
        guard !domain.contains(UInt8(ascii: "@")), domain.contains(dot), domain.first != dot, domain.last != dot
        else { return false }
        // Only texts beyond ASCII need Unicode's definition of white space.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return !text.contains { $0.isWhitespace } }
        return text.utf8.allSatisfy { $0 != 0x20 && !(9...13).contains($0) }
    }
}

extension StandardField {
    /// Other names of a field in other systems and in Braze's SDKs, in lower case without separators.
    private static let otherNames: [String: StandardField] = [
        "phonenumber": .phone, "mobile": .phone, "mobilenumber": .phone, "emailaddress": .email, "mail": .email,
        "dateofbirth": .birthday, "birthday": .birthday, "birthdate": .birthday, "city": .homeCity,
        "givenname": .firstName, "surname": .lastName, "familyname": .lastName,
        "emailnotificationsubscriptiontype": .emailSubscribe, "pushnotificationsubscriptiontype": .pushSubscribe,
        "emailsubscriptionstate": .emailSubscribe, "pushnotificationsubscriptionstate": .pushSubscribe,
    ]

    /// The advice for a name that is not a standard field: a sentence without a full stop.
    static func advice(for name: String) -> String {
        if let member = ControlMember(rawValue: name) { return member.advice }
        let text = "\(name.excerpt()) is not a standard field of a user"
        if let field = meant(by: name) { return "\(text); the field is \(field.rawValue)" }
        guard let near = EditDistance.nearest(name, in: names.sorted()) else {
            return "\(text); save it as a custom attribute"
        }
        return "\(text); did you mean \(near)? Save anything else as a custom attribute"
    }

    /// The field of that name, or for which the name is another spelling or a known synonym, such as `phoneNumber`.
    public static func meant(by name: String) -> StandardField? {
        let key = plain(name)
        return allCases.first { plain($0.rawValue) == key } ?? otherNames[key]
    }

    /// The name without case and separators: the same for `firstName`, `First Name` and `first-name`.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { !"_- ".contains($0) }
    }
}

/// The members of a Braze attributes object that are not attributes.
///
/// An attribute with such a name would change the user of the object or how Braze applies it.
enum ControlMember: String, CaseIterable {
    case externalID = "external_id"
    case userAlias = "user_alias"
    case brazeID = "braze_id"
    case appID = "app_id"
    case updateExistingOnly = "_update_existing_only"
    case mergeObjects = "_merge_objects"
    case pushTokenImport = "push_token_import"

    /// Why it cannot be saved as an attribute, and what to do instead: a sentence.
    var advice: String {
        "\(rawValue) is a member of Braze's request and no attribute: \(instead)"
    }

    private var instead: String {
        switch self {
        case .externalID, .userAlias, .brazeID: "it names the user; give it in the parameter user"
        case .appID: "the destination adds it to events, as BRAZE_APP_ID says"
        case .updateExistingOnly: "give it in the parameter user"
        case .mergeObjects: "save the object as {\"$merge\": {…}}"
        case .pushTokenImport: "there is nothing to save it as; save tokens of a known user as push_tokens"
        }
    }
}

/// A member of the object of a standard field; Braze ignores members that are not listed here.
private struct FieldMember {
    let name: String
    let isRequired: Bool
    /// The accepted values, for a message.
    let needed: String
    let isRight: @Sendable (JSON) -> Bool

    private init(
        _ name: String,
        isRequired: Bool = false,
        _ needed: String,
        _ isRight: @escaping @Sendable (JSON) -> Bool
    ) {
        self.name = name
        self.isRequired = isRequired
        self.needed = needed
        self.isRight = isRight
    }

    static let pushToken = [
        FieldMember("app_id", isRequired: true, "a text that is not empty", isFilled),
        FieldMember("token", isRequired: true, "a text that is not empty", isFilled),
        FieldMember("device_id", "a text of 8 to 255 bytes") {
            $0.string.map { (8...255).contains($0.utf8.count) } ?? false
        },
    ]

    static let subscriptionGroup = [
        FieldMember("subscription_group_id", isRequired: true, "a UUID") { $0.string.map(isUUID) ?? false },
        FieldMember("subscription_state", isRequired: true, "subscribed or unsubscribed") {
            $0.string == "subscribed" || $0.string == "unsubscribed"
        },
        FieldMember("use_double_opt_in_logic", "true or false") { $0.bool != nil },
    ]

    static let facebook = [
        FieldMember("id", "a text or an integer") { $0.string != nil || $0.integer != nil },
        FieldMember("likes", "an array of texts") { $0.array?.allSatisfy { $0.string != nil } ?? false },
        FieldMember("num_friends", "an integer") { $0.integer != nil },
    ]

    static let twitter = [
        FieldMember("id", "a text or an integer") { $0.string != nil || $0.integer != nil },
        FieldMember("screen_name", "a text") { $0.string != nil },
        FieldMember("followers_count", "an integer") { $0.integer != nil },
        FieldMember("friends_count", "an integer") { $0.integer != nil },
        FieldMember("statuses_count", "an integer") { $0.integer != nil },
    ]

    private static func isFilled(_ value: JSON) -> Bool { value.string?.isEmpty == false }

    /// Eight, four, four, four and twelve hexadecimal digits.
    private static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}

extension RecordLimits {
    private static let place = RecordPlace("value")

    /// Checks a standard field; if Braze only recommends a form, any text is accepted.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: Its value; `null` unsets the field.
    /// - Throws: The first broken rule; for an unknown field, the message suggests the field that was probably meant.
    public func checkField(_ name: String, value: JSON) throws(RecordError) {
        guard let field = StandardField(rawValue: name) else {
            throw RecordError(StandardField.advice(for: name), RecordPlace("field"))
        }
        if value.isNull { return try checkRemoval(of: field) }
        guard value.nests(within: depth) else {
            throw RecordError("\(name) nests at most \(depth) levels deep", Self.place)
        }
        switch field {
        case .firstName, .lastName, .homeCity, .phone, .country, .timeZone, .imageURL: try checkText(value, field)
        case .aliasName, .aliasLabel:
            try checkText(value, field)
            try check(value.string?.isEmpty == false, value, field, "a text that is not empty")
        case .email:
            guard value.string.map(StandardField.isEmail) == true else {
                throw RecordError("\(value.excerpt(80)) is not an e-mail address", Self.place)
            }
        case .birthday:
            try check(value.string.flatMap(BrazeDate.init)?.isDay, value, field, "a day as YYYY-MM-DD")
        case .gender: try checkWord(value, field, ["M", "F", "O", "N", "P"])
        case .language:
            let isCode = value.string.map { $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isLetter } }
            try check(isCode, value, field, "a language of ISO 639-1 in two letters")
        case .emailSubscribe, .pushSubscribe: try checkWord(value, field, ["opted_in", "subscribed", "unsubscribed"])
        case .emailOpenTrackingDisabled, .emailClickTrackingDisabled:
            try check(value.bool != nil, value, field, "true or false")
        case .dateOfFirstSession, .dateOfLastSession, .markedEmailAsSpamAt:
            let isDate = value.string.flatMap(BrazeDate.init)?.isStored
            try check(isDate, value, field, "a date of ISO 8601 in the years 0 to 3000")
        case .currentLocation: try checkLocation(value)
        case .pushTokens: try checkElements(value, field, FieldMember.pushToken)
        case .subscriptionGroups: try checkElements(value, field, FieldMember.subscriptionGroup)
        case .facebook: try checkMembers(value, field, FieldMember.facebook)
        case .twitter: try checkMembers(value, field, FieldMember.twitter)
        }
        // A form does not limit the length, in particular that of an e-mail address.
        if case .string(let text) = value { try check(text: text, "a text", "value") }
    }

    /// `null` unsets a field, except lists and states.
    private func checkRemoval(of field: StandardField) throws(RecordError) {
        switch field {
        case .emailSubscribe, .pushSubscribe, .pushTokens, .subscriptionGroups, .aliasName, .aliasLabel:
            throw RecordError("\(field.rawValue) cannot be unset with null", Self.place)
        default: return
        }
    }

    private func check(
        _ isRight: Bool?,
        _ value: JSON,
        _ field: StandardField,
        _ needed: String
    ) throws(RecordError) {
        guard isRight != true else { return }
        throw RecordError("\(field.rawValue) must be \(needed), not \(value.excerpt(80))", Self.place)
    }

    private func checkText(_ value: JSON, _ field: StandardField) throws(RecordError) {
        try check(value.string != nil, value, field, "a text")
    }

    private func checkWord(_ value: JSON, _ field: StandardField, _ words: [String]) throws(RecordError) {
        try check(value.string.map(words.contains), value, field, "one of \(words.joined(separator: ", "))")
    }

    private func checkLocation(_ value: JSON) throws(RecordError) {
        for (name, limit) in [("longitude", 180.0), ("latitude", 90.0)] {
            guard let number = value[name]?.number, abs(number) <= limit else {
                let text = "current_location has the numbers longitude (-180 to 180) and latitude (-90 to 90)"
                throw RecordError(text, value[name] == nil ? Self.place : RecordPlace("value", name))
            }
        }
    }

    // MARK: Objects

    private func checkElements(
        _ value: JSON,
        _ field: StandardField,
        _ members: [FieldMember]
    ) throws(RecordError) {
        guard let array = value.array, !array.isEmpty else {
            throw RecordError("\(field.rawValue) must be an array of objects, not \(value.excerpt(80))", Self.place)
        }
        for (index, element) in array.enumerated() {
            try inside(String(index)) { () throws(RecordError) in try checkMembers(element, field, members) }
        }
    }

    private func checkMembers(
        _ value: JSON,
        _ field: StandardField,
        _ members: [FieldMember]
    ) throws(RecordError) {
        guard let object = value.object else {
            throw RecordError("\(field.rawValue) takes objects, not \(value.excerpt(80))", Self.place)
        }
        for member in members {
            guard let value = object[member.name] else {
                guard member.isRequired else { continue }
                throw RecordError("\(field.rawValue) lacks the member \(member.name)", Self.place)
            }
            guard member.isRight(value) else {
                let text = "\(member.name) of \(field.rawValue) must be \(member.needed), not \(value.excerpt(80))"
                throw RecordError(text, RecordPlace("value", member.name))
            }
        }
    }
}
