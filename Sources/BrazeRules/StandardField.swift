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
