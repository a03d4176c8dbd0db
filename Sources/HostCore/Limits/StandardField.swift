/// The standard fields of a Braze user profile.
enum StandardField: String, CaseIterable {
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

    /// Their names, as Braze writes them.
    static let names = Set(allCases.map(\.rawValue))

    /// Whether a text has the outer form of an e-mail address: Braze refuses others.
    static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".")
            && !parts[1].hasPrefix(".") && !parts[1].hasSuffix(".")
            && !text.contains { $0.isWhitespace }
    }
}
