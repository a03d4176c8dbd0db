import JSON

/// The standard fields of a Braze profile, with what Braze takes for them (braze.com, "User attributes object").
enum StandardFields {
    private struct Rule: Sendable {
        let need: String
        let takes: @Sendable (JSON) -> Bool
    }

    private static let text = Rule(need: "a string") { $0.string != nil }
    private static let flag = Rule(need: "a boolean") { $0.bool != nil }
    private static let object = Rule(need: "an object") { $0.object != nil }
    private static let subscription = Rule(need: "opted_in, subscribed or unsubscribed") {
        ["opted_in", "subscribed", "unsubscribed"].contains($0.string)
    }

    private static let rules: [String: Rule] = [
        "first_name": text, "last_name": text, "home_city": text, "country": text, "language": text, "phone": text,
        "time_zone": text, "image_url": text, "alias_name": text, "alias_label": text,
        "date_of_first_session": text, "date_of_last_session": text, "marked_email_as_spam_at": text,
        "email": Rule(need: "an e-mail address") { $0.string.map(isEmail) ?? false },
        "dob": Rule(need: "a date as 1990-12-31") { $0.string.map(isDate) ?? false },
        "gender": Rule(need: "M, F, O, N or P") { ["M", "F", "O", "N", "P"].contains($0.string) },
        "email_subscribe": subscription, "push_subscribe": subscription,
        "email_open_tracking_disabled": flag, "email_click_tracking_disabled": flag,
        "current_location": Rule(need: "an object of longitude and latitude") { value in
            isNumber(value["longitude"], within: 180) && isNumber(value["latitude"], within: 90)
        },
        "push_tokens": Rule(need: "an array of objects with app_id and token") { value in
            value.array?.allSatisfy { $0["app_id"]?.string != nil && $0["token"]?.string != nil } ?? false
        },
        "subscription_groups": Rule(need: "an array of objects with subscription_group_id and subscription_state") {
            $0.array?.allSatisfy(isGroup) ?? false
        },
        "facebook": object, "twitter": object,
    ]

    /// Whether Braze takes a key as a standard field, however it was saved.
    static func has(_ key: String) -> Bool { rules[key] != nil }

    /// Judges a field's value; `null` removes any.
    static func check(_ field: String, _ value: JSON) throws(Unsendable) {
        guard let rule = rules[field] else { throw .rejected("\(field) is no standard field of a profile") }
        guard value.isNull || rule.takes(value) else {
            throw .rejected("\(field) must be \(rule.need) or null, it is \(value.typeName)")
        }
    }

    private static func isEmail(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at != bytes.startIndex else { return false }
        let domain = bytes[bytes.index(after: at)...]
        let period = UInt8(ascii: ".")
        return domain.contains(period) && domain.first != period && domain.last != period
            && !domain.contains(UInt8(ascii: "@"))
            && (bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F } || !text.contains { $0.isWhitespace })
    }

    private static func isDate(_ text: String) -> Bool {
        guard let parts = text.wholeMatch(of: /\d{4}-(\d\d)-(\d\d)/)?.output, let month = Int(parts.1),
            let day = Int(parts.2)
        else { return false }
        return (1...12).contains(month) && (1...31).contains(day)
    }

    private static func isNumber(_ value: JSON?, within bound: Double) -> Bool {
        value?.number.map { abs($0) <= bound } ?? false
    }

    private static func isGroup(_ value: JSON) -> Bool {
        value["subscription_group_id"]?.string != nil
            && ["subscribed", "unsubscribed"].contains(value["subscription_state"]?.string)
    }
}
