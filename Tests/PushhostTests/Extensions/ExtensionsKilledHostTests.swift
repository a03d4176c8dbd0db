import Foundation
import JSON
import TestSupport
import Testing

/// A host that is killed with SIGKILL leaves nothing behind, whatever its extensions are doing.
@Suite(.waits, .wire, .processesAreListed) struct ExtensionsKilledHostTests {
    /// The states of the extensions: each is in the middle of a call or idle between two.
    private static let busy = [
        "muteCall", "floodsForEver", "burnsProcessor", "stopsForEver", "joinsHostGroup", "multiplies", "daemonises",
        "ignoresTheEnd", "hogsMemoryByDaemon",
    ]

    private func marker(_ host: HostProcess) throws -> String {
        let environment = Processes.environment(of: try host.pid(of: "good"))
        return try #require(environment.first { $0.hasPrefix("PUSHHOST_HOST=") })
    }

    private func killAndWait(_ host: HostProcess, _ workspace: Workspace, marker: String) throws {
        let guardian = try Processes.awaitGuardian(of: host.process.pid)
        let keepers = try Processes.keepers(of: host.process.pid)
        host.process.kill(SIGKILL)
        #expect(try host.process.wait() == .signal(SIGKILL))
        try Processes.wait(for: "the end of all that it started") {
            try Processes.family(in: workspace.root, marker: marker) == []
        }
        try Processes.wait(for: "the end of the guardian") { !Processes.isRunning(guardian) }
        try Processes.wait(for: "the end of the keepers") { !keepers.contains(where: Processes.isRunning) }
    }

    @Test(
        "If the host is killed, busy extensions, their children, daemons and processes that ignore signals end too",
        arguments: [[], ["--no-sandbox"]]
    )
    func underLoad(options: [String]) throws {
        try Workspace.open { workspace in
            for name in ["good"] + Self.busy { try workspace.add(name) }
            let host = try workspace.host(["--call-deadline", "60000", "--extension-memory", "0"] + options)
            _ = try host.shown("good")
            let marker = try marker(host)
            for name in Self.busy { try host.request("didReceive", HostProcess.payload(name)) }
            // 10 extensions, 30 children, 2 daemons.
            try Processes.wait(for: "all of them") {
                try Processes.family(in: workspace.root, marker: marker).count >= 42
            }
            try killAndWait(host, workspace, marker: marker)
        }
    }

    @Test(
        "If the guardian alone is killed, another one replaces it without any effect on calls, and does its work",
        arguments: [[], ["--no-sandbox"]]
    )
    func guardian(options: [String]) throws {
        try Workspace.open { workspace in
            for name in ["good", "multiplies", "daemonises"] { try workspace.add(name) }
            let host = try workspace.host(options)
            for name in ["good", "multiplies"] { _ = try host.shown(name) }
            let (pid, marker) = (try host.pid(of: "good"), try marker(host))
            for _ in 0..<3 {
                let guardian = try Processes.awaitGuardian(of: host.process.pid)
                kill(guardian, SIGKILL)
                try Processes.wait(for: "another guardian") {
                    try Processes.guardian(of: host.process.pid).map { $0 != guardian } ?? false
                }
            }
            #expect(try host.show("good")["result"] != nil)
            #expect(try host.pid(of: "good") == pid)
            _ = try host.shown("daemonises")
            try killAndWait(host, workspace, marker: marker)
        }
    }

    @Test(
        "Without a sandbox a daemon with an empty environment, which cannot be traced, is killed while its extension runs"
    )
    func bareDaemon() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let daemon = "env -i setsid sleep 60 & echo $! > daemon"
            let folder = try workspace.add(named: "bare", script: "(\(daemon)); \(try Workspace.script("muteCall"))")
            // On a busy machine it may take longer than a call may.
            let deadlines = ["--call-deadline", "300000", "--activate-deadline", "300000"]
            let host = try workspace.host(["--no-sandbox"] + deadlines)
            _ = try host.shown("good")
            let marker = try marker(host)
            try host.request("didReceive", HostProcess.payload("bare"))
            try Processes.wait(for: "the daemon's number") {
                (try? String(contentsOfFile: "\(folder)/daemon", encoding: .utf8))?.hasSuffix("\n") == true
            }
            let text = try String(contentsOfFile: "\(folder)/daemon", encoding: .utf8)
            let pid = try #require(Int32(text.trimmingCharacters(in: .newlines)))
            try Processes.wait(for: "the end of the daemon") { !Processes.isRunning(pid) }
            // It may not have answered activate yet when its daemon has ended.
            try Processes.wait(for: "its extension, which lives") { try host.describe("bare")["state"] == "ready" }
            try killAndWait(host, workspace, marker: marker)
        }
    }

    @Test(
        "Simultaneous signals end the host once, even while an extension starts",
        arguments: ["muteActivate", "good"]
    )
    func twoSignals(behaviour: String) throws {
        try Workspace.open { workspace in
            try workspace.add(behaviour)
            let host = try workspace.host(["--stop-grace", "300"])
            try host.request("didReceive", HostProcess.payload(behaviour))
            try Processes.wait(for: "the start") { try host.describe(behaviour)["pid"] != nil }
            let pid = try host.pid(of: behaviour)
            for signal in [SIGTERM, SIGINT, SIGTERM] { host.process.kill(signal) }
            let status = try host.process.wait()
            #expect([.code(128 + SIGTERM), .code(128 + SIGINT)].contains(status), "\(status)")
            #expect(!Processes.isRunning(pid))
        }
    }
}
