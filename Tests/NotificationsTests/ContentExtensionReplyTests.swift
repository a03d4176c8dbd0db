import Contract
import JSON
import Testing

@testable import Notifications

@Suite struct ContentExtensionReplyTests {
    @Test("Members that a result lacks stay as they were, and null changes nothing", arguments: [[:], .null] as [JSON])
    func nothing(result: JSON) throws {
        let reply = try ContentExtensionReply(result, needsOption: false)
        #expect(reply.view == nil && reply.actions == nil && reply.title == nil && reply.media == nil)
        #expect(reply.diagnostics.isEmpty)
    }

    @Test("Every member of a result is read")
    func members() throws {
        let result: JSON = [
            "option": "dismissAndForward", "url": "myapp://home", "view": ["type": "text", "id": "t", "text": "x"],
            "actions": [["identifier": "a", "title": "A"]], "title": "T",
            "media": ["button": "overlay", "playing": true], "diagnostics": [["reason": "slow", "message": "it was"]],
            "future": 1,
        ]
        let reply = try ContentExtensionReply(result, needsOption: true)
        #expect(reply.option == .dismissAndForward)
        #expect(reply.applicationURL?.text == "myapp://home")
        #expect(reply.view?.elements == ["t"])
        #expect(reply.actions?.map(\.identifier) == ["a"])
        #expect(reply.title == "T")
        #expect(reply.media?.isPlaying == true)
        #expect(reply.diagnostics.map(\.reason) == ["slow"])
    }

    @Test(
        "A result that violates the contract is refused with the path of the wrong value",
        arguments: [
            (7, "the result must be an object, it is 7"), ([[:]], "the result must be an object, it is array"),
            (["title": 7], "title must be a string, it is 7"), (["actions": [:]], "actions must be an array"),
            (["actions": [7]], "actions/0 must be an object, it is 7"),
            (["actions": [["identifier": "a"]]], "actions/0/title must be a non-empty string, it is absent"),
            (["view": 7], "the view's node / needs a type"),
            (["media": 7], "media must be an object, it is 7"),
            (["media": ["button": "loud"]], #"media/button must be one of none, default, overlay, it is "loud""#),
            (["media": [:]], "media/button must be one of none, default, overlay, it is absent"),
            (["media": ["button": "none", "frame": ["x": 1]]], "media/frame must be an object with the numbers"),
            (["media": ["button": "none", "tintColor": 1]], "media/tintColor must be a string, it is 1"),
            (["media": ["button": "none", "playing": 1]], "media/playing must be a boolean, it is 1"),
            (["diagnostics": 7], "diagnostics must be an array, it is 7"),
            (["diagnostics": [["reason": "a"]]], "diagnostics/0/message must be a string, it is absent"),
        ] as [(JSON, String)]
    )
    func wrong(result: JSON, text: String) {
        let error = #expect(throws: ReplyError.self) { try ContentExtensionReply(result, needsOption: false) }
        #expect(error?.text.hasPrefix(text) == true, "\(error?.text ?? "")")
    }

    @Test(
        "A response needs one of Apple's options, and a URL needs the one that opens the app",
        arguments: [
            (
                [:],
                "option must be one of doNotDismiss, dismiss, dismissAndForward, dismissAndForwardAction, it is absent"
            ),
            (["option": "Dismiss"], #"it is "Dismiss""#), (["option": .null], "it is null"),
            (["option": "dismiss", "url": "a:b"], "url needs the option dismissAndForward"),
            (["option": "dismissAndForward", "url": "nowhere"], "url must be an absolute URL such as"),
        ] as [(JSON, String)]
    )
    func options(result: JSON, text: String) {
        let error = #expect(throws: ReplyError.self) { try ContentExtensionReply(result, needsOption: true) }
        #expect(error?.text.contains(text) == true, "\(error?.text ?? "")")
    }

    @Test("Both names of the forwarding option mean the same option")
    func forwarding() throws {
        for word in ["dismissAndForward", "dismissAndForwardAction"] as [JSON] {
            #expect(try ContentExtensionReply(["option": word], needsOption: true).option == .dismissAndForward)
        }
        #expect(
            try ContentExtensionReply(["option": 7], needsOption: false).option == nil,
            "only a response has options"
        )
    }

    @Test("A rendered template has a payload, and optionally a reason to abort")
    func personalization() throws {
        let reply = try PersonalizationReply(
            ["payload": ["aps": [:]], "diagnostics": [["reason": "r", "message": "m", "path": "/params/payload/x"]]],
            place: { $0 == "/params/payload/x" ? "/params/0/x" : nil }
        )
        #expect(reply.payload.count == 1 && reply.abort == nil)
        #expect(reply.diagnostics == [Diagnostic("r", "m", path: "/params/0/x")])
        #expect(try PersonalizationReply(["payload": [:], "abort": "done"], place: { $0 }).abort == "done")
        for (result, text) in [
            (.null, "the result must be an object, it is null"), ([:], "payload must be an object, it is absent"),
            (["payload": [:], "abort": true], "abort must be a string, it is true"),
        ] as [(JSON, String)] {
            let error = #expect(throws: ReplyError.self) { try PersonalizationReply(result, place: { $0 }) }
            #expect(error?.text == text)
        }
    }
}
