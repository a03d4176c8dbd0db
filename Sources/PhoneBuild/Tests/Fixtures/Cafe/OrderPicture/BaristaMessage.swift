import CryptoKit
import Intents
import UserNotifications

/// A message from a barista, which is encrypted on its way to the guest.
struct BaristaMessage {
    private let barista: String
    private let text: String

    /// The key that the café and the app agreed on.
    private static let key = SymmetricKey(data: SHA256.hash(data: Data("The beans are from Chiapas".utf8)))

    /// - Returns: nil if the payload has no message, or one with another key.
    init?(_ userInfo: [AnyHashable: Any]) {
        guard let barista = userInfo["barista"] as? String, let sealed = userInfo["sealed"] as? String,
            let data = Data(base64Encoded: sealed), let box = try? AES.GCM.SealedBox(combined: data),
            let opened = try? AES.GCM.open(box, using: Self.key)
        else { return nil }
        self.barista = barista
        text = String(decoding: opened, as: UTF8.self)
    }

    /// The notification as one from the barista, whose picture takes the place of the app's icon.
    func notification(_ content: UNMutableNotificationContent) -> UNNotificationContent {
        content.body = text
        let picture = Bundle.main.url(forResource: "cup", withExtension: "png", subdirectory: "Pictures")
        let sender = INPerson(
            personHandle: INPersonHandle(value: barista, type: .unknown),
            nameComponents: nil,
            displayName: barista,
            image: picture.flatMap { INImage(url: $0) },
            contactIdentifier: nil,
            customIdentifier: barista
        )
        let intent = INSendMessageIntent(
            recipients: nil,
            outgoingMessageType: .outgoingMessageText,
            content: text,
            speakableGroupName: nil,
            conversationIdentifier: "barista-\(barista)",
            serviceName: nil,
            sender: sender,
            attachments: nil
        )
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .incoming
        interaction.donate(completion: nil)
        return (try? content.updating(from: intent)) ?? content
    }
}
