import Foundation
import JSON
import TestSupport
import Testing

@Suite(.waits, .wire, .processesAreListed) struct ExtensionsHostileTests {
    @Test(
        "A hostile extension's caller gets one clear error, other extensions are served, and nothing is left behind",
        arguments: HostileExtension.failing
    )
    func failure(hostile: HostileExtension) throws {
        try HostileWorkspace.open(hostile.options, prepare: hostile.add) { workspace in
            let host = workspace.host
            // An extension that hangs takes a whole deadline, so one call is enough; the others cover restarts.
            let rounds = hostile.isLate ? 1 : 2
            for round in 1...rounds {
                let (reply, order) = try callAll(hostile, workspace)
                try check(try #require(reply["error"], "\(reply)"), hostile)
                #expect(order == (hostile.isLate ? 2 : order), "the other calls waited for it")
                let starts: Int64? = hostile.isStarted ? (hostile.survives ? 1 : Int64(round)) : 0
                #expect(try host.describe(hostile.name)["starts"]?.integer ?? 0 == starts)
            }
            #expect(
                try host.result("notifications")["notifications"]?.array?.count == rounds,
                "the presentations of the good extension"
            )
            #expect(
                try workspace.savedEvents() == 1 + Int64(rounds) * (1 + hostile.saves),
                "its saved events must be kept"
            )
        }
    }

    @Test(
        "A hostile extension whose answer is valid is served, and leaves nothing behind",
        arguments: HostileExtension.served
    )
    func success(hostile: HostileExtension) throws {
        try HostileWorkspace.open(hostile.options, prepare: hostile.add) { workspace in
            let (reply, _) = try callAll(hostile, workspace)
            let found = try #require(reply["result"], "\(reply)")
            #expect(found["view"] == ["type": "text", "id": "status", "text": "a title"])
            #expect(found["actions"]?[0]?["identifier"] == "again")
            #expect(try workspace.savedEvents() == 2 + hostile.saves, "its saved events must be kept")
            #expect(try workspace.host.describe(hostile.name)["starts"] == 1)
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
        try HostileWorkspace.open(prepare: { try $0.add(behaviour) }) { workspace in
            let notification = try workspace.host.shown(behaviour)
            if behaviour == "floodsRequestsAfterwards" {
                try Processes.wait(for: "more answers than it may leave unread") {
                    try workspace.host.describe(behaviour)["bytesRead"]?.integer ?? 0 > 4 << 20
                }
            }
            if behaviour == "floodsAfterDismissal" { try workspace.host.result("dismiss", [notification]) }
            try workspace.finish()
        }
    }

    /// Calls the hostile extension, the good extension and the host; returns the hostile extension's reply and its position.
    private func callAll(_ hostile: HostileExtension, _ workspace: HostileWorkspace) throws -> (reply: JSON, order: Int)
    {
        let host = workspace.host
        let call = try host.request("didReceive", HostProcess.payload(hostile.name, title: "a title"))
        let others = [
            try host.request("didReceive", HostProcess.payload("good")), try host.request("ping"),
        ]
        let replies = try [host.reply(), host.reply(), host.reply()]
        for id in others { #expect(replies.contains { $0["id"] == id && $0["result"] != nil }, "\(replies)") }
        let order = try #require(replies.firstIndex { $0["id"] == call }, "\(replies)")
        return (replies[order], order)
    }

    private func check(_ error: JSON, _ hostile: HostileExtension) throws {
        guard case .error(let code, let reason) = hostile.answer else { throw TestFailure("no error is expected") }
        let message = try #require(error["message"]?.string)
        #expect(error["code"] == .integer(code), "\(error)")
        #expect(error["data"]?["reason"] == .string(reason))
        #expect(error["data"]?["extension"] == .string("com.example.\(hostile.name)"))
        #expect(message.hasPrefix("com.example.\(hostile.name) "))
        for text in hostile.message { #expect(message.contains(text)) }
        for (name, value) in hostile.data { #expect(error["data"]?[name] == value, "\(name) of \(error)") }
        let tail = error["data"]?["stderr"]?.string ?? ""
        #expect(tail.utf8.count <= 4096)
        if let text = hostile.standardError { #expect(tail.hasSuffix(text)) }
    }

    @Test("A response with an unknown option is an error, and the presentation stays")
    func badOption() throws {
        try Workspace.open { workspace in
            try workspace.add("badOption")
            let host = try workspace.host()
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
        try Workspace.open { workspace in
            try workspace.add("closesInput")
            let host = try workspace.host(["--call-deadline", "1500"])
            let notification = try host.shown("closesInput")
            let reply = try host.call("interact", ["notification": notification, "element": "status"])
            #expect([122, 125].contains(reply["error"]?["code"]?.integer), "\(reply)")
            #expect(try host.result("ping")["version"] != nil)
        }
    }

    @Test("A presentation whose extension exited is gone, and later calls on it say why")
    func diedBetweenCalls() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
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
