import Foundation
import JSON
import TestSupport
import Testing

/// What the host does while a commit runs beside its event loop.
@Suite(.waits, .wire, .processesAreListed) struct BackgroundCommitTests {
    @Test("While a client's commit waits for the disk, another client is answered", .enabled(if: isLinux))
    func otherClient() throws {
        try ControlSetup.open { setup in
            let folder = setup.workspace.root
            // The suite's file exists, so that the next host syncs nothing before its first commit.
            let first = try startHost(folder, unchecked: "only its file is needed")
            try first.write(save(0).utf8)
            #expect(try first.reply()["result"] != nil)
            try first.finish()
            // Every sync of this host waits much longer than the test takes.
            let strace = [
                "env", "XDG_RUNTIME_DIR=\(setup.runtime)", try Tool(name: "strace", package: "strace").path(), "-f",
                "-qq", "-e", "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=600000000", "-o", "/dev/null",
            ]
            let host = try startHost(folder, under: strace, unchecked: "it accepts control connections")
            // After the second reply the control socket is open.
            for _ in 1...2 { #expect(try host.result("ping")["version"] != nil) }
            let name = try #require(try setup.names().first { $0.hasSuffix(".sock") })
            let control = try UnixConnection("\(setup.folder)/\(name)")
            #expect(try control.call("ping")["result"] != nil)
            try host.write(save(1).utf8)
            let log = "\(folder)/data/standard.sqlite-wal"
            try Processes.wait(for: "the commit") { try fileSize(log) > 0 }
            let written = try fileSize(log)
            for _ in 0..<10 { #expect(try control.call("ping")["result"] != nil) }
            // It reads suites, so that it waits for the commit; the others do not wait for it.
            let waiting = try UnixConnection("\(setup.folder)/\(name)")
            try waiting.write(line(1, "status"))
            for _ in 0..<10 { #expect(try control.call("ping")["result"] != nil) }
            #expect(try fileSize(log) == written, "the commit still waits")
            let pid = try #require(try Processes.children(of: host.pid).first)
            try Processes.wait(for: "the end after a second signal") {
                kill(pid, SIGTERM)
                return !Processes.isRunning(pid)
            }
            // strace still delays the sync of the process that has ended.
            host.kill(SIGKILL)
            #expect(try host.remainingReplies() == [], "the save was not answered before its sync")
        }
    }

    @Test("While the file of delivered records waits for the disk, clients are answered", .enabled(if: isLinux))
    func file() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/data/delivered.jsonl"
            try FileManager.default.createDirectory(atPath: "\(folder)/data", withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: file))
            // Every sync of this file waits much longer than the test takes.
            let strace = [
                try Tool(name: "strace", package: "strace").path(), "-f", "-qq", "-P", file, "-e", "trace=fsync", "-e",
                "inject=fsync:delay_enter=600000000", "-o", "/dev/null",
            ]
            let host = try startHost(folder, under: strace, unchecked: "its flush does not end")
            try host.write(save(0).utf8)
            #expect(try host.reply()["result"] != nil)
            try host.write(line(7, "flushPending", #"{"to":"file"}"#).utf8)
            try Processes.wait(for: "the record") { try fileSize(file) > 0 }
            for _ in 0..<10 { #expect(try host.result("ping")["version"] != nil) }
            let pid = try #require(try Processes.children(of: host.pid).first)
            try Processes.wait(for: "the end after a second signal") {
                kill(pid, SIGTERM)
                return !Processes.isRunning(pid)
            }
            host.kill(SIGKILL)
            let answers = try host.remainingReplies()
            // It may say that the host is stopping.
            let answered = answers.contains { $0["id"] == 7 && $0["result"] != nil }
            #expect(!answered, "the flush was answered before its sync: \(answers)")
        }
    }

    @Test("While an export waits for the disk, clients are answered", .enabled(if: isLinux))
    func export() throws {
        try withTemporaryDirectory { folder in
            // The new file gets its name much later than the test takes.
            let strace = [
                try Tool(name: "strace", package: "strace").path(), "-f", "-qq", "-e", "trace=linkat", "-e",
                "inject=linkat:delay_enter=600000000", "-o", "/dev/null",
            ]
            let host = try startHost(folder, under: strace, unchecked: "its export does not end")
            try host.write(save(0).utf8)
            #expect(try host.reply()["result"] != nil)
            try host.write(line(7, "exportSuite", #"{"path":"\#(folder)/suite.plist"}"#).utf8)
            let pid = try #require(try Processes.children(of: host.pid).first)
            try Processes.wait(for: "the new file, which has no name") {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").contains {
                    let name = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)")
                    return name?.hasPrefix("\(folder)/") == true && name?.hasSuffix("(deleted)") == true
                }
            }
            for _ in 0..<10 { #expect(try host.result("ping")["version"] != nil) }
            try Processes.wait(for: "the end after a second signal") {
                kill(pid, SIGTERM)
                return !Processes.isRunning(pid)
            }
            host.kill(SIGKILL)
            let answers = try host.remainingReplies()
            // It may say that the host is stopping.
            let answered = answers.contains { $0["id"] == 7 && $0["result"] != nil }
            #expect(!answered, "the export was answered before it was written: \(answers)")
        }
    }

    @Test("A reply does not overtake the reply to an earlier save of the same client")
    func order() throws {
        try ControlSetup.open { setup in
            let host = try setup.host()
            // For another client, commits run beside the event loop.
            let control = try setup.connect(to: host)
            #expect(try control.call("ping")["result"] != nil)
            for id in 0..<200 {
                // Two writes, so that the commit has mostly begun when the ping arrives.
                try host.send(line: String(save(id).dropLast()))
                try host.send(line: String(line(1_000 + id, "ping").dropLast()))
                #expect(try host.reply()["id"] == .integer(Int64(id)))
                #expect(try host.reply()["id"] == .integer(Int64(1_000 + id)))
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("While an extension saves without end, the client is served, and the end of its input ends the host")
    func endOfInput() throws {
        try HostileWorkspace.open(prepare: { try $0.add("savesForEver") }) { workspace in
            let notification = try workspace.host.shown("savesForEver")
            try Processes.wait(for: "saves") { try workspace.savedEvents() ?? 0 > 20 }
            for _ in 0..<20 { #expect(try workspace.host.result("ping")["version"] != nil) }
            _ = try workspace.host.shown("good")
            let before = try #require(try workspace.savedEvents())
            try workspace.host.result("saveCustomEvent", ["suite": .string(Workspace.group), "name": "mine"])
            #expect(try #require(try workspace.savedEvents()) > before)
            #expect(
                try workspace.host.result("notifications")["notifications"]?.array?.contains {
                    $0["notification"] == notification
                } == true
            )
            try workspace.finish()
        }
    }

    @Test("A signal ends the host while an extension saves without end, and what was answered is stored")
    func signal() throws {
        try Workspace.open { workspace in
            try workspace.add("savesForEver", saving: true)
            let host = try workspace.host()
            _ = try host.shown("savesForEver")
            let saved = try host.result("saveCustomEvent", ["suite": .string(Workspace.group), "name": "mine"])["id"]
            host.process.kill(SIGTERM)
            #expect(try host.process.wait() == .code(128 + SIGTERM))
            let next = try workspace.host()
            let records = try next.result("pending", ["suite": .string(Workspace.group)])["records"]?.array
            #expect(records?.contains { $0["id"] == saved && $0["name"] == "mine" } == true)
            #expect(try next.finish() == .code(0))
        }
    }
}

/// The size of a file in bytes; 0 if there is none.
private func fileSize(_ path: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
}
