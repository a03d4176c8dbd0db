import Foundation
import Intents
import JSON
import Testing
import UserNotifications

struct UserNotificationsTests {
    private let wire: JSON = [
        "title": "Title", "subtitle": "Sub", "body": "Body", "badge": 2, "categoryIdentifier": "c",
        "sound": ["critical": 1, "name": "alarm.caf", "volume": 0.5], "interruptionLevel": "time-sensitive",
        "relevanceScore": 1, "userInfo": ["aps": ["alert": "x"], "list": [1, "two"], "flag": true],
    ]

    @Test("Content has Apple's members, and only what was changed is sent")
    func content() throws {
        let content = UNNotificationContent(wire)
        #expect(content.badge == 2)
        #expect(content.interruptionLevel == .timeSensitive)
        #expect((content.userInfo["aps"] as? [String: Any])?["alert"] as? String == "x")
        #expect(content.userInfo["list"] as? [AnyHashable] != nil)
        let copy = try #require(content.mutableCopy() as? UNMutableNotificationContent)
        #expect(copy.changes == [:])
        copy.title += "!"
        copy.badge = nil
        copy.sound = .default
        copy.relevanceScore = 0.5
        copy.userInfo["flag"] = false
        #expect(copy.changes["title"] == "Title!")
        #expect(copy.changes["badge"] == .null)
        #expect(copy.changes["sound"] == "default")
        #expect(copy.changes["relevanceScore"] == 0.5)
        #expect(copy.changes["userInfo"]?["flag"] == false)
        #expect(copy.changes["body"] == nil)
        #expect(content.title == "Title")
        #expect(content.isEqual(content.copy()))
    }

    @Test("An attachment needs a file of a type that a phone attaches")
    func attachment() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data([0x89]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(throws: UNError.self) { try UNNotificationAttachment(identifier: "a", url: file) }
        let options = [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
        let attachment = try UNNotificationAttachment(identifier: "", url: file, options: options)
        #expect(attachment.type == "public.png")
        #expect(!attachment.identifier.isEmpty)
        let missing = file.appendingPathExtension("png")
        let error = #expect(throws: UNError.self) { try UNNotificationAttachment(identifier: "a", url: missing) }
        #expect(error?.code == .attachmentInvalidURL)
        #expect(error?.localizedDescription == "the file \(missing.path) does not exist")
    }

    @Test("Actions are the same on the wire and back")
    func actions() throws {
        let action = UNTextInputNotificationAction(
            identifier: "REPLY",
            title: "Reply",
            options: [.foreground, .destructive],
            icon: UNNotificationActionIcon(systemImageName: "star"),
            textInputButtonTitle: "Send",
            textInputPlaceholder: "Text"
        )
        let read = try #require(UNNotificationAction.make(action.wire) as? UNTextInputNotificationAction)
        #expect(read == action)
        #expect(read.options == [.destructive, .foreground])
        #expect(read.textInputPlaceholder == "Text")
    }

    @Test("The center remembers requests and categories")
    func center() async throws {
        let center = UNUserNotificationCenter.current()
        let content = UNMutableNotificationContent()
        content.title = "Later"
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)
        try await center.add(UNNotificationRequest(identifier: "r", content: content, trigger: trigger))
        content.title = "Changed"
        #expect(await center.pendingNotificationRequests().first { $0.identifier == "r" }?.content.title == "Later")
        center.removePendingNotificationRequests(withIdentifiers: ["r"])
        #expect(await center.pendingNotificationRequests().allSatisfy { $0.identifier != "r" })
        let category = UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: [])
        center.setNotificationCategories([category])
        #expect(await center.notificationCategories() == [category])
    }

    @Test("A message of a person has the sender as its title, and keeps whether it can be changed")
    func communication() throws {
        func person(_ name: String) -> INPerson {
            INPerson(
                personHandle: INPersonHandle(value: name, type: .unknown),
                nameComponents: nil,
                displayName: name,
                image: nil,
                contactIdentifier: nil,
                customIdentifier: nil
            )
        }
        let intent = INSendMessageIntent(
            recipients: [person("me"), person("Bob")],
            outgoingMessageType: .outgoingMessageText,
            content: "Hi",
            speakableGroupName: INSpeakableString(spokenPhrase: "Team"),
            conversationIdentifier: "c1",
            serviceName: nil,
            sender: person("Ada"),
            attachments: nil
        )
        let picture = Data(base64Encoded: "R0lGODlhAQABAAAAACwAAAAAAQABAAACAUQAOw==")
        intent.setImage(INImage(imageData: try #require(picture)), forParameterNamed: \.sender)
        #expect(
            intent.image(forParameterNamed: \.sender) != nil && intent.image(forParameterNamed: \.recipients) == nil
        )
        let content = UNMutableNotificationContent()
        content.body = "Hi"
        let updated = try content.updating(from: intent)
        #expect([updated.title, updated.subtitle, updated.body] == ["Ada", "Team", "Hi"])
        #expect(updated.threadIdentifier == "c1" && updated is UNMutableNotificationContent && content.title.isEmpty)
        let attachment = try #require(updated.attachments.first)
        #expect(attachment.type == "com.compuserve.gif")
        #expect(try Data(contentsOf: attachment.url) == picture)
        // What the service has attached itself stays.
        #expect(try updated.updating(from: intent).attachments == updated.attachments)
    }
}
