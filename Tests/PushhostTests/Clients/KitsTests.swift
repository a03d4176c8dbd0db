import JSON
import TestSupport
import Testing

/// The kits, as authors use them incorrectly, and as a host sees them.
///
/// ``KitParityTests`` has what they can do.
@Suite(.waits, .wire) struct KitsTests {
    @Test("A banner that is cleared or left alone starts no program and saves nothing", arguments: Kit.allCases)
    func banner(kit: Kit) throws {
        try Workspace.open { workspace in
            try kit.makeBundle("\(workspace.plugins)/kit")
            let host = try workspace.host([])
            let payload = try #require(HostProcess.payload("kit")["payload"])
            let params: JSON = ["payload": payload, "expand": false]
            let banners = try (1...2).map { _ in try host.result("didReceive", params)["notification"] }
            let clear: JSON = "com.apple.UNNotificationDismissActionIdentifier"
            let cleared = try #require(banners[0])
            _ = try host.result("didReceiveResponse", ["notification": cleared, "actionIdentifier": clear])
            let starts = { try host.result("extensions")["extensions"]?[0]?["starts"] }
            #expect(try starts() == 0)
            #expect(try host.result("suites")["suites"].elements.allSatisfy { $0["pending"] == 0 })
            let opened = try #require(banners[1])
            #expect(try host.result("expand", ["notification": opened]).shownText == "shown")
            let touch: JSON = ["notification": opened, "element": "way", "value": "saves"]
            _ = try host.result("interact", touch)
            #expect(try starts() == 1)
            #expect(try host.result("pending", ["suite": .string(Workspace.group)])["records"].elements.count == 3)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "Prints go to the log, a child inherits no host input, and the protocol stream stays intact",
        .noThreadSanitizer,
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
        let skipped = log.split(separator: "\n").filter { $0.contains("is not a message") }
        #expect(skipped.count == (kit == .python ? 1 : 0), "\(log)")
        #expect(skipped.allSatisfy { $0.hasSuffix("a print while the module is loaded") })
    }

    @Test(
        "An error refuses the response even after a completion, and an unknown option is an error",
        arguments: Kit.allCases
    )
    func refusedResponse(name: Kit) throws {
        try KitHost.with(name) { kit in
            #expect(try kit.press("refusedAfterwards").refusal?["data"] == ["reason": "notNow"])
            if name != .swift {
                let nonsense = try kit.press("nonsense").refusal
                #expect(nonsense?["data"] == ["reason": "internalError"])
                #expect(nonsense?["message"]?.string?.contains("nonsense") == true)
            }
            #expect(try kit.press("twice")["result"]?["option"] == "doNotDismiss")
        }
    }

    @Test(
        "An author's exception is reported with its stack trace, and the process keeps running",
        arguments: Kit.allCases
    )
    func exception(name: Kit) throws {
        try KitHost.with(name) { kit in
            let pid = try kit.host.pid(of: "kit")
            let reply = try kit.touch("fails")
            #expect(reply.refusal?["code"] == -32603)
            #expect(reply.refusal?["message"]?.string?.contains("rror: boom") == true, "\(reply)")
            #expect(reply.refusal?["data"] == ["reason": "internalError"])
            // Swift has no stack trace of an error.
            let trace = reply["error"]?["data"]?["stderr"]?.string?.contains("fails")
            #expect(name == .swift || trace == true, "\(reply)")
            #expect(try kit.text("logs") == "shown")
            #expect(try kit.host.pid(of: "kit") == pid)
        }
    }

    @Test("The random generator and the clock follow the host's fixed values and agree in all kits")
    func fixed() throws {
        func shown(_ kit: Kit, seed: Int64) throws -> [String?] {
            var texts: [String?] = []
            try KitHost.with(kit, ["--clock", "2026-01-01T00:00:00Z", "--seed", String(seed)]) { kit in
                texts = try ["random", "random", "time"].map { try kit.text($0) }
            }
            return texts
        }
        let texts = try shown(.python, seed: 1)
        for kit in Kit.allCases { #expect(try shown(kit, seed: 1) == texts) }
        #expect(texts[0] != texts[1])
        let other = try shown(.python, seed: .max)
        #expect(other[0] != texts[0])
        for kit in [Kit.node, .swift] { #expect(try shown(kit, seed: .max) == other) }
        let times = try #require(texts[2]).split(separator: " ").map(String.init)
        #expect(times.count == 2)
        #expect(times.allSatisfy { $0.hasPrefix("2026-01-01T00:00:00.") })
        let milliseconds = times.compactMap { Int($0.dropLast().suffix(3)) }
        #expect(milliseconds.last == milliseconds.first.map { $0 + 1 }, "\(times)")
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

    @Test("A value that the host cannot read is an error for the author and is never sent", arguments: Kit.singleFiles)
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

    @Test(
        "A number that is not finite refuses a save or a reply with its path, and the extension continues",
        arguments: [
            ("saves_nan", 1, "invalidRecord", "/params/properties/list/1/a~1b", "nan"),
            ("frames_infinity", -32603, "internalError", "/result/media/frame/x", "inf"),
        ] as [(String, JSON, JSON, String, String)]
    )
    func notFinite(behaviour: String, code: JSON, reason: JSON, path: String, number: String) throws {
        try KitHost.with(.swift) { kit in
            let pid = try kit.host.pid(of: "kit")
            let cause = try kit.touch(behaviour).refusal
            #expect(cause?["code"] == code)
            #expect(cause?["data"]?["reason"] == reason)
            let message = "JSON has no \(number), which is at \(path): pass a finite number"
            #expect(cause?["message"]?.string?.hasSuffix(message) == true, "\(cause ?? .null)")
            #expect(try kit.touch("logs")["result"]?["media"] == nil)
            #expect(try kit.host.pid(of: "kit") == pid)
        }
    }
}
