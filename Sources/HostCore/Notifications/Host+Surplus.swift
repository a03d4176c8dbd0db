internal import Notifications

extension Host {
    /// Ends the oldest presentations while more notifications are shown than may be.
    ///
    /// - Parameter newest: What was shown last; where nothing else is shown, the notifications that joined it first go.
    func endSurplus(keeping newest: Presentation) {
        let limit = configuration.presentations
        let reason = "more than \(limit) notifications were shown, and it was the oldest"
        while notifications.count > limit {
            if let oldest = notifications.visible.first(where: { $0 !== newest }) {
                end(oldest, reason: reason)
            } else {
                // Its first name is its own, its last that of what was just received.
                guard newest.identifiers.count > 2 else { return }
                let joined = newest.identifiers[1]
                let entry = newest.entries.first { $0.notification == joined }
                notifications.leave(joined, newest, reason: reason)
                attachments?.remove(entry?.content.attachments ?? [])
            }
        }
    }
}
