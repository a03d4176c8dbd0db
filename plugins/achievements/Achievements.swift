import ExtensionKit
import JSON

/// The badges of a user's achievements; those that were unlocked since the last notification are marked as new.
@main
final class Achievements: NotificationContentExtension {
    static let contractVersion = "1.1"
    private static let columns = 3

    private let context: ExtensionContext

    init(context: ExtensionContext) { self.context = context }

    func didReceive(_ notification: DeliveredNotification) throws {
        let userInfo = notification.request.content.userInfo
        let badges = try Badge.read(userInfo)
        let user = userInfo["braze_id"]?.string ?? ""
        let new = try saveNew(badges, key: user.isEmpty ? "unlocked_badges" : "unlocked_badges.\(user)")
        draw(badges, new: new)
    }

    /// Saves an event for each badge that is new to the user, and returns the ids of these badges.
    private func saveNew(_ badges: [Badge], key: String) throws -> Set<String> {
        var known = try context.retrieve(forKey: key)?.array?.compactMap(\.string) ?? []
        var new: Set<String> = []
        for badge in badges where badge.date != nil && !known.contains(badge.id) {
            try context.saveCustomEvent("Unlocked Badge", properties: JSON.Object([("Badge", .string(badge.id))]))
            // Stored one by one: if a later save fails, this badge is not new again.
            known.append(badge.id)
            try context.store(JSON(known.map(JSON.string)), forKey: key)
            new.insert(badge.id)
        }
        return new
    }

    private func draw(_ badges: [Badge], new: Set<String>) {
        let unlocked = badges.count { $0.date != nil }
        let count = context.localizedString(forKey: "BADGE_COUNT", String(unlocked), String(badges.count))
        let views = badges.enumerated().map { index, badge in
            badge.view(number: index + 1, isNew: new.contains(badge.id), context)
        }
        context.view = .stack([
            .text(count, id: "count", style: .title),
            .progress(value: unlocked, total: badges.count, id: "progress"),
            .grid(views, columns: min(badges.count, Self.columns), id: "badges"),
        ])
    }
}
