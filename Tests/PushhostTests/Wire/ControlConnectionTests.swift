import Foundation
import JSON
import TestSupport
import Testing

/// Control connections: what they may do, and that they cannot disturb the client.
@Suite(.waits, .wire) struct ControlConnectionTests {
    @Test("A control connection may call four methods, alone or in a batch, and nothing else")
    func methods() throws {
        try ControlSetup.open { setup in
            try setup.workspace.add("good")
            let host = try setup.host()
            let control = try setup.connect(to: host)
            #expect(try control.call("ping")["result"] == (try host.result("ping")))
            #expect(try control.call("status")["result"]?["plugins"] == [.string(setup.workspace.plugins)])
            let bundles = try control.call("extensions")["result"]?["extensions"]
            #expect(bundles?[0]?["identifier"] == "com.example.good")
            #expect(try control.call("reloadExtensions", ["force": true])["result"]?["changed"] == ["com.example.good"])
            #expect(try control.call("reloadExtensions", ["force": 1])["error"]?["data"]?["path"] == "/params/force")
            for method in ["saveCustomEvent", "didReceive", "shutdown", "subscribe", "initialize", "$/cancelRequest"] {
                let error = try control.call(method)["error"]
                #expect(error?["data"]?["reason"] == "methodNotFound", "\(method): \(String(describing: error))")
            }
            let batch = ["reloadExtensions", "ping", "reloadExtensions"].enumerated().map { index, method in
                #"{"jsonrpc":"2.0","id":\#(index),"method":"\#(method)"}"#
            }
            try control.write("[\(batch.joined(separator: ","))]\n")
            let replies = try control.next().array ?? JSON.Array([])
            #expect(replies.map { $0["id"] } == [0, 1, 2])
            #expect(replies.allSatisfy { $0["result"] != nil }, "\(replies)")
            #expect(try host.finish() == .code(0))
            #expect(try setup.names() == [], "the host removes its socket")
        }
    }

