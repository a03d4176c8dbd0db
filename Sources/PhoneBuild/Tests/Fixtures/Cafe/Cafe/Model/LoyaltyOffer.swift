import Foundation

/// What the café offers a guest for a full card; the app and its extensions use it.
struct LoyaltyOffer {
    let reward: String
    let goal: Int
    let validUntil: Date?
    let link: URL?

    /// Reads the keys of a campaign.
    ///
    /// Braze sends all values as texts, a test payload has numbers.
    init(userInfo: [AnyHashable: Any]) {
        reward = userInfo["reward"] as? String ?? "a drink on the house"
        let number = userInfo["goal"] as? Int ?? (userInfo["goal"] as? String).flatMap { Int($0) }
        goal = min(max(number ?? 10, 1), 12)
        validUntil = (userInfo["valid_until"] as? String).flatMap { ISO8601DateFormatter().date(from: $0) }
        link = (userInfo["link"] as? String).flatMap { URL(string: $0) }
    }
}
