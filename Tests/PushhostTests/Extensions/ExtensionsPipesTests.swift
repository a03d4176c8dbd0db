import Foundation
import JSON
import TestSupport
import Testing

/// Unread input and unwritten output of one extension never block anything else.
@Suite(.waits, .wire, .processesAreListed) struct ExtensionsPipesTests {
    @Test("4 MiB of input to an extension that never reads block nothing else, and its deadline ends it")
    func neverReads() throws {
        try HostileWorkspace.open(["--call-deadline", "1000"], prepare: { try $0.add("neverReads") }) { workspace in
            let host = workspace.host
            let notification = try host.shown("neverReads")
            let value = JSON.string(String(repeating: "v", count: 4 << 20))
            let touch = try host.request(
                "interact",
                ["notification": notification, "element": "status", "value": value]
            )
            let others = [
                try host.request("didReceive", HostProcess.payload("good")), try host.request("ping"),
            ]
            let replies = try (0..<3).map { _ in try host.reply() }
            for other in others {
                #expect(replies.contains { $0["id"] == other && $0["result"] != nil }, "\(replies)")
            }
            #expect(replies.last?["id"] == touch)
            #expect(replies.last?["error"]?["code"] == 122)
            #expect(try host.show("neverReads")["result"] != nil, "the next process reads its first call")
        }
    }

