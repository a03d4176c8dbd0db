import Foundation

/// What a guest does in a notification, kept for the app: it hands everything to Braze when it is opened next.
public final class GuestRecords {
    /// The group of the app and its extensions.
    public static let suiteName = "group.com.example.cafe"

    private enum Key {
        static let events = "pending_custom_events"
        static let customAttributes = "pending_custom_attributes"
        static let userAttributes = "pending_user_attributes"
    }

    /// The values that the app shares with its extensions.
    public let defaults: UserDefaults

    /// The records of this device's guest.
    public init() {
        defaults = UserDefaults(suiteName: Self.suiteName) ?? .standard
    }

    /// Logs that something happened.
    public func logEvent(_ name: String, properties: [String: Any] = [:]) {
        append(properties.merging(["event_name": name]) { $1 }, to: Key.events)
    }

    /// Sets what the café itself knows of a guest.
    public func setCustomAttribute(_ key: String, to value: Any) {
        append([key: value], to: Key.customAttributes)
    }

    /// Sets a field of Braze's own, such as `email` or `first_name`.
    public func setUserAttribute(_ field: String, to value: String) {
        guard let data = try? PropertyListEncoder().encode([field: value]) else { return }
        append(data, to: Key.userAttributes)
    }

    private func append(_ element: Any, to key: String) {
        let pending = defaults.object(forKey: key) as? [Any] ?? []
        defaults.set(pending + [element], forKey: key)
    }
}
