public import JSON
internal import JSONRPC

extension NotificationResponse {
    /// The action of a tap on the notification itself.
    public static let defaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
    /// The action of a swipe, which the host sends only if the category has the option `customDismissAction`.
    public static let dismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"
}

/// The payload's members, with methods whose errors name the key, its value and the expected type.
///
/// The dashboard sends all key-value pairs as strings, even numbers.
public struct UserInfo: Sendable {
    /// The members as received, of any type.
    public let json: JSON.Object

    /// The member of that key, of any type.
    ///
    /// - Parameter key: The key; case counts.
    public subscript(key: String) -> JSON? { json[key] }

    /// A required string; throws an error with the reason `invalidUserInfo` if it is missing or not a string.
    public func string(_ key: String) throws(ExtensionError) -> String {
        guard let value = try optionalString(key) else { throw wrong(key, "a string") }
        return value
    }

    /// A string, or `nil` if the key is absent; throws an error with the reason `invalidUserInfo` for other types.
    public func optionalString(_ key: String) throws(ExtensionError) -> String? {
        guard let value = json[key] else { return nil }
        guard let text = value.string else { throw wrong(key, "a string") }
        return text
    }

    /// The integer that a string spells; throws an error with the reason `invalidUserInfo` if it is not in the range.
    public func integer(_ key: String, in range: ClosedRange<Int> = .min ... .max) throws(ExtensionError) -> Int {
        guard let number = json[key]?.string.flatMap({ Int($0) }), range.contains(number) else {
            let bounds =
                switch (range.lowerBound, range.upperBound) {
                case (.min, .max): ""
                case (let least, .max): " of \(least) or more"
                case (let least, let most): " from \(least) to \(most)"
                }
            throw wrong(key, "a string that spells an integer" + bounds)
        }
        return number
    }

    private func wrong(_ key: String, _ needed: String) -> ExtensionError {
        let found = json[key].map { "is \($0) (\($0.typeName))" } ?? "is missing"
        return ExtensionError(
            reason: "invalidUserInfo",
            "the key-value pair \(key) must be \(needed), it \(found)",
            path: "/params/request/content/userInfo/" + JSONPointer.escape(key)
        )
    }
}
