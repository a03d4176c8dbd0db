import Foundation
import JSON
import TestSupport
import Testing

/// What `reloadExtensions` detects and what it leaves unchanged.
@Suite(.waits, .wire) struct ExtensionsReloadTests {
    private func names(_ names: String...) -> JSON { JSON(names.map { .string("com.example.\($0)") }) }

    /// Replaces a bundle's behaviour.
    private func replace(_ folder: String, by behaviour: String) throws {
        try writeExecutable("#!/bin/sh\n\(try Workspace.script(behaviour))\n", to: "\(folder)/run")
    }

    @Test("A reload reports which bundles were added, changed and removed, and the problems of each")
    func changes() throws {
        try Workspace.open { workspace in
            for name in ["good", "saves"] { try workspace.add(name) }
            let host = try workspace.host()
            #expect(try host.result("didReceive", HostProcess.payload("late"))["extension"] == JSON.null)
            try workspace.add(named: "late", script: try Workspace.script("good"))
            // A changed property list counts although no process of the bundle is running.
            try workspace.add("good", attributes: ["UNNotificationExtensionInitialContentSizeRatio": 0.5])
            try FileManager.default.removeItem(atPath: "\(workspace.plugins)/saves")
            let result = try host.result("reloadExtensions")
            #expect(result["added"] == names("late"))
            #expect(result["changed"] == names("good"))
            #expect(result["removed"] == names("saves"))
            #expect(result["extensions"] == 2)
            #expect(result["problems"] == [])
            #expect(try host.result("didReceive", HostProcess.payload("late"))["extension"] == "com.example.late")
            #expect(try host.result("didReceive", HostProcess.payload("saves"))["extension"] == JSON.null)
            let shown = try host.result("didReceive", HostProcess.payload("good"))
            #expect(shown["layout"]?["initialContentSizeRatio"] == 0.5)
            let again = try host.result("reloadExtensions")
            for kind in ["added", "changed", "removed"] { #expect(again[kind] == []) }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "A reload ends the presentations of a changed bundle with a notice, and an unchanged bundle keeps running",
        .processesAreListed
    )
    func presentations() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("changesBundle")
            try workspace.add("good")
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["didDismiss"]])
            let kept = try host.shown("good")
            // It changes a file in its own bundle that is neither a property list nor its executable.
            let lost = try host.shown("changesBundle")
            let pids = try [host.pid(of: "good"), host.pid(of: "changesBundle")]
            #expect(try host.result("reloadExtensions")["changed"] == names("changesBundle"))
            let end = try host.notification("didDismiss")
            #expect(end["notification"] == lost)
            #expect(end["reason"] == "com.example.changesBundle was reloaded")
            let list = try host.result("notifications")["notifications"]?.array?.map { $0["notification"] }
            #expect(list == [kept])
            let error = try host.call("interact", ["notification": lost, "element": "status"])["error"]
            #expect(error?["data"]?["ended"] == "com.example.changesBundle was reloaded")
            #expect(try host.result("interact", ["notification": kept, "element": "status"])["view"] != nil)
            #expect(try host.pid(of: "good") == pids[0])
            try Processes.wait(for: "the end of the old process") { !Processes.isRunning(pids[1]) }
            try replace(folder, by: "good")
            try host.result("reloadExtensions")
            _ = try host.shown("changesBundle")
            #expect(try host.describe("changesBundle")["starts"] == 2)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A call in flight across a reload is finished by the old executable, and a later call goes to the new one")
    func inFlight() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("waits")
            let gate = try Gate(folder)
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["$/log", "didDismiss"]])
            let first = try host.request("didReceive", HostProcess.payload("waits"))
            #expect(try host.notification("$/log")["message"] == "waiting")
            try replace(folder, by: "refuses")
            let reload = try host.request("reloadExtensions")
            let second = try host.request("didReceive", HostProcess.payload("waits"))
            #expect(try host.result("ping")["version"] != nil, "the reload holds nobody else up")
            try gate.releaseOne()
            let replies = try (0..<3).map { _ in try host.reply() }
            #expect(replies.compactMap { $0["id"] } == [first, reload, second])
            #expect(replies[0]["result"]?["view"]?["text"] == "Hello")
            #expect(replies[1]["result"]?["changed"] == names("waits"))
            #expect(replies[2]["error"]?["data"]?["cause"]?["message"] == "not today")
            #expect(try host.notification("didDismiss")["notification"] == replies[0]["result"]?["notification"])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("After an executable is replaced twice in quick succession, the next call uses the newest one")
    func replacedTwice() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("good")
            let host = try workspace.host()
            for round in 1...2 {
                _ = try host.shown("good")
                for behaviour in ["badMedia", "badView"] { try replace(folder, by: behaviour) }
                #expect(try host.result("reloadExtensions")["changed"] == names("good"), "round \(round)")
                #expect(try host.show("good")["error"]?["code"] == 124)
                // A file of the same size as the running executable.
                try replace(folder, by: "refuses")
                #expect(try host.result("reloadExtensions")["changed"] == names("good"), "round \(round)")
                #expect(try host.show("good")["error"]?["code"] == 123)
                try replace(folder, by: "good")
                try host.result("reloadExtensions")
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A property list that becomes invalid is reported, its bundle's presentations end, and the session continues")
    func broken() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("saves")
            try workspace.add("good")
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["didDismiss"]])
            let kept = try host.shown("good")
            let lost = try host.shown("saves")
            try Data("<plist".utf8).write(to: URL(filePath: "\(folder)/Info.plist"))
            let result = try host.result("reloadExtensions")
            #expect(result["removed"] == names("saves"))
            #expect(result["problems"]?.array?.count == 1)
            #expect(result["problems"]?[0]?["path"]?.string?.hasSuffix("/saves/Info.plist") == true)
            #expect(result["problems"]?[0]?["message"]?.string?.contains("property list") == true)
            #expect(try host.notification("didDismiss")["notification"] == lost)
            #expect(try host.result("interact", ["notification": kept, "element": "status"])["view"] != nil)
            #expect(try host.result("didReceive", HostProcess.payload("saves"))["extension"] == JSON.null)
            try workspace.add("saves")
            #expect(try host.result("reloadExtensions")["added"] == names("saves"))
            _ = try host.shown("saves")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A reload with force restarts all extensions, and force must be a boolean", .processesAreListed)
    func forced() throws {
        try Workspace.open { workspace in
            for name in ["good", "saves"] { try workspace.add(name) }
            let host = try workspace.host()
            for name in ["good", "saves"] { _ = try host.shown(name) }
            let old = try host.pid(of: "good")
            #expect(try host.call("reloadExtensions", ["force": 1])["error"]?["data"]?["path"] == "/params/force")
            #expect(try host.result("reloadExtensions", ["force": false])["changed"] == [])
            #expect(try host.result("reloadExtensions", ["force": true])["changed"] == names("good", "saves"))
            #expect(try host.result("notifications")["notifications"] == [])
            _ = try host.shown("good")
            #expect(try host.pid(of: "good") != old)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A reload after a call that hangs waits for that call's deadline and no longer")
    func behindHang() throws {
        try Workspace.open { workspace in
            try workspace.add("muteCall")
            let host = try workspace.host(["--call-deadline", "1000"])
            let ids = [
                try host.request("didReceive", HostProcess.payload("muteCall")),
                try host.request("reloadExtensions", ["force": true]),
                try host.request("didReceive", HostProcess.payload("muteCall")),
            ]
            let ping = try host.request("ping")
            let replies = try (0..<4).map { _ in try host.reply() }
            #expect(replies.compactMap { $0["id"] } == [ping] + ids)
            #expect(replies[1]["error"]?["code"] == 122)
            #expect(replies[2]["result"]?["changed"] == names("muteCall"))
            #expect(replies[3]["error"]?["code"] == 122)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "In a pipelined session a reload runs in order, and the end of input after it ends the host",
        .processesAreListed
    )
    func pipelined() throws {
        try HostileWorkspace.open(prepare: { try $0.add("ignoresTheEnd") }) { workspace in
            let host = workspace.host
            var ids: [JSON] = []
            for force in [true, false, true] {
                for name in ["good", "ignoresTheEnd"] {
                    ids.append(try host.request("didReceive", HostProcess.payload(name)))
                }
                ids.append(try host.request("reloadExtensions", ["force": .bool(force)]))
            }
            host.process.closeInput()
            let replies = try ids.map { _ in try host.reply() }
            #expect(replies.allSatisfy { $0["result"] != nil }, "\(replies)")
            for part in 0..<3 {
                let part = 3 * part..<3 * part + 3
                #expect(Set(replies[part].compactMap { $0["id"]?.integer }) == Set(ids[part].compactMap(\.integer)))
                #expect(replies[part].last?["result"]?["changed"] != nil)
            }
            try workspace.finish()
        }
    }
}
