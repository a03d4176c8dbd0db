import Foundation

/// Keeps what the app sends when it is opened next, in the lists that the app reads.
class PendingStorage: NSObject {
    private let defaults: UserDefaults

    init(suite: String) {
        defaults = UserDefaults(suiteName: suite) ?? .standard
    }

    func append(event name: String, properties: [String: Any]) {
        var event: [String: Any] = ["event_name": name]
        event.merge(properties) { _, new in new }
        append(event, key: "pending_custom_events")
    }

    func append(attribute: [String: Any]) {
        append(attribute, key: "pending_custom_attributes")
    }

    func append(email: String?) {
        guard let data = try? PropertyListEncoder().encode(["email": email]) else { return }
        if var pending = defaults.object(forKey: "pending_user_attributes") as? [Data] {
            pending.append(data)
            defaults.set(pending, forKey: "pending_user_attributes")
        } else {
            defaults.set([data], forKey: "pending_user_attributes")
        }
    }

    private func append(_ element: [String: Any], key: String) {
        if var pending = defaults.object(forKey: key) as? [[String: Any]] {
            pending.append(contentsOf: [element])
            defaults.set(pending, forKey: key)
        } else {
            defaults.set([element], forKey: key)
        }
    }
}
