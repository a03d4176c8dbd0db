import ExtensionKit
import JSON

/// A badge, as the key-value pairs with its number describe it.
struct Badge {
    /// The highest number of badges that fit into a notification.
    private static let limit = 12

    /// The identifier, which the event also has.
    let id: String
    let title: String
    let image: String?
    /// The date on which it was unlocked, in the sender's format; `nil` if it is locked.
    let date: String?
    /// The sender's text about what is missing to unlock it.
    let remaining: String

    /// Reads `badge_1_id`, `badge_1_title` and so on, up to the highest number that has a pair.
    static func read(_ userInfo: UserInfo) throws(ExtensionError) -> [Badge] {
        let last = (1...limit).last { number in
            userInfo.json.contains { $0.name.hasPrefix("badge_\(number)_") }
        }
        var badges: [Badge] = []
        for number in 1...(last ?? 1) {
            let badge = try Badge(userInfo, "badge_\(number)")
            guard !badges.contains(where: { $0.id == badge.id }) else {
                throw wrong("badge_\(number)_id", "is also the id of another badge; give each badge its own id")
            }
            badges.append(badge)
        }
        return badges
    }

    private init(_ userInfo: UserInfo, _ key: String) throws(ExtensionError) {
        id = try userInfo.string("\(key)_id")
        title = try userInfo.string("\(key)_title")
        remaining = try userInfo.optionalString("\(key)_remaining") ?? ""
        let image = try userInfo.optionalString("\(key)_image") ?? ""
        let date = try userInfo.optionalString("\(key)_unlocked") ?? ""
        self.image = image.isEmpty ? nil : image
        self.date = date.allSatisfy(\.isWhitespace) ? nil : date
        guard 1...100 ~= id.unicodeScalars.count, !id.allSatisfy(\.isWhitespace) else {
            throw Badge.wrong("\(key)_id", "must be a string of 1 to 100 characters, and not blank")
        }
        guard image.isEmpty || image.hasPrefix("https://") else {
            throw Badge.wrong("\(key)_image", "must be an https URL, it is \(JSON.string(image))")
        }
    }

    private static func wrong(_ key: String, _ finding: String) -> ExtensionError {
        ExtensionError(
            reason: "invalidUserInfo",
            "the key-value pair \(key) \(finding)",
            path: "/params/request/content/userInfo/\(key)"
        )
    }

    /// The badge with its picture, its title and a caption.
    func view(number: Int, isNew: Bool, _ context: ExtensionContext) -> View {
        let caption =
            switch date {
            case let date?: context.localizedString(forKey: isNew ? "BADGE_NEW" : "BADGE_UNLOCKED", date)
            case nil where remaining.isEmpty: context.localizedString(forKey: "BADGE_LOCKED")
            case nil: context.localizedString(forKey: "BADGE_REMAINING", remaining)
            }
        let picture = image.map { [View.image($0, id: "badge-\(number)-image", alt: title)] } ?? []
        let texts: [View] = [
            .text(title, id: "badge-\(number)-title", style: .title),
            .text(caption, id: "badge-\(number)-caption", style: .caption),
        ]
        return .stack(picture + texts, id: "badge-\(number)")
    }
}
