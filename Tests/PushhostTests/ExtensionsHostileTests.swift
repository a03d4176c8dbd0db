import Foundation
import JSON
import TestSupport
import Testing

/// An extension that fails: what it does and what its caller is told.
struct Hostility: Sendable, CustomTestStringConvertible {
    let behaviour: String
    let code: Int64
    let reason: String
    var data: [String: JSON] = [:]
    var standardError: String?
    var options: [String] = []
    /// Whether the process lives on.
    var survives = false

    var testDescription: String { behaviour }

    private static func exits(_ behaviour: String, _ exitCode: Int64, _ standardError: String? = nil) -> Hostility {
        Hostility(
            behaviour: behaviour,
            code: 121,
            reason: "extensionExited",
            data: ["exitCode": .integer(exitCode)],
            standardError: standardError
        )
    }

    private static func hangs(_ behaviour: String, _ option: String = "--call-deadline") -> Hostility {
        Hostility(behaviour: behaviour, code: 122, reason: "extensionTimedOut", options: [option, "1500"])
    }

    private static func answersBadly(_ behaviour: String) -> Hostility {
        Hostility(behaviour: behaviour, code: 124, reason: "badExtensionReply", survives: true)
    }

    static let all = [
        exits("exitsAtOnce", 7),
        exits("exitsBeforeActivate", 5, "no configuration found\n"),
        exits("exitsInCall", 3, "loading the deck\nfatal: a card is missing\n"),
        exits("halfMessage", 0),
        exits("badUTF8", 4, "caf\u{FFFD}\n"),
        exits("savesThenCrashes", 3),
        exits("grandchild", 6),
        Hostility(
            behaviour: "diesBySignal",
            code: 121,
            reason: "extensionExited",
            data: ["signal": .integer(Int64(SIGUSR1))]
        ),
        hangs("muteActivate", "--activate-deadline"),
        hangs("muteCall"),
        hangs("garbageThenHang"),
        hangs("wrongId"),
        hangs("stopsForEver"),
        Hostility(behaviour: "closesOutput", code: 125, reason: "extensionMisbehaved"),
        answersBadly("resultAndError"),
        answersBadly("badView"),
        answersBadly("badActions"),
        answersBadly("badResult"),
        Hostility(behaviour: "badVersion", code: 124, reason: "badExtensionReply"),
        Hostility(behaviour: "refusesActivate", code: 123, reason: "extensionRefused"),
        Hostility(
            behaviour: "refuses",
            code: 123,
            reason: "extensionRefused",
            data: ["cause": ["code": 1, "message": "not today"]],
            standardError: "it is raining\n",
            survives: true
        ),
    ]
}

@Suite(.hangs) struct ExtensionsHostileTests {
    @Test("Its caller gets one error that tells what happened, nobody else anything", arguments: Hostility.all)
    func failure(hostility: Hostility) throws {
        try Workshop.open { workshop in
            try workshop.add(hostility.behaviour)
            try workshop.add("good")
            let host = try workshop.host(hostility.options)
            for start in 1...2 {
                let failing = try host.request("didReceive", HostProcess.payload(hostility.behaviour))
                let others = [
                    try host.request("didReceive", HostProcess.payload("good", title: "round \(start)")),
                    try host.request("ping"),
                ]
                let replies = try [host.reply(), host.reply(), host.reply()]
                try check(try #require(replies.first { $0["id"] == failing }?["error"], "\(replies)"), hostility)
                for id in others { #expect(replies.contains { $0["id"] == id && $0["result"] != nil }, "\(replies)") }
                #expect(try host.describe(hostility.behaviour)["starts"] == JSON(hostility.survives ? 1 : start))
            }
            #expect(try host.result("notifications")["notifications"]?.array?.count == 2)
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self, "more answers than requests") { try host.reply() }
        }
    }

    private func check(_ error: JSON, _ hostility: Hostility) throws {
        #expect(error["code"] == .integer(hostility.code), "\(error)")
        #expect(error["data"]?["reason"] == .string(hostility.reason))
        #expect(error["data"]?["extension"] == .string("com.example.\(hostility.behaviour)"))
        #expect(error["message"]?.string?.contains("com.example.\(hostility.behaviour) ") == true)
        for (name, value) in hostility.data { #expect(error["data"]?[name] == value, "\(name) of \(error)") }
        if let text = hostility.standardError { #expect(error["data"]?["stderr"] == .string(text)) }
    }

    @Test(
        "It is served all the same when its answer is right",
        arguments: [
            "good", "garbageFirst", "byteByByte", "answersTwice", "floodsOutput", "floodsErrors", "longLine",
            "badRequests", "batch", "savesInvalid", "savesElsewhere", "saves", "closesInput", "ignoresTheEnd",
            "stopsItself",
        ]
    )
    func success(behaviour: String) throws {
        try Workshop.open { workshop in
            try workshop.add(behaviour)
            try workshop.add("good")
            let host = try workshop.host()
            let good = try host.request("didReceive", HostProcess.payload("good"))
            let odd = try host.request("didReceive", HostProcess.payload(behaviour, title: "a title"))
            let ping = try host.request("ping")
            let replies = try [host.reply(), host.reply(), host.reply()]
            let found = try #require(replies.first { $0["id"] == odd }?["result"], "\(replies)")
            #expect(found["view"] == ["type": "text", "id": "status", "text": "a title"])
            #expect(found["actions"]?[0]?["identifier"] == "again")
            for id in [good, ping] { #expect(replies.contains { $0["id"] == id && $0["result"] != nil }) }
            let pid = try host.pid(of: behaviour)
            #expect(try host.finish() == .code(0))
            #expect(!Processes.isRunning(pid))
        }
    }

    @Test("An answer to a response with an unknown option is an error, and the presentation stays")
    func badOption() throws {
        try Workshop.open { workshop in
            try workshop.add("badOption")
            let host = try workshop.host()
            let notification = try host.shown("badOption")
            let action: JSON = ["notification": notification, "actionIdentifier": "again"]
            let error = try host.call("didReceiveResponse", action)["error"]
            #expect(error?["code"] == 124)
            #expect(error?["message"]?.string?.contains("doNotDismiss") == true)
            #expect(try host.result("notifications")["notifications"]?.array?.count == 1)
        }
    }

    @Test("A call after it closed its stdin is answered with an error")
    func closedInput() throws {
        try Workshop.open { workshop in
            try workshop.add("closesInput")
            let host = try workshop.host(["--call-deadline", "1500"])
            let notification = try host.shown("closesInput")
            let reply = try host.call("interact", ["notification": notification, "element": "status"])
            #expect([122, 125].contains(reply["error"]?["code"]?.integer), "\(reply)")
            #expect(try host.result("ping")["version"] != nil)
        }
    }

    @Test("A presentation whose extension died is gone, and its later calls say why")
    func diedBetweenCalls() throws {
        try Workshop.open { workshop in
            try workshop.add("good")
            let host = try workshop.host()
            try host.result("subscribe", ["topics": ["didDismiss"]])
            let notification = try host.shown("good")
            kill(try host.pid(of: "good"), SIGKILL)
            #expect(try host.notification("didDismiss")["notification"] == notification)
            let error = try host.call("interact", ["notification": notification, "element": "status"])["error"]
            #expect(error?["code"] == 111)
            #expect(error?["data"]?["ended"]?.string?.contains("signal 9") == true)
            #expect(try host.show("good")["result"] != nil, "the next notification starts it again")
            #expect(try host.describe("good")["starts"] == 2)
        }
    }
}
