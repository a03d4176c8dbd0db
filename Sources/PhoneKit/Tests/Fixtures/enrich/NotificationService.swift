import UserNotifications

class NotificationService: UNNotificationServiceExtension {

    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)

        guard let content = bestAttemptContent else { return }
        content.title = "\(content.title) [\(NSLocalizedString("modified", comment: "What this service did"))]"
        content.badge = 3
        content.sound = UNNotificationSound(named: UNNotificationSoundName("chime.caf"))
        content.threadIdentifier = "enriched"
        content.userInfo["enriched"] = true
        // A service that never calls its handler on some path, as real ones do.
        guard let address = content.userInfo["image"] as? String, let url = URL(string: address) else { return }
        let task = URLSession.shared.dataTask(with: url) { data, _, error in
            defer { contentHandler(content) }
            guard let data = data else {
                content.subtitle = error?.localizedDescription ?? "no data"
                return
            }
            let file = URL(fileURLWithPath: NSTemporaryDirectory())
                .appendingPathComponent(UUID().uuidString)
                .appendingPathExtension("png")
            do {
                try data.write(to: file)
                let attachment = try UNNotificationAttachment(
                    identifier: "picture",
                    url: file,
                    options: [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
                )
                content.attachments = [attachment]
            } catch {
                content.subtitle = error.localizedDescription
            }
        }
        task.resume()
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
            bestAttemptContent.subtitle = "out of time"
            contentHandler(bestAttemptContent)
        }
    }
}
