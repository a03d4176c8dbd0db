import Foundation
import JSON
import TestSupport
import Testing

/// The resource limits of extensions that the tests of hostile extensions do not cover.
@Suite(.waits, .wire) struct ExtensionsLimitsTests {
    @Test("Memory that grows over calls is noticed, even if each call is too short to be measured")
    func memory() throws {
        try Workspace.open { workspace in
            try workspace.add("growsMemory")
            let host = try workspace.host(["--extension-memory", "\(128 << 20)"])
            let notification = try host.shown("growsMemory")
            var error: JSON?
            for _ in 0..<4_000 where error == nil {
                error = try host.call("interact", ["notification": notification, "element": "status"])["error"]
            }
            #expect(error?["code"] == 125 || error?["code"] == 111, "\(String(describing: error))")
            var end: String?
            try Processes.wait(for: "its end") {
                end = try host.describe("growsMemory")["ends"]?[0]?["reason"]?.string
                return end != nil
            }
            #expect(try #require(end).contains("MiB of memory, more than its limit of 128 MiB, and was killed"))
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "An extension cannot open more descriptors than its limit, and the system reports the error to it",
        arguments: [16, 64]
    )
    func descriptors(limit: Int) throws {
        try Workspace.open { workspace in
            try workspace.add("hogsDescriptors")
            let host = try workspace.host(["--extension-files", "\(limit)"])
            let result = try host.result("didReceive", HostProcess.payload("hogsDescriptors"))
            let found = try JSON(parsing: try #require(result["view"]?["text"]?.string))
            #expect(found["error"] == .string(String(cString: strerror(EMFILE))))
            #expect(found["opened"] == JSON(limit - 3))
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "An extension that is ended by a signal during a call fails that call only, and the next one is served",
        arguments: ["activate", "didReceive", "didReceiveResponse", "interact", "mediaPlay", "mediaPause"]
    )
    func signals(method: String) throws {
        try Workspace.open { workspace in
            let dying = try Workspace.script("diesBySignal", in: method)
            let script = "if mkdir died 2>/dev/null; then \(dying); fi; \(try Workspace.script("good", in: method))"
            try workspace.add(named: "dies", script: script)
            let host = try workspace.host()
            func call() throws -> JSON {
                guard method != "activate", method != "didReceive" else { return try host.show("dies") }
                var params: [(String, JSON)] = [("notification", try host.shown("dies"))]
                if method == "interact" { params.append(("element", "status")) }
                if method == "didReceiveResponse" { params.append(("actionIdentifier", "again")) }
                return try host.call(method, .object(JSON.Object(params)))
            }
            let error = try call()["error"]
            #expect(error?["code"] == 121)
            #expect(error?["data"]?["signal"] == .integer(Int64(SIGUSR1)))
            #expect(try call()["result"] != nil)
            #expect(try host.result("notifications")["notifications"]?.array?.count == 1)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "An extension that is ended by a signal while it handles a notification is listed in its exit history",
        arguments: ["didDismiss", "deactivate"]
    )
    func signalsInNotifications(method: String) throws {
        try Workspace.open { workspace in
            try workspace.add("diesBySignal", in: method)
            let host = try workspace.host(["--restart-budget", "0"])
            for count in 1...2 {
                let notification = try host.shown("diesBySignal")
                try host.result("dismiss", [notification])
                if method == "deactivate" { try host.result("reloadExtensions", ["force": true]) }
                func ends() throws -> JSON.Array? { try host.describe("diesBySignal")["ends"]?.array }
                try Processes.wait(for: "its end") { try ends()?.count == count }
                #expect(try ends()?.last?["signal"] == .integer(Int64(SIGUSR1)))
                #expect(try host.describe("diesBySignal")["faults"] == 0, "nobody needed it")
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An extension with too many processes is killed with all of them, and the error gives the reason")
    func processes() throws {
        try Workspace.open { workspace in
            let sleepers = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 60 & done;"
            try workspace.add(named: "swarm", script: "\(sleepers) \(try Workspace.script("good"))")
            let enough = try workspace.host(["--extension-processes", "13"])
            _ = try enough.shown("swarm")
            #expect(try enough.result("extensions") != [:])
            #expect(try enough.finish() == .code(0))
            let host = try workspace.host(["--extension-processes", "12"])
            _ = try host.call("didReceive", HostProcess.payload("swarm"))
            var end: String?
            try Processes.wait(for: "its end") {
                end = try host.describe("swarm")["ends"]?[0]?["reason"]?.string
                return end != nil
            }
            #expect(end == "ran more processes than its limit of 12, and was killed")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "The reported memory is that of all processes of an extension, however many",
        .enabled(if: Processes.areListed)
    )
    func memoryOfMany() throws {
        try Workspace.open { workspace in
            let sleepers = "n=0; while [ $n -lt 400 ]; do sleep 60 & n=$((n+1)); done;"
            let folder = try workspace.add(named: "swarm", script: "\(sleepers) \(try Workspace.script("good"))")
            let host = try workspace.host(["--extension-processes", "0", "--extension-memory", "0"])
            _ = try host.shown("swarm")
            // The last of the processes may not have started its program yet, and grow between the two readings.
            try Processes.wait(for: "the memory of every process in the report") {
                let reported = try host.describe("swarm")["memory"]?.integer ?? 0
                let found = try Processes.family(in: folder).reduce(0) { $0 + Processes.residentMemory(of: $1) }
                return found > 0 && Double(reported) > 0.9 * Double(found)
            }
            #expect(try host.finish() == .code(0))
        }
    }
}
