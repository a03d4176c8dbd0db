import Foundation
import JSON
import TestSupport
import Testing

@Suite(.hangs, .wire, .processesAreListed) struct ExtensionsHostileTests {
    @Test(
        "A hostile extension's caller gets one clear error, other extensions are served, and nothing is left behind",
        arguments: Hostility.failing
    )
    func failure(hostility: Hostility) throws {
        try Zoo.open(hostility.options, prepare: hostility.add) { zoo in
            let host = zoo.host
            // Extensions that hang take one deadline each; that they are restarted is covered by the others.
            let rounds = hostility.isLate ? 1 : 2
            for round in 1...rounds {
                let (reply, order) = try callAll(hostility, zoo)
                try check(try #require(reply["error"], "\(reply)"), hostility)
                #expect(order == (hostility.isLate ? 2 : order), "the others waited for it")
                let starts: Int64? = hostility.isStarted ? (hostility.survives ? 1 : Int64(round)) : 0
                #expect(try host.describe(hostility.name)["starts"]?.integer ?? 0 == starts)
            }
            #expect(try host.result("notifications")["notifications"]?.array?.count == rounds, "the good one's")
            #expect(try zoo.savedEvents() == 1 + Int64(rounds) * (1 + hostility.saves), "what it saved is kept")
        }
    }

    @Test("A hostile extension whose answer is valid is served, and leaves nothing behind", arguments: Hostility.served)
    func success(hostility: Hostility) throws {
        try Zoo.open(hostility.options, prepare: hostility.add) { zoo in
            let (reply, _) = try callAll(hostility, zoo)
            let found = try #require(reply["result"], "\(reply)")
            #expect(found["view"] == ["type": "text", "id": "status", "text": "a title"])
            #expect(found["actions"]?[0]?["identifier"] == "again")
            #expect(try zoo.savedEvents() == 2 + hostility.saves, "what it saved is kept")
            #expect(try zoo.host.describe(hostility.name)["starts"] == 1)
        }
    }

    @Test(
        "The end of input ends the host, whatever its extension is doing",
        arguments: [
            "neverReads", "floodsRequestsAfterwards", "floodsAfterDismissal", "daemonises", "daemonisesBare",
            "multiplies", "ignoresTheEnd", "closesInput",
        ]
    )
    func end(behaviour: String) throws {
        try Zoo.open(prepare: { try $0.add(behaviour) }) { zoo in
            let notification = try zoo.host.shown(behaviour)
            if behaviour == "floodsRequestsAfterwards" {
                try Processes.wait(for: "more answers than it may leave unread") {
                    try zoo.host.describe(behaviour)["bytesRead"]?.integer ?? 0 > 4 << 20
                }
            }
            if behaviour == "floodsAfterDismissal" { try zoo.host.result("dismiss", [notification]) }
            try zoo.finish()
        }
    }

    /// Calls the hostile extension, then the good one and the host.
    ///
    /// Returns the hostile one's reply and its position.
    private func callAll(_ hostility: Hostility, _ zoo: Zoo) throws -> (reply: JSON, order: Int) {
        let host = zoo.host
        let call = try host.request("didReceive", HostProcess.payload(hostility.name, title: "a title"))
        let others = [
            try host.request("didReceive", HostProcess.payload("good")), try host.request("ping"),
        ]
        let replies = try [host.reply(), host.reply(), host.reply()]
        for id in others { #expect(replies.contains { $0["id"] == id && $0["result"] != nil }, "\(replies)") }
        let order = try #require(replies.firstIndex { $0["id"] == call }, "\(replies)")
        return (replies[order], order)
    }

    private func check(_ error: JSON, _ hostility: Hostility) throws {
        guard case .error(let code, let reason) = hostility.answer else { throw TestFailure("no error is expected") }
        let message = try #require(error["message"]?.string)
        #expect(error["code"] == .integer(code), "\(error)")
        #expect(error["data"]?["reason"] == .string(reason))
        #expect(error["data"]?["extension"] == .string("com.example.\(hostility.name)"))
        #expect(message.hasPrefix("com.example.\(hostility.name) "))
        for text in hostility.message { #expect(message.contains(text)) }
        for (name, value) in hostility.data { #expect(error["data"]?[name] == value, "\(name) of \(error)") }
        let tail = error["data"]?["stderr"]?.string ?? ""
        #expect(tail.utf8.count <= 4096)
        if let text = hostility.standardError { #expect(tail.hasSuffix(text)) }
    }

    @Test("A response with an unknown option is an error, and the presentation stays")
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

    @Test("A call to an extension that has closed its stdin is answered with an error")
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

    @Test("A presentation whose extension exited is gone, and later calls on it say why")
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