    @Test("A reload waits for the client's call in flight, and the client's next call for the reload")
    func order() throws {
        try ControlSetup.open { setup in
            let bundle = try setup.workspace.add("waits")
            let gate = try Gate(bundle)
            let host = try setup.host()
            try host.result("subscribe", ["topics": ["$/log"]])
            let first = try host.request("didReceive", HostProcess.payload("waits"))
            #expect(try host.notification("$/log")["message"] == "waiting")
            try writeExecutable("#!/bin/sh\n\(try Workspace.script("refuses"))\n", to: "\(bundle)/run")
            let (control, other) = (try setup.connect(to: host), try setup.connect(to: host))
            try control.send("reloadExtensions")
            // The other connection is answered meanwhile; each line of it lets the host read the first one.
            while try other.call("status")["result"]?["requestsInFlight"] != 2 {}
            let second = try host.request("didReceive", HostProcess.payload("waits"))
            #expect(try host.result("ping")["version"] != nil)
            try gate.releaseOne()
            let replies = [try host.reply(), try host.reply()]
            #expect(replies.map { $0["id"] } == [first, second])
            #expect(replies[0]["result"]?["view"]?["text"] == "Hello")
            #expect(replies[1]["error"]?["data"]?["cause"]?["message"] == "not today")
            #expect(try control.next()["result"]?["changed"] == ["com.example.waits"])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A connection whose input has ended gets an answer that waits for the client's commit", .enabled(if: isLinux))
    func behindCommit() throws {
        try ControlSetup.open { setup in
            let host = try setup.host()
            try host.result("saveCustomEvent", ["name": "a"])
            // It could be served meanwhile, so the commit runs beside the event loop.
            let idle = try setup.connect(to: host)
            _ = try idle.call("ping")
            let control = try setup.connect(to: host)
            try control.write(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
            // The host has read the call, whose line has no end yet; the rest comes at once with a save.
            try host.result("ping")
            kill(host.process.pid, SIGSTOP)
            try Processes.wait(for: "the stop") {
                try String(contentsOfFile: "/proc/\(host.process.pid)/stat", encoding: .utf8).contains(") T ")
            }
            try host.request("saveCustomEvent", ["name": "b"])
            control.endInput()
            kill(host.process.pid, SIGCONT)
            #expect(try control.next()["result"] != nil)
            #expect(try host.reply()["result"] == ["id": 2])
            #expect(try idle.call("ping")["result"] != nil)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A call whose connection ends is carried out, and the end of a connection does not end the host")
    func disconnected() throws {
        try ControlSetup.open { setup in
            let host = try setup.host()
            // Loads the bundles, so that a later one is an added one.
            try host.result("extensions")
            try setup.workspace.add("good")
            do {
                let control = try setup.connect(to: host)
                try control.write(#"{"jsonrpc":"2.0","id":1,"method":"reloadExtensions"}"#)
                control.endInput()
                #expect(try control.next()["result"]?["added"] == ["com.example.good"], "a last line without LF counts")
                #expect(try control.readLine() == nil)
            }
            try setup.workspace.add("saves")
            try setup.connect(to: host).send("reloadExtensions")
            try Processes.wait(for: "the reload") {
                try host.result("extensions")["extensions"]?.array?.count == 2
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("The end of input ends the host although control connections are open, one of them with an unread reply")
    func endOfInput() throws {
        try ControlSetup.open { setup in
            let host = try setup.host()
            let idle = try setup.connect(to: host)
            let unread = try setup.connect(to: host)
            #expect(try idle.call("ping")["result"] != nil)
            try unread.send("status")
            #expect(try host.finish() == .code(0))
            #expect(try idle.readLine() == nil)
            #expect(try setup.names() == [])
        }
    }

    @Test("Garbage on a control connection is answered with errors, and the client and other connections are served")
    func garbage() throws {
        try ControlSetup.open { setup in
            let host = try setup.host(["--log-level", "info"])
            let control = try setup.connect(to: host)
            try control.write("garbage\n{}\n[]\n\u{0}\n")
            for code in [-32700, -32600, -32600, -32700] as [JSON] {
                #expect(try control.next()["error"]?["code"] == code)
            }
            try control.write(String(repeating: "x", count: 100_000) + "\n")
            #expect(try control.next()["error"]?["data"]?["reason"] == "lineTooLong")
            // Without an id it is ignored, so the next answer is that of the second line.
            try control.write(#"{"jsonrpc":"2.0","method":"reloadExtensions"}"# + "\n")
            #expect(try control.call("ping")["id"] == "ping")
            #expect(host.process.standardError.contains("sent reloadExtensions without an id; it is ignored"))
            #expect(!host.process.standardError.contains("the bundles were reloaded"))
            #expect(try setup.connect(to: host).call("ping")["result"] != nil)
            #expect(try host.result("ping")["version"] != nil)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A flood from a connection that never reads is not read on, and the client and other connections are served")
    func flood() throws {
        try ControlSetup.open { setup in
            let host = try setup.host()
            let control = try setup.connect(to: host)
            let line = #"{"jsonrpc":"2.0","id":1,"method":"status"}"# + "\n"
            let lines = Array(String(repeating: line, count: 1_000).utf8)
            var (written, refusals) = (0, 0)
            // The replies fill the connection, then the lines do; from then on nothing is accepted in any round.
            while refusals < 20 {
                let count = control.writeSome(lines)
                written += count
                refusals = count == 0 ? refusals + 1 : 0
                #expect(try host.result("ping")["version"] != nil)
                #expect(try setup.connect(to: host).call("ping")["result"] != nil)
                try #require(written < 100 << 20, "the host reads without end")
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("There are at most eight connections: a further one replaces the oldest that waits for nothing")
    func number() throws {
        try ControlSetup.open { setup in
            let gate = try Gate(try setup.workspace.add("waits"))
            let host = try setup.host()
            try host.result("subscribe", ["topics": ["$/log"]])
            try host.request("didReceive", HostProcess.payload("waits"))
            #expect(try host.notification("$/log")["message"] == "waiting")
            let busy = try setup.connect(to: host)
            try busy.send("reloadExtensions")
            let others = try (0..<8).map { _ in
                let control = try setup.connect(to: host)
                #expect(try control.call("ping")["result"] != nil)
                return control
            }
            #expect(try others[0].readLine() == nil)
            for control in others.dropFirst() { #expect(try control.call("ping")["result"] != nil) }
            try gate.releaseOne()
            #expect(try busy.next()["result"] != nil)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "Without free descriptors a connection waits until there are some, and the client is served meanwhile",
        .processesAreListed,
        .needsSuperuser
    )
    func descriptors() throws {
        try ControlSetup.open { setup in
            let host = try setup.host(["--log-level", "notice"])
            func setLimit(_ limit: Int) throws {
                let tool = try Tool(name: "prlimit", package: "util-linux").path()
                let run = try ChildProcess(tool, ["--pid", "\(host.process.pid)", "--nofile=\(limit):"])
                #expect(try run.wait() == .code(0), "\(run.standardError)")
            }
            // The lowest number that is free; with a lower limit poll(2) would not work either.
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.process.pid)/fd")
            let free = try #require((3...).first { !open.contains("\($0)") })
            try setLimit(free)
            let control = try setup.connect(to: host)
            try control.send("ping")
            try Processes.wait(for: "the failure") {
                host.process.standardError.contains("a control connection cannot be accepted: Too many open files")
            }
            #expect(try host.result("ping")["version"] != nil)
            try setLimit(1_024)
            #expect(try control.next()["result"]?["version"] != nil)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "A host that is recorded, in lock-step or told so has no socket, nor have the hosts of other commands",
        arguments: [["--clock", "2026-01-01T00:00:00Z"], ["--seed", "1"], ["--no-control"], ["--record"]]
    )
    func without(options: [String]) throws {
        try ControlSetup.open { setup in
            let file = options == ["--record"] ? ["\(setup.workspace.root)/session"] : []
            let host = try setup.host(options + file)
            #expect(try setup.names() == [])
            #expect(try host.finish() == .code(0))
            let list = ["extensions", "list", "--plugins", setup.workspace.plugins]
            #expect(
                try CommandRun.leavingNothing(list, environment: ["XDG_RUNTIME_DIR": setup.runtime]).status == .code(0)
            )
            #expect(try FileManager.default.contentsOfDirectory(atPath: setup.runtime) == [])
        }
    }
}