    @Test("A call that is larger than the limit on unread input does not exceed that limit")
    func largeCall() throws {
        try Workspace.open { workspace in
            try workspace.add("refuses", in: "interact")
            let host = try workspace.host(["--line-limit", "\(32 << 20)", "--call-deadline", "60000"])
            let notification = try host.shown("refuses")
            let params = #"{"notification":\#(notification),"element":"status","value":""#
            let value = [UInt8](repeating: UInt8(ascii: "v"), count: 17 << 20)
            try host.process.write(#"{"jsonrpc":"2.0","id":"large","method":"interact","params":\#(params)"#.utf8)
            try host.process.write(value)
            try host.process.write(line: #""}}"#)
            #expect(try host.reply()["error"]?["data"]?["cause"]?["message"] == "not today")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A flood of notifications to a subscriber that does not read stops at the limit, and continues as it reads")
    func unreadNotifications() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("floodsBriefly")
            let host = try workspace.host(["--output-limit", "\(64 << 10)", "--call-deadline", "60000"])
            try host.result("subscribe", ["topics": ["$/log"]])
            let call = try host.request("didReceive", HostProcess.payload("floodsBriefly"))
            try Processes.wait(for: "the extension") { try Processes.family(in: folder) != [] }
            let pid = try #require(try Processes.family(in: folder).first)
            // The host is blocked in a write once the number of bytes that it wrote stays the same for a while.
            var (written, since) = (Int64(-1), 0)
            try Processes.wait(for: "the flood to stand still") {
                let now = try Processes.written(by: pid)
                since = now == written ? since + 1 : 0
                written = now
                return written > 64 << 10 && since >= 40
            }
            #expect(written < 1 << 20, "its pipe, our limit and the client's pipe")
            #expect(try host.reply()["id"] == call)
            #expect(host.notifications.count == 10_000, "nothing was dropped")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A call to an extension that does not read the answers to its own calls times out, and the error says why")
    func unreadAnswers() throws {
        let options = ["--call-deadline", "1000"]
        try HostileWorkspace.open(options, prepare: { try $0.add("floodsRequestsAfterwards") }) { workspace in
            let notification = try workspace.host.shown("floodsRequestsAfterwards")
            try Processes.wait(for: "more answers than it may leave unread") {
                try workspace.host.describe("floodsRequestsAfterwards")["bytesRead"]?.integer ?? 0 > 4 << 20
            }
            let error = try workspace.host.call("interact", ["notification": notification, "element": "status"])[
                "error"
            ]
            #expect(error?["code"] == 122)
            let text = "within 1000 ms: it leaves the answers to its own calls unread"
            #expect(error?["message"]?.string?.hasSuffix(text) == true, "\(String(describing: error))")
        }
    }

    @Test("An extension that writes 1 MiB to stderr is served even if nobody reads the host's stderr")
    func unreadErrors() throws {
        try Workspace.open { workspace in
            try workspace.add("floodsErrors")
            // A named pipe that is open and never read.
            let gate = try Gate(workspace.root)
            let redirect = "exec \"$@\" 2>'\(workspace.root)/gate'"
            let host = try workspace.host(["--log-level", "info"], under: ["/bin/sh", "-c", redirect, "sh"])
            for _ in 0..<2 { _ = try host.shown("floodsErrors") }
            #expect(try host.result("status")["logLinesDropped"]?.integer ?? 0 > 0)
            #expect(try host.finish() == .code(0))
            withExtendedLifetime(gate) {}
        }
    }

    @Test(
        "The last messages of extensions that exit simultaneously are not mistaken for anything else, such as a signal to the host"
    )
    func endingTogether() throws {
        try Workspace.open { workspace in
            for name in ["floodsErrors", "good"] { try workspace.add(name) }
            let host = try workspace.host()
            for _ in 0..<12 {
                for name in ["floodsErrors", "good"] { try host.request("didReceive", HostProcess.payload(name)) }
                for _ in 0..<2 { #expect(try host.reply()["result"] != nil) }
                try host.result("reloadExtensions", ["force": true])
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A view of 10 MiB is shown")
    func largeView() throws {
        try Workspace.open { workspace in
            try workspace.add("largeView")
            let host = try workspace.host(["--call-deadline", "60000"])
            let result = try host.result("didReceive", HostProcess.payload("largeView"))
            #expect(result["view"]?["text"]?.string?.utf8.count == 10 << 20)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "An answer that was in the pipe before the deadline counts, even after 40 KiB of other messages",
        arguments: ["activate", "didReceive"]
    )
    func answeredInTime(method: String) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("waitsAndTalks", in: method)
            let gate = try Gate(folder)
            let deadline = 1500
            let option = method == "activate" ? "--activate-deadline" : "--call-deadline"
            let host = try workspace.host([option, "\(deadline)"])
            try host.result("subscribe", ["topics": ["$/log"]])
            let call = try host.request("didReceive", HostProcess.payload("waitsAndTalks"))
            #expect(try host.notification("$/log")["message"] == "waiting")
            let end = ContinuousClock.now + .milliseconds(deadline)
            // The host is too busy to read while the extension answers and its deadline passes.
            host.process.kill(SIGSTOP)
            try gate.releaseOne()
            try Processes.wait(for: "the extension's answer") {
                FileManager.default.fileExists(atPath: "\(folder)/answered")
            }
            try Processes.wait(for: "the end of its time") { .now > end }
            host.process.kill(SIGCONT)
            let reply = try host.reply()
            #expect(reply["id"] == call)
            #expect(reply["result"] != nil, "\(reply)")
            #expect(try host.describe("waitsAndTalks")["starts"] == 1)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Responses with the ids of other extensions' calls reach none of them")
    func answersForOthers() throws {
        try Workspace.open { workspace in
            let gate = try Gate(try workspace.add("waits"))
            try workspace.add("answersForOthers")
            let host = try workspace.host(["--call-deadline", "20000"])
            try host.result("subscribe", ["topics": ["$/log"]])
            let call = try host.request("didReceive", HostProcess.payload("waits", title: "mine"))
            #expect(try host.notification("$/log")["message"] == "waiting")
            let thief = try host.request("didReceive", HostProcess.payload("answersForOthers"))
            // Once the host has read that much, it has processed everything that the extension wrote.
            try Processes.wait(for: "what it answers") {
                try host.describe("answersForOthers")["bytesRead"]?.integer ?? 0 > 4_000
            }
            try gate.releaseOne()
            let reply = try host.reply()
            #expect(reply["id"] == call)
            #expect(reply["result"]?["view"]?["text"] == "mine")
            kill(try host.pid(of: "answersForOthers"), SIGKILL)
            #expect(try host.reply()["id"] == thief)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("The host's calls to an extension that is closing its stdin, or has exited, are answered")
    func closedInput() throws {
        try HostileWorkspace.open(["--call-deadline", "1000"], prepare: { try $0.add("closesInput") }) { workspace in
            let notification = try workspace.host.shown("closesInput")
            let reply = try workspace.host.call("interact", ["notification": notification, "element": "status"])
            #expect([122, 125].contains(reply["error"]?["code"]?.integer), "\(reply)")
        }
    }
}
