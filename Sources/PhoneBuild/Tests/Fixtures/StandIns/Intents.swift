// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Has of a module of PhoneKit just what the tests need.

import Foundation
import UserNotifications

public enum INPersonHandleType { case unknown }

public struct INPersonHandle {
    public init(value: String?, type: INPersonHandleType) {}
}

public struct INImage {
    public init?(url: URL) {}
}

public struct INPerson {
    public init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?
    ) {}
}

public enum INOutgoingMessageType { case outgoingMessageText }

public struct INSendMessageIntent: UNNotificationContentProviding {
    public init(
        recipients: [INPerson]?,
        outgoingMessageType: INOutgoingMessageType,
        content: String?,
        speakableGroupName: String?,
        conversationIdentifier: String?,
        serviceName: String?,
        sender: INPerson?,
        attachments: [String]?
    ) {}
}

public final class INInteraction {
    public enum Direction { case incoming }
    public var direction = Direction.incoming
    public init(intent: INSendMessageIntent, response: String?) {}
    public func donate(completion: (((any Error)?) -> Void)?) {}
}
