// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes: those with which a service shows a message as one of a person.

@_exported public import Foundation
public import UserNotifications

/// What people do with an app.
open class INIntent: NSObject, @unchecked Sendable {
    open var identifier: String?
    open var intentDescription: String? { nil }
    open var suggestedInvocationPhrase: String?
    open var donationMetadata: INIntentDonationMetadata?
    private var images: [AnyKeyPath: INImage] = [:]
    public override init() {}

    func setImage(_ image: INImage?, at path: AnyKeyPath) { images[path] = image }
    func image(at path: AnyKeyPath) -> INImage? { images[path] }
    open func keyImage() -> INImage? { images.values.first }
}

extension NSObjectProtocol where Self: INIntent {
    public func setImage<Value>(_ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>) {
        setImage(image, at: parameterName)
    }
    public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
        image(at: parameterName)
    }
}

open class INIntentDonationMetadata: NSObject, @unchecked Sendable {}

open class INSendMessageIntentDonationMetadata: INIntentDonationMetadata, @unchecked Sendable {
    open var mentionsCurrentUser = false
    open var isReplyToCurrentUser = false
    open var notifyRecipientAnyway = false
    open var recipientCount = 0
    public override init() {}
}

open class INIntentResponse: NSObject, @unchecked Sendable {
    public override init() {}
}

/// A picture of a person.
open class INImage: NSObject, @unchecked Sendable {
    /// A file of the bundle, or one that the extension has written or fetched; nil of a symbol and of what is not a file.
    private var file: URL?

    public required override init() {}
    public convenience init(named name: String) {
        self.init()
        let names = [name, "\(name).png", "\(name).jpg"]
        file = names.lazy.compactMap { Bundle.main.url(forResource: $0, withExtension: nil) }.first
    }
    public convenience init(imageData: Data) {
        self.init()
        let suffix =
            imageData.starts(with: [0xFF, 0xD8]) ? "jpg" : imageData.starts(with: Data("GIF".utf8)) ? "gif" : "png"
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(suffix)")
        if (try? imageData.write(to: url)) != nil { file = url }
    }
    public convenience init?(url URL: URL) {
        self.init()
        if URL.isFileURL { file = URL }
    }
    public convenience init?(url URL: URL, width: Double, height: Double) { self.init(url: URL) }
    open class func systemImageNamed(_ systemImageName: String) -> Self { self.init() }

    /// The picture as an attachment; nil if it is no file that a phone attaches.
    var attachment: UNNotificationAttachment? {
        file.flatMap { try? UNNotificationAttachment(identifier: "sender", url: $0) }
    }
}

open class INPersonHandle: NSObject, @unchecked Sendable {
    public enum HandleType: Int, Sendable {
        case unknown, emailAddress, phoneNumber
    }
    public let value: String?
    public let type: HandleType
    public let label: INPersonHandleLabel?
    public init(value: String?, type: HandleType, label: INPersonHandleLabel? = nil) {
        (self.value, self.type, self.label) = (value, type, label)
    }
}

public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let home = INPersonHandleLabel(rawValue: "_$!<Home>!$_")
    public static let work = INPersonHandleLabel(rawValue: "_$!<Work>!$_")
    public static let main = INPersonHandleLabel(rawValue: "_$!<Main>!$_")
    public static let iPhone = INPersonHandleLabel(rawValue: "iPhone")
}

public enum INPersonSuggestionType: Int, Sendable {
    case none, socialProfile, instantMessageAddress
}

/// Someone who sends or gets messages.
open class INPerson: NSObject, @unchecked Sendable {
    public let personHandle: INPersonHandle?
    public let nameComponents: PersonNameComponents?
    public let displayName: String
    public let image: INImage?
    public let contactIdentifier: String?
    public let customIdentifier: String?
    public let isMe: Bool
    public let suggestionType: INPersonSuggestionType
    open var isContactSuggestion: Bool { false }

