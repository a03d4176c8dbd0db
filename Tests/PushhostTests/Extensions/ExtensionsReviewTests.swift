import Foundation
import JSON
import TestSupport
import Testing

/// Regression tests for the findings of a review.
@Suite(.waits, .wire) struct ExtensionsReviewTests {
    @Test("The host does not kill a child that its process had before it became the host", .processesAreListed)
    func foreignChild() throws {
        try Workspace.open { workspace in
            try workspace.add("exitsInCall")
            let command = quoted(try hostCommand(workspace.arguments()))
            let host = try ChildProcess("sh", ["-c", "sleep 60 & echo $!; exec \(command)"])
            let foreigner = try #require(try host.readLine().flatMap { Int32($0) })
            defer { kill(foreigner, SIGKILL) }
            for id in 1...2 {
                let params = HostProcess.payload("exitsInCall").description
                try host.write(line: #"{"jsonrpc":"2.0","id":\#(id),"method":"didReceive","params":\#(params)}"#)
                #expect(try host.readLine()?.contains("exited with code 3") == true)
            }
            #expect(Processes.isRunning(foreigner))
            host.closeInput()
            #expect(try host.wait() == .code(0))
            #expect(Processes.isRunning(foreigner))
        }
    }

    @Test("Notifications after a reload go to the newly loaded service extension")
    func serviceBehindReload() throws {
        try Workspace.open { workspace in
            let script = "exec '\(try builtProduct("kit-service"))'"
            try workspace.add(named: "service", point: ServiceWorkspace.point, script: script)
            let host = try workspace.host()
            let aps: JSON = ["alert": ["title": "plain"], "mutable-content": 1]
            let payload: JSON = ["payload": ["aps": aps, "way": "unchanged"]]
            let ids = [
                try host.request("didReceive", payload), try host.request("reloadExtensions", ["force": true]),
                try host.request("didReceive", payload), try host.request("didReceive", payload),
            ]
            let replies = try ids.map { _ in try host.reply() }
            for id in [ids[0], ids[2], ids[3]] {
                let result = replies.first { $0["id"] == id }?["result"]
                let reasons = result?["diagnostics"]?.array?.map { $0["reason"]?.string } ?? []
                #expect(result != nil, "\(replies)")
                #expect(!reasons.contains("serviceFailed"), "\(replies)")
            }
            #expect(try host.describe("service")["starts"] == 2)
        }
    }

    @Test("A reload reports that a folder given as an option is gone")
    func missingFolder() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
            _ = try host.shown("good")
            try FileManager.default.removeItem(atPath: workspace.plugins)
            let reload = try host.result("reloadExtensions")
            #expect(reload["removed"] == ["com.example.good"])
            #expect(reload["problems"]?[0]?["message"]?.string?.contains("cannot be read") == true, "\(reload)")
        }
    }

    @Test("The executable may be a symbolic link within the bundle")
    func link() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(
                named: "linked",
                script: "exec '\(try builtProduct("hostile-extension"))' good"
            )
            try FileManager.default.moveItem(atPath: "\(folder)/run", toPath: "\(folder)/main.sh")
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/run", withDestinationPath: "main.sh")
            let host = try workspace.host()
            #expect(try host.show("linked")["result"]?["extension"] == "com.example.linked")
        }
    }

    @Test("A host notices signals that its parent blocked", .enabled(if: isLinux))
    func blockedSignals() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder, under: ["env", "--block-signal=TERM"])
            #expect(try host.result("ping")["version"] != nil)
            host.kill(SIGTERM)
            #expect(try host.wait() == .code(128 + SIGTERM))
        }
    }

    @Test("A host whose input cannot be read fails")
    func unreadableInput() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder, under: ["sh", "-c", #"exec "$@" < /"#, "sh"])
            #expect(try host.wait() == .code(74))
        }
    }

    @Test("A second signal ends a host whose extension does not exit")
    func secondSignal() throws {
        try Workspace.open { workspace in
            try workspace.add("ignoresTheEnd")
            let host = try workspace.host(["--stop-grace", "60000"])
            _ = try host.shown("ignoresTheEnd")
            kill(host.process.pid, SIGTERM)
            try Processes.wait(for: "the end of the host") {
                kill(host.process.pid, SIGTERM)
                return !Processes.isRunning(host.process.pid)
            }
            #expect(try host.process.wait() == .code(128 + SIGTERM))
        }
    }
}
