import Contract
import JSON
import JSONRPC
import Testing

@testable import Notifications

@Suite struct PayloadTests {
    private func read(_ payload: JSON, depth: Int = 512) throws -> Payload {
        try Payload(try #require(payload.object), path: "/params/payload", depth: depth)
    }

    @Test("An alert may be a text or an object")
    func alerts() throws {
        let text = try read(["aps": ["alert": "Hello"]])
        #expect((text.title, text.subtitle, text.body) == ("", "", "Hello"))
        let object = try read(["aps": ["alert": ["title": "T", "subtitle": "S", "body": "B"]]])
        #expect((object.title, object.subtitle, object.body) == ("T", "S", "B"))
        let none = try read(["aps": [:]])
        #expect((none.title, none.subtitle, none.body, none.category, none.thread) == ("", "", "", "", ""))
        for payload in [text, object, none] { #expect(payload.diagnostics.isEmpty) }
    }

    @Test("The content has the category, the thread and the other members of aps")
    func content() throws {
        let aps: JSON = [
            "alert": ["title": "T", "launch-image": "L"], "category": "offers", "thread-id": "t", "badge": 3,
            "sound": ["critical": 1, "name": "x"], "target-content-id": "w", "interruption-level": "time-sensitive",
            "relevance-score": 1, "filter-criteria": "f", "content-available": 1, "mutable-content": 1,
        ]
        let payload = try read(["aps": aps, "x": 1])
        #expect(payload.diagnostics.isEmpty)
        let content = ReceivedContent(payload).json
        let wanted: [(String, JSON)] = [
            ("title", "T"), ("subtitle", ""), ("body", ""), ("categoryIdentifier", "offers"), ("threadIdentifier", "t"),
            ("attachments", []), ("badge", 3), ("sound", ["critical": 1, "name": "x"]), ("launchImageName", "L"),
            ("targetContentIdentifier", "w"), ("interruptionLevel", "time-sensitive"), ("relevanceScore", 1),
            ("filterCriteria", "f"), ("userInfo", ["aps": aps, "x": 1]),
        ]
        for (name, value) in wanted { #expect(content[name] == value, "\(name)") }
        #expect(content.object?.count == wanted.count)
    }

    @Test("Unknown keys and types are passed on unchanged, and null stays null")
    func userInfo() throws {
        let payload: JSON = [
            "aps": ["alert": "x", "future": [1, 1.0, true, .null]], "ab": ["c": .null, "m": [:]], "ab_uri": "app://x",
            "deep": [[[["x": 9_223_372_036_854_775_807]]]], "": "empty",
        ]
        let found = JSON.object(try read(payload).userInfo)
        #expect(found == payload)
        #expect(found.description == payload.description, "the order stays too")
        #expect(found["ab"]?["c"] == JSON.null)
    }

    @Test("A payload whose aps is absent or not an object is refused")
    func noAps() throws {
        for (payload, path) in [
            ([:], "/params/payload"), (["alert": "x"], "/params/payload"), (["aps": .null], "/params/payload/aps"),
            (["aps": []], "/params/payload/aps"), (["aps": "x"], "/params/payload/aps"),
        ] as [(JSON, String)] {
            let error = #expect(throws: RPCError.self) { try read(payload) }
            #expect(error?.code.rawValue == 102)
            #expect(error?.reason == "invalidPayload")
            #expect(error?.data?["path"] == .string(path))
        }
    }

    @Test("4096 bytes are delivered, 4097 are not")
    func size() throws {
        let frame = (["aps": [:], "x": ""] as JSON).bytes.count
        func payload(_ count: Int) -> JSON { ["aps": [:], "x": .string(String(repeating: "y", count: count - frame))] }
        #expect(payload(4096).bytes.count == 4096)
        _ = try read(payload(4096))
        let error = #expect(throws: RPCError.self) { try read(payload(4097)) }
        #expect(error?.code.rawValue == 101)
        #expect(error?.data?["bytes"] == 4097)
        #expect(error?.data?["limit"] == 4096)
    }

    @Test("A payload may nest as deep as the host's configuration permits")
    func depth() throws {
        let payload: JSON = ["aps": [:], "x": [[1]]]
        _ = try read(payload, depth: 3)
        let error = #expect(throws: RPCError.self) { try read(payload, depth: 2) }
        #expect(error?.code.rawValue == 102)
        #expect(error?.message == "the payload nests at most 2 deep")
    }

    @Test(
        "A member of a wrong type is ignored and reported with its path",
        arguments: [
            (["alert": 5], "/aps/alert"), (["alert": .null], "/aps/alert"),
            (["alert": ["title": 5]], "/aps/alert/title"),
            (["alert": ["body": .null]], "/aps/alert/body"), (["category": 5], "/aps/category"),
            (["thread-id": []], "/aps/thread-id"), (["badge": "3"], "/aps/badge"), (["badge": 1.5], "/aps/badge"),
            (["sound": 1], "/aps/sound"), (["interruption-level": "loud"], "/aps/interruption-level"),
            (["relevance-score": 2], "/aps/relevance-score"),
            (["alert": ["launch-image": 1]], "/aps/alert/launch-image"),
        ] as [(JSON, String)]
    )
    func wrongTypes(aps: JSON, path: String) throws {
        let payload = try read(["aps": aps])
        #expect(payload.diagnostics.map(\.path) == ["/params/payload" + path])
        #expect(payload.diagnostics.first?.reason == "ignoredMember")
        #expect(payload.diagnostics.first?.message.contains("is ignored") == true)
        #expect((payload.title, payload.body, payload.category, payload.thread) == ("", "", "", ""))
        #expect(JSON.object(payload.userInfo)["aps"] == aps, "userInfo keeps it")
        let content = ReceivedContent(payload).json
        #expect(content["badge"] == nil && content["sound"] == nil)
    }

    @Test("braze_id identifies the user, and other spellings are reported with a hint")
    func user() throws {
        #expect(try read(["aps": [:], "braze_id": "b"]).user == ["braze_id": "b"])
        #expect(try read(["aps": [:], "braze_id": ""]).user == nil)
        #expect(try read(["aps": [:], "braze_id": 5]).user == nil)
        let misspelt = try read(["aps": [:], "Braze_id": "b"])
        #expect(misspelt.user == nil)
        #expect(misspelt.diagnostics.map(\.reason) == ["misspeltKey"])
        #expect(misspelt.diagnostics.first?.path == "/params/payload/Braze_id")
        #expect(misspelt.diagnostics.first?.message.contains("braze_id") == true)
    }

    @Test(
        "An invalid braze_id does not identify a user, and is reported",
        arguments: [("", "is empty"), (JSON.string(String(repeating: "x", count: 1_001)), "at most 1000 bytes")]
            as [(JSON, String)]
    )
    func noUser(id: JSON, why: String) throws {
        let payload = try read(["aps": [:], "braze_id": id])
        #expect(payload.user == nil)
        #expect(payload.diagnostics.map(\.reason) == ["ignoredMember"])
        #expect(payload.diagnostics.first?.path == "/params/payload/braze_id")
        let message = payload.diagnostics.first?.message ?? ""
        #expect(
            message.contains(why) && message.hasSuffix("so records of this notification have no user"),
            "\(message)"
        )
    }

    @Test("The system's own view shows the texts that are present")
    func defaultView() throws {
        let view = ReceivedContent(try read(["aps": ["alert": ["title": "T", "body": "B"]]])).defaultView
        #expect(view["children"]?.array?.map { $0["text"] } == ["T", "B"])
        #expect(view["children"]?.array?.map { $0["id"] } == ["title", "body"])
        #expect(try ViewTree(view).elements == ["notification", "title", "body"])
        #expect(try ViewTree(ReceivedContent(try read(["aps": [:]])).defaultView).elements == ["notification"])
    }
}
