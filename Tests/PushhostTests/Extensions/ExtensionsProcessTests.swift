import Foundation
import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct ExtensionsProcessTests {
    @Test("The system's descriptor limit fails the call with an error, and calls succeed again below the limit")
    func descriptorLimit() throws {
        try Workspace.open { workspace in
            for index in 0..<12 {
                let program = try builtProduct("hostile-extension")
                try workspace.add(named: "good\(index)", script: "exec '\(program)' good")
            }
            let script = "ulimit -n 32; exec \(quoted(try hostCommand(workspace.arguments())))"
            let host = try ChildProcess("sh", ["-c", script])
            var codes: [Int64?] = []
            for index in 0..<12 {
                let call: JSON = ["jsonrpc": "2.0", "id": JSON(index), "method": "didReceive"]
                var members = call.object.map(Array.init) ?? []
                members.append(("params", HostProcess.payload("good\(index)")))
                try host.write(line: JSON.object(JSON.Object(members)).description)
                let reply = try JSON(parsing: try #require(try host.readLine()))
                codes.append(reply["error"]?["code"]?.integer)
            }
            #expect(codes.first == Int64?.none)
            #expect(codes.last == 120)
            host.closeInput()
            #expect(try host.wait() == .code(0))
        }
    }

    @Test(
        "A child process of an extension that exits is killed with it, also if it left the process group",
        .processesAreListed,
        arguments: ["grandchild", "escapedGrandchild"],
        [[], ["--no-sandbox"]]
    )
    func grandchild(behaviour: String, options: [String]) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(behaviour)
            try workspace.add("good")
            let host = try workspace.host(options)
            _ = try host.shown("good")
            let error = try host.show(behaviour)["error"]
            #expect(error?["code"] == 121)
            #expect(error?["data"]?["exitCode"] == 6)
            #expect(FileManager.default.fileExists(atPath: "\(folder)/grandchild"))
            try Processes.wait(for: "the end of the child's child") { try Processes.family(in: folder) == [] }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "No extension process is left after the host exits",
        .processesAreListed,
        arguments: [nil, SIGTERM, SIGINT, SIGKILL],
        ["good", "muteCall", "ignoresTheEnd"]
    )
    func end(signal: Int32?, behaviour: String) throws {
        try Workspace.open { workspace in
            try workspace.add(behaviour)
            let host = try workspace.host(["--call-deadline", "1000", "--stop-grace", "300"])
            try host.request("didReceive", HostProcess.payload(behaviour))
            try host.request("ping")
            // The first reply shows that the call was received; the process runs from then on.
            let reply = try host.reply()
            #expect(reply["result"] != nil)
            let pid = try host.pid(of: behaviour)
            if let signal {
                host.process.kill(signal)
                let wanted: ChildProcess.Status = signal == SIGKILL ? .signal(signal) : .code(128 + signal)
                #expect(try host.process.wait() == wanted)
            } else {
                #expect(try host.finish() == .code(0))
            }
            if signal == SIGKILL {
                try Processes.wait(for: "the end of the orphan") { !Processes.isRunning(pid) }
            }
            #expect(!Processes.isRunning(pid))
        }
    }

    @Test("shutdown stops the extensions before it is answered", .processesAreListed)
    func shutdown() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
            _ = try host.shown("good")
            let pid = try host.pid(of: "good")
            #expect(try host.result("shutdown") == .null)
            #expect(try host.process.wait() == .code(0))
            #expect(!Processes.isRunning(pid))
        }
    }

    @Test("The time after which an unused extension stops begins when its last presentation ends")
    func idleTime() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host(["--idle-stop", "500"])
            let notification = try host.shown("good")
            let end = ContinuousClock.now + .milliseconds(500)
            try Processes.wait(for: "more time than that") { .now > end }
            let start = ContinuousClock.now
            try host.result("dismiss", [notification])
            try Processes.wait(for: "its end") { try host.describe("good")["state"] == "idle" }
            #expect(.now - start > .milliseconds(400))
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Waiting calls beyond a limit are refused, and each one is answered")
    func busy() throws {
        try Workspace.open { workspace in
            let gate = try Gate(try workspace.add("waits"))
            let host = try workspace.host()
            let count = 1_100
            for _ in 0..<count { try host.request("didReceive", HostProcess.payload("waits")) }
            for _ in 0..<count { try gate.releaseOne() }
            let replies = try (0..<count).map { _ in try host.reply() }
            let refused = replies.filter { $0["error"] != nil }
            #expect(refused.allSatisfy { $0["error"]?["code"] == 126 && $0["error"]?["data"]?["reason"] == "busy" })
            #expect((1...count - 1_024).contains(refused.count))
            #expect(Set(replies.compactMap { $0["id"]?.integer }).count == count)
        }
    }
}