    public init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?,
        isMe: Bool = false,
        suggestionType: INPersonSuggestionType = .none
    ) {
        (self.personHandle, self.nameComponents, self.image) = (personHandle, nameComponents, image)
        let names = [nameComponents?.givenName, nameComponents?.familyName].compactMap { $0 }.joined(separator: " ")
        self.displayName = displayName ?? (names.isEmpty ? personHandle.value ?? "" : names)
        (self.contactIdentifier, self.customIdentifier) = (contactIdentifier, customIdentifier)
        (self.isMe, self.suggestionType) = (isMe, suggestionType)
    }
}

/// A text that is spoken.
open class INSpeakableString: NSObject, @unchecked Sendable {
    public let spokenPhrase: String
    open var vocabularyIdentifier: String? { nil }
    public init(spokenPhrase: String) { self.spokenPhrase = spokenPhrase }
    public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        self.spokenPhrase = spokenPhrase
    }
}

public enum INOutgoingMessageType: Int, Sendable {
    case unknown, outgoingMessageText, outgoingMessageAudio
}

open class INSendMessageAttachment: NSObject, @unchecked Sendable {}

/// A message from or to people.
open class INSendMessageIntent: INIntent, UNNotificationContentProviding, @unchecked Sendable {
    public let recipients: [INPerson]?
    public let outgoingMessageType: INOutgoingMessageType
    public let content: String?
    public let speakableGroupName: INSpeakableString?
    public let conversationIdentifier: String?
    public let serviceName: String?
    public let sender: INPerson?
    public let attachments: [INSendMessageAttachment]?

    public init(
        recipients: [INPerson]?,
        outgoingMessageType: INOutgoingMessageType,
        content: String?,
        speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?,
        serviceName: String?,
        sender: INPerson?,
        attachments: [INSendMessageAttachment]?
    ) {
        (self.recipients, self.outgoingMessageType, self.content) = (recipients, outgoingMessageType, content)
        (self.speakableGroupName, self.conversationIdentifier) = (speakableGroupName, conversationIdentifier)
        (self.serviceName, self.sender, self.attachments) = (serviceName, sender, attachments)
    }
    public convenience init(
        recipients: [INPerson]?,
        content: String?,
        speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?,
        serviceName: String?,
        sender: INPerson?
    ) {
        self.init(
            recipients: recipients,
            outgoingMessageType: .outgoingMessageText,
            content: content,
            speakableGroupName: speakableGroupName,
            conversationIdentifier: conversationIdentifier,
            serviceName: serviceName,
            sender: sender,
            attachments: nil
        )
    }

    /// A phone shows the sender's name as the title, that of a group below it, and the picture of one of them.
    ///
    /// On a phone the picture takes the place of the app's icon; here it is the attachment of a content that has none.
    public func update(_ content: UNMutableNotificationContent) {
        if let name = sender?.displayName, !name.isEmpty { content.title = name }
        let group = (recipients?.count ?? 0) > 1 ? speakableGroupName?.spokenPhrase ?? "" : ""
        if !group.isEmpty { content.subtitle = group }
        let ofGroup = group.isEmpty ? nil : image(forParameterNamed: \.speakableGroupName)
        let picture = ofGroup ?? image(forParameterNamed: \.sender) ?? sender?.image
        if content.attachments.isEmpty, let attachment = picture?.attachment { content.attachments = [attachment] }
        if let conversationIdentifier, content.threadIdentifier.isEmpty {
            content.threadIdentifier = conversationIdentifier
        }
    }
}

public enum INInteractionDirection: Int, Sendable {
    case unspecified, outgoing, incoming
}

/// An intent that took place; nobody learns of it here.
open class INInteraction: NSObject, @unchecked Sendable {
    public let intent: INIntent
    public let intentResponse: INIntentResponse?
    open var direction = INInteractionDirection.unspecified
    open var identifier = UUID().uuidString
    open var groupIdentifier: String?
    open var dateInterval: DateInterval?
    public init(intent: INIntent, response: INIntentResponse?) { (self.intent, intentResponse) = (intent, response) }
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) { completion?(nil) }
    open func donate() async throws {}
    open class func delete(with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        completion?(nil)
    }
    open class func delete(with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        completion?(nil)
    }
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) { completion?(nil) }
}
