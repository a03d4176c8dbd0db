import Foundation
import JSON
import TestSupport
import Testing

/// What `extensions` and `status` report about an extension's process.
@Suite(.waits, .wire, .processesAreListed) struct ExtensionsStatusTests {
    @Test("State, counters, times, bytes and memory are right before, during and after an extension's process")
    func life() throws {
        try Workspace.open { workspace in
            let gate = try Gate(try workspace.add("waits"))
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["$/log"]])
            let before = try host.describe("waits")
            #expect(before["state"] == "idle")
            #expect(before["starts"] == 0)
            for name in ["pid", "ends", "p50", "memory"] { #expect(before[name] == nil) }

            try host.request("didReceive", HostProcess.payload("waits"))
            try host.request("didReceive", HostProcess.payload("waits"))
            #expect(try host.notification("$/log")["message"] == "waiting")
            let during = try host.describe("waits")
            #expect(during["state"] == "ready")
            #expect(during["stateDescription"] == "the process takes calls")
            #expect(during["callsInFlight"] == 2)
            #expect(during["callsWaiting"] == 1)
            #expect(during["callsAnswered"] == 0)
            #expect(Processes.isRunning(Int32(try #require(during["pid"]?.integer))))
            #expect((1 << 20...512 << 20).contains(try #require(during["memory"]?.integer)))
            let status = try host.result("status")
            #expect(status["extensionsRunning"] == 1)
            #expect(status["requestsInFlight"] == 2)

            for _ in 0..<2 { try gate.releaseOne() }
            for _ in 0..<2 { #expect(try host.reply()["result"] != nil) }
            let after = try host.describe("waits")
            #expect(after["callsInFlight"] == 0)
            #expect(after["callsAnswered"] == 2)
            #expect(after["callsFailed"] == 0)
            #expect(after["presentations"] == 2)
            let times = (after["p50"]?.number ?? -1, after["p99"]?.number ?? -1)
            #expect(times.0 > 0)
            #expect(times.0 <= times.1)
            #expect(try #require(after["activationMilliseconds"]?.integer) >= 0)
            #expect(try #require(after["bytesWritten"]?.integer) > 100)
            #expect(try #require(after["bytesRead"]?.integer) > 100)
            #expect(try host.result("status")["presentations"] == 2)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An extension that is starting or stopping reports that state, with a sentence")
    func between() throws {
        try Workspace.open { workspace in
            for name in ["muteActivate", "ignoresTheEnd"] { try workspace.add(name) }
            let host = try workspace.host([
                "--idle-stop", "50", "--activate-deadline", "60000", "--stop-grace", "60000",
            ])
            try host.request("didReceive", HostProcess.payload("muteActivate"))
            try Processes.wait(for: "the start") { try host.describe("muteActivate")["pid"] != nil }
            let starting = try host.describe("muteActivate")
            #expect(starting["state"] == "activating")
            #expect(starting["stateDescription"]?.string?.contains("has not answered activate yet") == true)

            let notification = try host.shown("ignoresTheEnd")
            try host.result("dismiss", [notification])
            try Processes.wait(for: "the stop") { try host.describe("ignoresTheEnd")["state"] == "stopping" }
            let stopping = try host.describe("ignoresTheEnd")
            #expect(stopping["stateDescription"] == "the process was asked to stop")
            for name in ["muteActivate", "ignoresTheEnd"] { kill(try host.pid(of: name), SIGKILL) }
            #expect(try host.reply()["error"]?["data"]?["signal"] == 9)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("The reported processor time equals what the system counts for the process")
    func processorTime() throws {
        try Workspace.open { workspace in
            let work = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; "
            try workspace.add(named: "good", script: work + (try Workspace.script("good")))
            let host = try workspace.host()
            _ = try host.shown("good")
            let pid = try host.pid(of: "good")
            let before = try Processes.processorTime(of: pid)
            let reported = try #require(try host.describe("good")["processorTime"]?.integer)
            let after = try Processes.processorTime(of: pid)
            #expect(before > 0)
            #expect((before...after).contains(reported))
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Each exit has its reason and its code or signal, and the latest ten are kept")
    func ends() throws {
        try Workspace.open { workspace in
            for name in ["good", "exitsInCall", "diesBySignal", "closesOutput", "ignoresDeactivate"] {
                try workspace.add(name)
            }
            let options = ["--idle-stop", "50", "--stop-grace", "300", "--restart-budget", "100"]
            let host = try workspace.host(options)
            func end(of name: String) throws -> JSON {
                try Processes.wait(for: "the end of \(name)") { try host.describe(name)["state"] == "idle" }
                return try #require(try host.describe(name)["ends"]?.array?.last)
            }
            for name in ["good", "ignoresDeactivate"] {
                let notification = try host.shown(name)
                let pid = try host.pid(of: name)
                try host.result("dismiss", [notification])
                let end = try end(of: name)
                #expect(end["reason"] == "it was unused for 50 ms")
                #expect(end["cause"] == "unused")
                #expect(end["pid"] == .integer(Int64(pid)))
                #expect(end[name == "good" ? "exitCode" : "signal"] == (name == "good" ? 0 : 15))
                #expect(try host.describe(name)["faults"] == 0)
            }
            for _ in 0..<12 { #expect(try host.show("exitsInCall")["error"] != nil) }
            let crash = try end(of: "exitsInCall")
            #expect(crash["reason"] == "exited with code 3")
            #expect(crash["cause"] == "extensionExited")
            #expect(crash["exitCode"] == 3)
            #expect(crash["date"]?.string?.hasSuffix("Z") == true)
            let crashes = try host.describe("exitsInCall")
            #expect(crashes["ends"]?.array?.count == 10)
            #expect(crashes["starts"] == 12)
            #expect(crashes["callsFailed"] == 12)
            #expect(crashes["stderr"]?.string?.hasSuffix("fatal: a card is missing\n") == true)
            #expect(try host.show("diesBySignal")["error"] != nil)
            #expect(try end(of: "diesBySignal")["signal"] == .integer(Int64(SIGUSR1)))
            #expect(try host.show("closesOutput")["error"] != nil)
            let kill = try end(of: "closesOutput")
            #expect(kill["reason"] == "closed its stdout without ending and was stopped")
            #expect(kill["cause"] == "extensionMisbehaved")
            #expect(kill["signal"] == 9)
            #expect(try host.result("status")["extensionFaults"] == 14)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A line that an extension writes on its stderr is passed to those who subscribed to that, before its answer")
    func errorLine() throws {
        try Workspace.open { workspace in
            try workspace.add("refuses")
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["$/stderr"]])
            #expect(try host.show("refuses")["error"]?["code"] == 123)
            #expect(host.notifications.contains { $0["params"]?["line"] == "it is raining" })
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A call that arrives while the process is stopping is served by the next process")
    func idleStops() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host(["--idle-stop", "1"])
            for _ in 0..<40 {
                let notification = try host.shown("good")
                #expect(try host.result("dismiss", [notification])["dismissed"] == true)
            }
            #expect(try host.describe("good")["faults"] == 0)
            #expect(try host.finish() == .code(0))
        }
    }
}
