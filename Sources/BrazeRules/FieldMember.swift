internal import JSON

/// A member of the object of a standard field; Braze ignores members that are not listed here.
struct FieldMember {
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
