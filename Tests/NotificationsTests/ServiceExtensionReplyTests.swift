import Contract
import Foundation
import JSON
import TestSupport
import Testing

@testable import Notifications

@Suite struct ServiceExtensionReplyTests {
    private let original: ReceivedContent

    init() throws {
        let aps: JSON = [
            "alert": ["title": "T", "subtitle": "S", "body": "B"], "category": "offers", "thread-id": "t", "badge": 3,
            "sound": "bell", "interruption-level": "active",
        ]
        let payload: JSON = ["aps": aps, "x": 1]
        original = ReceivedContent(try Payload(try #require(payload.object), path: "", depth: 512))
    }

    private func reply(_ result: JSON, _ folder: AttachmentFolder? = nil, depth: Int = 512) -> ServiceExtensionReply {
        ServiceExtensionReply(result, changing: original, author: "com.example.s", folder: folder, depth: depth)
    }

    private func reply(content: JSON, _ folder: AttachmentFolder? = nil) -> ServiceExtensionReply {
        reply(["content": content], folder)
    }

    @Test(
        "An absent content, or null, changes nothing",
        arguments: [[:], .null, ["content": [:]], ["content": .null]] as [JSON]
    )
    func nothing(result: JSON) {
        let reply = reply(result)
        #expect(reply.content.json == original.json)
        #expect(reply.voidReason == nil && reply.diagnostics.isEmpty)
    }

    @Test("Every member may be changed, and the others stay")
    func members() {
        let changes: [(String, JSON)] = [
            ("title", "Other"), ("subtitle", ""), ("body", "More"), ("categoryIdentifier", "other"),
            ("threadIdentifier", ""), ("badge", 0), ("sound", ["name": "x"]), ("launchImageName", "L"),
            ("targetContentIdentifier", "w"), ("interruptionLevel", "critical"), ("relevanceScore", 0.5),
            ("filterCriteria", "f"), ("userInfo", ["y": [1]]),
        ]
        for (name, value) in changes {
            let reply = reply(content: .object(JSON.Object([(name, value)])))
            #expect(reply.voidReason == nil && reply.diagnostics.isEmpty, "\(name)")
            let wanted = (original.json.object ?? JSON.Object([])).setting(name, to: value)
            #expect(reply.content.json == .object(wanted), "\(name)")
        }
        let all = reply(content: .object(JSON.Object(changes))).content.json
        for (name, value) in changes { #expect(all[name] == value, "\(name)") }
    }

    @Test("Null removes a member that is not required")
    func removal() {
        let reply = reply(content: ["badge": .null, "sound": .null, "filterCriteria": .null])
        #expect(reply.diagnostics.isEmpty)
        #expect(reply.content.json["badge"] == nil && reply.content.json["sound"] == nil)
        #expect(reply.content.json["interruptionLevel"] == "active")
    }

    @Test(
        "A member of a wrong type or with an unknown name is ignored with a diagnostic, and the others are used",
        arguments: [
            ("subtitle", 7), ("title", .null), ("categoryIdentifier", ["offers"]), ("badge", "3"), ("badge", 1.5),
            ("sound", 1), ("interruptionLevel", "loud"), ("relevanceScore", 2), ("userInfo", "x"), ("userInfo", .null),
            ("attachments", [:]), ("attachments", .null), ("titel", "x"), ("category", "x"),
        ] as [(String, JSON)]
    )
    func wrong(name: String, value: JSON) {
        let reply = reply(content: .object(JSON.Object([(name, value), ("body", "More")])))
        #expect(reply.content.json == .object((original.json.object ?? JSON.Object([])).setting("body", to: "More")))
        #expect(reply.voidReason == nil)
        #expect(reply.diagnostics.map(\.reason) == ["ignoredMember"])
        #expect(reply.diagnostics.first?.message.contains("com.example.s: ") == true)
        #expect(reply.diagnostics.first?.message.contains(name) == true)
    }

    @Test(
        "A result that violates the contract or empties the alert voids the change",
        arguments: [
            (42, "the result must be an object"), ([["content": [:]]], "the result must be an object"),
            (["content": "x"], "content must be an object"),
            (["content": ["title": "", "subtitle": "", "body": ""]], "left title, subtitle and body empty"),
        ] as [(JSON, String)]
    )
    func void(result: JSON, reason: String) {
        let reply = reply(result)
        #expect(reply.voidReason?.contains(reason) == true, "\(reply.voidReason ?? "no reason")")
        #expect(reply.content.json == original.json)
    }

    @Test("A change that is too large or nests too deep is void")
    func bounds() {
        let large = reply(content: ["body": .string(String(repeating: "x", count: ServiceExtensionReply.limit))])
        #expect(large.voidReason?.contains("\(ServiceExtensionReply.limit)") == true)
        #expect(large.content.json == original.json)
        let deep = reply(content: ["userInfo": ["x": (0..<600).reduce(1) { value, _ in [value] }]])
        #expect(deep.voidReason?.contains("nests") == true)
        #expect(deep.content.json == original.json)
    }

    @Test("A content may nest as deep as the host's configuration permits")
    func depth() {
        let result: JSON = ["content": ["userInfo": ["x": [1]]]]
        #expect(reply(result, depth: 4).voidReason == nil)
        #expect(reply(result, depth: 2).voidReason == "gave a content that nests more than 2 deep")
    }

    @Test("One remaining text is enough", arguments: ["title", "subtitle", "body"])
    func oneText(left: String) {
        let emptied = ["title", "subtitle", "body"].filter { $0 != left }.map { ($0, JSON.string("")) }
        let reply = reply(content: .object(JSON.Object(emptied)))
        #expect(reply.voidReason == nil)
        #expect(reply.content.hasAlert)
    }

    @Test("Diagnostics of the extension are passed on, also those of a void change; other entries are ignored")
    func diagnostics() {
        let given: JSON = [
            ["reason": "slow", "message": "it took long"], ["reason": "", "message": "x"],
            ["reason": "x", "message": ""], ["message": "x"], 7,
        ]
        let reply = reply(["content": ["title": "", "subtitle": "", "body": ""], "diagnostics": given])
        #expect(reply.voidReason != nil)
        let reasons = ["slow"] + Array(repeating: "ignoredMember", count: 4)
        #expect(reply.diagnostics.map(\.reason) == reasons)
        #expect(reply.diagnostics.first?.message == "it took long")
        #expect(self.reply(["diagnostics": "x"]).diagnostics.map(\.reason) == ["ignoredMember"])
    }

    @Test("An attachment that is incomplete, outside the folder or of an identifier used before is dropped")
    func attachments() throws {
        let folder = try AttachmentFolder()
        defer { folder.removeFolder() }
        try Data("GIF89a".utf8).write(to: URL(filePath: "\(folder.path)/a b.gif"))
        let url = JSON.string(FileURL.text("\(folder.path)/a b.gif"))
        let content: JSON = [
            "attachments": [
                ["identifier": "one", "url": url, "type": "gif"],
                ["identifier": "one", "url": url, "type": "gif"], ["identifier": "two", "url": url],
                ["identifier": "three", "url": url, "type": ""], ["identifier": 4, "url": url, "type": "gif"],
                ["identifier": "five", "url": "file:///etc/passwd", "type": "gif"],
                ["identifier": "six", "url": "https://example.com/a.png", "type": "gif"], "seven",
                ["identifier": "", "url": url, "type": "gif"],
            ]
        ]
        let reply = reply(content: content, folder)
        #expect(reply.content.attachments.map(\.identifier) == ["one", ""])
        #expect(reply.content.json["attachments"]?[0] == ["identifier": "one", "url": url, "type": "gif"])
        #expect(reply.diagnostics.map(\.reason) == Array(repeating: "ignoredAttachment", count: 7))
        let without = self.reply(content: content)
        #expect(without.content.attachments == [])
        #expect(without.diagnostics.filter { $0.message.contains("--fetch-attachments") }.count == 5)
    }
    @Test("As on a phone, an attachment is dropped for its type, its first bytes or its size, whatever made it")
    func phone() throws {
        let folder = try AttachmentFolder()
        defer { folder.removeFolder() }
        let types = "a phone attaches aif, avi, gif, jpg, m4a, mp3, mp4, mpg, png, wav"
        let unlike = "its file begins like none of these types; \(types)"
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let cases: [(type: String, start: [UInt8], size: Int, problem: String?)] = [
            ("png", png, 10 << 20, nil), ("jpeg", png, 100, nil), ("GIF", Array("GIF89a".utf8), 6, nil),
            ("png", png, 10 << 20 | 1, "its file has 10485761 bytes; a phone attaches image files of at most 10 MiB"),
            ("png", [], 0, "its file is empty"), ("png", Array("RIFF0000WEBPVP8 ".utf8), 100, unlike),
            ("webp", Array("RIFF0000WEBPVP8 ".utf8), 100, "its type is \"webp\"; \(types)"),
            ("png", Array("some text".utf8), 9, unlike), ("jpg", Array("\0\0\0\u{18}ftypheic".utf8), 100, unlike),
            ("mp3", Array("ID3".utf8), 5 << 20, nil),
            (
                "mp3", Array("ID3".utf8), 5 << 20 | 1,
                "its file has 5242881 bytes; a phone attaches audio files of at most 5 MiB"
            ),
            ("png", Array("ID3".utf8), 100, "its type is png, but its file begins like mp3"),
            ("mp4", Array("\0\0\0\u{18}ftypmp42".utf8), 50 << 20, nil),
            ("m4a", Array("\0\0\0\u{18}ftypmp42".utf8), 100, nil),
            (
                "mp4", Array("\0\0\0\u{18}ftypmp42".utf8), 50 << 20 | 1,
                "its file has 52428801 bytes; a phone attaches video files of at most 50 MiB"
            ),
        ]
        for (type, start, size, problem) in cases {
            let path = "\(folder.path)/file"
            try Data(start).write(to: URL(filePath: path))
            #expect(truncate(path, size) == 0)
            let attachment: JSON = ["identifier": "a", "url": .string(FileURL.text(path)), "type": .string(type)]
            let reply = reply(content: ["attachments": [attachment]], folder)
            #expect(reply.content.attachments.count == (problem == nil ? 1 : 0), "\(type) \(size)")
            let message = problem.map { "com.example.s: the attachment 0 is dropped: \($0)" }
            #expect(reply.diagnostics.map(\.message) == [message].compactMap { $0 })
        }
    }
}
