import Foundation
import JSON
import TestSupport
import Testing

/// Signals that suspend an extension's process, above all SIGSTOP, are noticed, reported and reversed.
@Suite(.waits, .wire, .processesAreListed) struct ExtensionsStopsTests {
    private func touch(_ notification: JSON) -> JSON { ["notification": notification, "element": "status"] }

    private func waitForState(_ state: JSON, of name: String, _ host: HostProcess) throws {
        try Processes.wait(for: "\(name) to be \(state)") { try host.describe(name)["state"] == state }
    }

    /// The reasons of diagnostics, without that of the text that the tests touch.
    private func reasons(_ result: JSON?) -> [JSON?] {
        result?["diagnostics"]?.array?.map { $0["reason"] }.filter { $0 != "touchedLabel" } ?? []
    }

    @Test("An extension that is suspended during a call is continued at once, and the reply says so")
    func duringCall() throws {
        try Workspace.open { workspace in
            let gate = try Gate(try workspace.add("waits"))
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["$/log"]])
            try host.request("didReceive", HostProcess.payload("waits"))
            #expect(try host.notification("$/log")["message"] == "waiting")
            let pid = try host.pid(of: "waits")
            kill(pid, SIGSTOP)
            try Processes.wait(for: "the host to let it go on") {
                host.process.standardError.contains("was continued")
            }
            #expect(try host.describe("waits")["state"] == "ready")
            try gate.releaseOne()
            let result = try host.reply()["result"]
            #expect(reasons(result) == ["extensionWasStopped"])
            #expect(result?["diagnostics"]?[0]?["message"]?.string?.contains("com.example.waits") == true)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An extension that is suspended between calls is reported as suspended, and each next call works")
    func betweenCalls() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
            let notification = try host.shown("good")
            let pid = try host.pid(of: "good")
            for _ in 1...5 {
                kill(pid, SIGSTOP)
                try waitForState("suspended", of: "good", host)
                let description = try host.describe("good")["stateDescription"]?.string
                #expect(description?.contains("stopped") == true)
                let result = try host.result("interact", touch(notification))
                #expect(result["view"]?["title"] == "touched")
                #expect(reasons(result) == ["extensionWasStopped"])
                #expect(try host.describe("good")["state"] == "ready")
            }
            #expect(try host.pid(of: "good") == pid)
            #expect(try host.describe("good")["faults"] == 0)
            #expect(reasons(try host.result("interact", touch(notification))) == [])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An extension that something else continues is ready again, and nothing is reported")
    func undone() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
            let notification = try host.shown("good")
            let pid = try host.pid(of: "good")
            kill(pid, SIGSTOP)
            try waitForState("suspended", of: "good", host)
            kill(pid, SIGCONT)
            try waitForState("ready", of: "good", host)
            #expect(reasons(try host.result("interact", touch(notification))) == [])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An extension that keeps suspending itself misses its deadline, and the next call starts another process")
    func forEver() throws {
        try Workspace.open { workspace in
            let script = """
                if mkdir stopped 2>/dev/null; then \(try Workspace.script("stopsForEver")); fi
                \(try Workspace.script("good"))
                """
            try workspace.add(named: "stops", script: script)
            let host = try workspace.host(["--call-deadline", "1000"])
            let error = try host.show("stops")["error"]
            #expect(error?["code"] == 122)
            #expect(error?["message"]?.string?.hasSuffix("a signal keeps it stopped") == true)
            #expect(try host.show("stops")["result"] != nil)
            let description = try host.describe("stops")
            #expect(description["starts"] == 2)
            #expect(description["ends"]?[0]?["signal"] == 9)
            #expect(description["ends"]?[0]?["reason"]?.string?.contains("a signal keeps it stopped") == true)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An extension that is suspended while it starts is continued")
    func whileStarting() throws {
        try Workspace.open { workspace in
            try workspace.add("stopsItself", in: "activate")
            let host = try workspace.host()
            let result = try host.result("didReceive", HostProcess.payload("stopsItself"))
            #expect(reasons(result) == ["extensionWasStopped"])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A suspended extension exits when asked: at a reload, at the end of input, at a signal to the host")
    func ending() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
            for signal: Int32? in [nil, SIGTERM] {
                _ = try host.shown("good")
                let pid = try host.pid(of: "good")
                kill(pid, SIGSTOP)
                try waitForState("suspended", of: "good", host)
                if let signal {
                    host.process.kill(signal)
                    #expect(try host.process.wait() == .code(128 + signal))
                    #expect(!Processes.isRunning(pid))
                } else {
                    try host.result("reloadExtensions", ["force": true])
                    try Processes.wait(for: "its end") { try host.describe("good")["ends"]?[0] != nil }
                    let end = try host.describe("good")["ends"]?[0]
                    #expect(end?["exitCode"] == 0, "it left by itself")
                    #expect(end?["reason"] == "its bundle was reloaded")
                    #expect(end?["cause"] == "bundleReloaded")
                }
            }
        }
    }
}
