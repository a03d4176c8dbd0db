import JSON
import TestSupport
import Testing

/// The kits for Python and Node, as authors use them and a host sees them.
@Suite(.hangs, .wire) struct KitsTests {
    @Test("A print goes to the log, a child gets no line of the host's, the wire is whole", arguments: Kit.allCases)
    func prints(kit: Kit) throws {
        let log = try KitHost.with(kit, ["--log-level", "info"]) { kit throws in
            #expect(try kit.text("prints") == "read ''")
            #expect(try kit.text("changes") == "changed inside")
        }
        for text in ["a print of the author's", #""raw":"no line end""#, "half a line", "a child's print"] {
            #expect(log.contains(text), "\(text) in \(log)")
        }
        // What a module prints before it imports the kit is a line that the host skips; in Node imports come first.
        let skipped = log.split(separator: "\n").filter { $0.contains("is no message") }
        #expect(skipped.count == (kit == .python ? 1 : 0), "\(log)")
        #expect(skipped.allSatisfy { $0.hasSuffix("a print while the module is loaded") })
    }

    @Test(
        "The first completion counts, whenever it comes; none at all leaves the notification",
        arguments: Kit.allCases,
        [("once", "dismissAndForward"), ("twice", "doNotDismiss"), ("later", "dismiss"), ("never", "doNotDismiss")]
            as [(String, JSON)]
    )
    func completion(kit: Kit, way: (String, JSON)) throws {
        try KitHost.with(kit) { kit in
            let result = try kit.press(way.0, text: way.0 == "once" ? "a text" : nil)["result"]
            #expect(result?["option"] == way.1)
            let remarks = ["twice": "completionTwice", "never": "completionMissing"]
            #expect(result?["diagnostics"]?[0]?["reason"]?.string == remarks[way.0])
            #expect(result?.shownText == (way.1 == "doNotDismiss" ? way.0 : nil))
        }
    }

    @Test("An error refuses the response, also after a completion, and an option must be one", arguments: Kit.allCases)
    func refusedResponse(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            #expect(try kit.press("refusedAfterwards").refusal?["data"] == ["reason": "notNow"])
            let nonsense = try kit.press("nonsense").refusal
            #expect(nonsense?["data"] == ["reason": "internalError"])
            #expect(nonsense?["message"]?.string?.contains("nonsense") == true)
            #expect(try kit.press("twice")["result"]?["option"] == "doNotDismiss")
        }
    }

    @Test("An exception of the author's is told with its trace, and the process lives on", arguments: Kit.allCases)
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

    @Test("A refusal has reason, message and path, and what was shown stays", arguments: Kit.allCases)
    func refusal(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            let expected: JSON = [
                "code": 1, "message": "not now", "data": ["reason": "notNow", "path": "/params/value"],
            ]
            #expect(try kit.touch("refuses").refusal == expected)
            let after = try kit.touch("logs")["result"]
            #expect(after?.shownText == "shown")
            #expect(after?["actions"]?.array?.count == 8)
            // Nothing of what was set before the refusal goes out later.
            #expect(try kit.text("changes") == "changed inside")
            #expect(try kit.host.show("kit", title: "refuse").refusal?["data"] == ["reason": "notToday"])
            #expect(try kit.host.result("notifications")["notifications"]?.array?.count == 1)
        }
    }

    @Test("RandomGenerator and time are the host's where those are fixed, and the same in both kits")
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

    @Test("A save returns when it is stored; a refusal is an error to catch, or the call's", arguments: Kit.allCases)
    func saves(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            #expect(try kit.text("saves") == "mistypedParam /params/name")
            let refusal = try kit.touch("fails_to_save").refusal
            #expect(refusal?["data"] == ["reason": "invalidRecord", "path": "/params/field"])
            let page = try kit.host.result("pending", ["suite": .string(Workshop.group)])
            let kinds = page["records"]?.array?.compactMap { $0["kind"]?.string }
            #expect(kinds == ["customEvent", "customAttribute", "userAttribute"])
        }
    }

    @Test("A view and buttons that are set between calls are shown at once", arguments: Kit.allCases)
    func later(kit: Kit) throws {
        try KitHost.with(kit) { kit throws in
            #expect(try kit.text("later") == "shown")
            #expect(try kit.host.notification("viewDidChange").shownText == "shown later")
            #expect(try kit.host.notification("viewDidChange")["actions"] == [])
            #expect(try kit.text("logs") == "shown later")
        }
    }

    @Test("What the host could not read is the author's error, not a line on the wire", arguments: Kit.allCases)
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

    @Test("A dismissal by the author ends the presentation; an error after it harms nobody", arguments: Kit.allCases)
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
