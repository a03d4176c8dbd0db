import JSON
import TestSupport
import Testing

/// The kits for Python and Node, as authors use them and as a host sees them.
@Suite(.waits, .wire) struct KitsTests {
    @Test(
        "Prints go to the log, a child inherits no host input, and the protocol stream stays intact",
        arguments: Kit.allCases
    )
    func prints(kit: Kit) throws {
        let log = try KitHost.with(kit, ["--log-level", "info"]) { kit throws in
            #expect(try kit.text("prints") == "read ''")
            #expect(try kit.text("changes") == "changed inside")
        }
        for text in ["a print of the author's", #""raw":"no line end""#, "half a line", "a child's print"] {
            #expect(log.contains(text), "\(text) in \(log)")
        }
        // A line that a module prints before it imports the kit is skipped by the host; in Node imports come first.
        let skipped = log.split(separator: "\n").filter { $0.contains("is no message") }
        #expect(skipped.count == (kit == .python ? 1 : 0), "\(log)")
        #expect(skipped.allSatisfy { $0.hasSuffix("a print while the module is loaded") })
    }

    @Test(
        "The first completion counts, however late; without one the notification stays",
        arguments: Kit.allCases,
        [("once", "dismissAndForward"), ("twice", "doNotDismiss"), ("later", "dismiss"), ("never", "doNotDismiss")]
            as [(String, JSON)]
    )
    func completion(kit: Kit, ending: (String, JSON)) throws {
        try KitHost.with(kit) { kit in
            let result = try kit.press(ending.0, text: ending.0 == "once" ? "a text" : nil)["result"]
            #expect(result?["option"] == ending.1)
            let reasons = ["twice": "completionTwice", "never": "completionMissing"]
            #expect(result?["diagnostics"]?[0]?["reason"]?.string == reasons[ending.0])
            #expect(result?.shownText == (ending.1 == "doNotDismiss" ? ending.0 : nil))
        }
    }

    @Test(
        "An error refuses the response even after a completion, and an unknown option is an error",
        arguments: Kit.allCases
    )
    func refusedResponse(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            #expect(try kit.press("refusedAfterwards").refusal?["data"] == ["reason": "notNow"])
            let nonsense = try kit.press("nonsense").refusal
            #expect(nonsense?["data"] == ["reason": "internalError"])
            #expect(nonsense?["message"]?.string?.contains("nonsense") == true)
            #expect(try kit.press("twice")["result"]?["option"] == "doNotDismiss")
        }
    }

    @Test(
        "An author's exception is reported with its stack trace, and the process keeps running",
        arguments: Kit.allCases
    )
    func exception(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            let pid = try kit.host.pid(of: "kit")
            let reply = try kit.touch("fails")
            #expect(reply.refusal?["code"] == -32603)
            #expect(reply.refusal?["message"]?.string?.hasSuffix("Error: boom") == true, "\(reply)")
            #expect(reply.refusal?["data"] == ["reason": "internalError"])
            #expect(reply["error"]?["data"]?["stderr"]?.string?.contains("fails") == true, "\(reply)")
            #expect(try kit.text("logs") == "shown")
            #expect(try kit.host.pid(of: "kit") == pid)
        }
    }

    @Test("A refusal has a reason, a message and a path, and the shown content stays", arguments: Kit.allCases)
    func refusal(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            let expected: JSON = [
                "code": 1, "message": "not now", "data": ["reason": "notNow", "path": "/params/value"],
            ]
            #expect(try kit.touch("refuses").refusal == expected)
            let after = try kit.touch("logs")["result"]
            #expect(after?.shownText == "shown")
            #expect(after?["actions"]?.array?.count == 8)
            // Changes made before the refusal are not sent later.
            #expect(try kit.text("changes") == "changed inside")
            #expect(try kit.host.show("kit", title: "refuse").refusal?["data"] == ["reason": "notToday"])
            #expect(try kit.host.result("notifications")["notifications"]?.array?.count == 1)
        }
    }

    @Test("The random generator and the clock follow the host's fixed values and agree in both kits")
    func fixed() throws {
        func shown(_ kit: Kit, seed: Int) throws -> [String?] {
            var texts: [String?] = []
            try KitHost.with(kit, ["--clock", "2026-01-01T00:00:00Z", "--seed", String(seed)]) { kit in
                texts = try ["random", "random", "time"].map { try kit.text($0) }
            }
            return texts
        }
        let texts = try shown(.python, seed: 1)
        #expect(try shown(.python, seed: 1) == texts)
        #expect(try shown(.node, seed: 1) == texts)
        #expect(texts[0] != texts[1])
        let other = try shown(.node, seed: 2)
        #expect(other[0] != texts[0])
        let times = try #require(texts[2]).split(separator: " ").map(String.init)
        #expect(times.count == 2)
        #expect(times.allSatisfy { $0.hasPrefix("2026-01-01T00:00:00.") })
        let milliseconds = times.compactMap { Int($0.dropLast().suffix(3)) }
        #expect(milliseconds.last == milliseconds.first.map { $0 + 1 }, "\(times)")
    }

    @Test("Values are stored, retrieved and removed", arguments: Kit.allCases)
    func storage(kit: Kit) throws {
        try KitHost.with(kit) { kit throws in
            #expect(try kit.text("stores") == "True True")
        }
    }

    @Test(
        "A save returns once it is stored; a refused save raises an error that the author can catch",
        arguments: Kit.allCases
    )
    func saves(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            #expect(try kit.text("saves") == "mistypedParam /params/name")
            let refusal = try kit.touch("fails_to_save").refusal
            #expect(refusal?["data"] == ["reason": "invalidRecord", "path": "/params/field"])
            let page = try kit.host.result("pending", ["suite": .string(Workspace.group)])
            let kinds = page["records"]?.array?.compactMap { $0["kind"]?.string }
            #expect(kinds == ["customEvent", "customAttribute", "userAttribute"])
        }
    }

    @Test("A view and buttons that are set between calls are shown immediately", arguments: Kit.allCases)
    func later(kit: Kit) throws {
        var gate: Gate?
        try KitHost.with(kit, prepare: { gate = try Gate($0) }) { kit throws in
            #expect(try kit.text("later") == "shown")
            try gate?.releaseOne()
            #expect(try kit.host.notification("viewDidChange").shownText == "shown later")
            #expect(try kit.host.notification("viewDidChange")["actions"] == [])
            #expect(try kit.text("logs") == "shown later")
        }
    }

    @Test("A value that the host cannot read is an error for the author and is never sent", arguments: Kit.allCases)
    func unreadable(kit: Kit) throws {
        let log = try KitHost.with(kit, ["--log-level", "info"]) { kit throws in
            for behaviour in ["number", "not_a_number", "half", "no_view"] {
                #expect(try kit.touch(behaviour).refusal?["data"] == ["reason": "internalError"])
                #expect(try kit.text("logs") == "shown")
                #expect(try kit.host.notification("$/log")["message"] == "a line")
            }
        }
        #expect(!log.contains("no message and was skipped: {"), "\(log)")
    }

    @Test("A dismissal by the author ends the presentation, and a later error has no effect", arguments: Kit.allCases)
    func dismissal(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            let pid = try kit.host.pid(of: "kit")
            _ = try kit.touch("ends")
            #expect(try kit.touch("logs")["error"]?["data"]?["reason"] == "noPresentation")
            _ = try kit.host.shown("kit")
            #expect(try kit.host.pid(of: "kit") == pid)
        }
    }
}
