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
        guard let at = text.utf8.firstIndex(of: UInt8(ascii: "@")), at != text.startIndex else { return false }
        let domain = text.utf8[text.utf8.index(after: at)...]
        let dot = UInt8(ascii: ".")
        guard !domain.contains(UInt8(ascii: "@")), domain.contains(dot), domain.first != dot, domain.last != dot
        else { return false }
        // Spaces beyond ASCII are for Unicode to tell.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return !text.contains { $0.isWhitespace } }
        return text.utf8.allSatisfy { $0 != 0x20 && !(9...13).contains($0) }
    }
}

/// Names that no attribute may have, asked for with every save.
struct ReservedNames {
    private let names: Set<String>
    /// Which first letters the names of each length have; most keys share none of them, and are not hashed.
    private let firstBytes: [UInt64]

    init(_ names: Set<String>) {
        self.names = names
        var firstBytes = [UInt64](repeating: 0, count: (names.map(\.utf8.count).max() ?? 0) + 1)
        for name in names { firstBytes[name.utf8.count] |= Self.bit(of: name) }
        self.firstBytes = firstBytes
    }

    func contains(_ name: String) -> Bool {
        let count = name.utf8.count
        return count < firstBytes.count && firstBytes[count] & Self.bit(of: name) != 0 && names.contains(name)
    }

    private static func bit(of name: String) -> UInt64 { 1 << UInt64((name.utf8.first ?? 0) & 63) }
}
