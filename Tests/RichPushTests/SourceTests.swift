import AttachmentRules
import JSON
import Testing

@testable import rich_push

@Suite struct SourceTests {
    private func source(_ payload: JSON) throws(Refusal) -> Source? { try Source(payload.object ?? JSON.Object([])) }

    @Test(
        "A payload without URL or type has no attachment",
        arguments: [
            [:], ["ab": .null], ["ab": [:]], ["ab": "x"], ["ab": ["att": .null]], ["ab": ["att": [:]]],
            ["ab": ["att": "https://example.com/a.png"]], ["ab": ["att": ["url": "https://example.com/a.png"]]],
            ["ab": ["att": ["type": "png"]]], ["ab": ["att": ["url": .null, "type": "png"]]],
            ["ab": ["att": ["url": "ftp://example.com/a", "type": .null]]],
        ] as [JSON]
    )
    func absent(payload: JSON) throws {
        #expect(try source(payload) == nil)
    }

    @Test("URL and type are read", arguments: ["aif", "gif", "jpg", "m4a", "mp3", "mp4", "png", "wav"])
    func types(type: String) throws {
        let payload: JSON = ["ab": ["c": .null, "att": ["url": "https://example.com/a", "type": .string(type)]]]
        let found = try #require(try source(payload))
        #expect(found.type.rawValue == type)
        #expect(found.url.description == "https://example.com/a")
    }

    @Test(
        "Another type, and one that is not a string, is refused",
        arguments: [
            ("exe", "ab.att.type"), ("avi", "ab.att.type"), ("PNG", "ab.att.type"), ("png/../../x", "ab.att.type"),
            ("", "ab.att.type"),
            (7, "ab.att.type must be a string"), (["png"], "ab.att.type must be a string"),
        ] as [(JSON, String)]
    )
    func otherTypes(type: JSON, message: String) {
        let payload: JSON = ["ab": ["att": ["url": "https://example.com/a.png", "type": type]]]
        let refusal = #expect(throws: Refusal.self) { try source(payload) }
        #expect(refusal?.reason == .refused)
        #expect(refusal?.message.contains(message) == true)
    }

    @Test("A URL that is not a string is refused")
    func noText() {
        let refusal = #expect(throws: Refusal.self) { try source(["ab": ["att": ["url": 7, "type": "png"]]]) }
        #expect(refusal?.message == "ab.att.url must be a string, it is 7 (integer)")
    }

    @Test(
        "The server's media type must be of the same kind, or bytes",
        arguments: [
            (.png, "image/png", true), (.jpg, "Image/WebP", true), (.png, "application/octet-stream", true),
            (.png, "binary/octet-stream", true), (.png, "text/html", false), (.mp3, "audio/mpeg", true),
            (.mp3, "video/mp4", false), (.mp4, "video/mp4", true), (.wav, "image/png", false),
            (.png, "imagery/x", false),
        ] as [(AttachmentType, String, Bool)]
    )
    func mediaTypes(type: AttachmentType, mediaType: String, isPlausible: Bool) {
        #expect(type.isPlausible(mediaType) == isPlausible)
    }

    @Test("The limits are those of iOS: 10 MiB for images, 5 MiB for sounds, 50 MiB for videos")
    func limits() {
        let limits = AttachmentType.allCases.map { $0.limit >> 20 }
        #expect(limits == [5, 50, 10, 10, 5, 5, 50, 50, 10, 5])
    }
}
