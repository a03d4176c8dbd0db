import Foundation
import JSON
import TestSupport
import Testing

/// The destination `file`.
@Suite(.waits, .wire) struct DestinationFileTests {
    private func lines(_ path: String) throws -> [JSON] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    private func ids(_ lines: [JSON]) -> [Int64] { lines.compactMap { $0["id"]?.integer } }

    @Test(
        "The file destination writes one record per line, as pending shows it, with its suite first; by default beside the suites"
    )
    func lines() throws {
        try DestinationWorkspace.open { workspace in
            let host = try workspace.host(suite: "mine")
            try host.saveRecords(2_500)
            let shown = try host.all("pending", "records")
            #expect(try host.deliver(to: "file")["result"]?["delivered"] == 2_500)
            let path = "\(workspace.bundles.data)/delivered.jsonl"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.hasPrefix(#"{"suite":"mine","id":1,"#))
            let expected = try shown.map { record in
                JSON.object(
                    JSON.Object([("suite", "mine")] + (try #require(record.object)).map { ($0.name, $0.value) })
                )
            }
            #expect(try lines(path) == expected)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A file that exceeds its size is renamed to the first free number, and no file is overwritten")
    func rotation() throws {
        try DestinationWorkspace.open { workspace in
            let path = "\(workspace.bundles.root)/out.log"
            let host = try workspace.host(["--deliver-file", path, "--deliver-file-bytes", "20000"])
            try Data("mine".utf8).write(to: URL(filePath: "\(workspace.bundles.root)/out.2.log"))
            var ids: [Int64] = []
            for _ in 0..<10 {
                ids += try host.saveRecords(100)
                #expect(try host.deliver(to: "file")["result"]?["delivered"] == 100)
            }
            #expect(try String(contentsOfFile: "\(workspace.bundles.root)/out.2.log", encoding: .utf8) == "mine")
            let names = try FileManager.default.contentsOfDirectory(atPath: workspace.bundles.root)
                .filter { $0.hasPrefix("out.") && $0 != "out.2.log" && $0 != "out.log" }
                .sorted { Int($0.dropFirst(4).dropLast(4))! < Int($1.dropFirst(4).dropLast(4))! }
            #expect(names.count > 2 && names[0] == "out.1.log" && names[1] == "out.3.log")
            let files = try (names + ["out.log"]).map { try lines("\(workspace.bundles.root)/\($0)") }
            #expect(files.flatMap(self.ids) == ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A file may have exactly its size, and an empty one is never too large")
    func exactSize() throws {
        try DestinationWorkspace.open { workspace in
            let path = "\(workspace.bundles.root)/out.log"
            let size = { try Data(contentsOf: URL(filePath: path)).count }
            func deliver(_ host: HostProcess) throws {
                try host.saveRecords(1)
                #expect(try host.deliver(to: "file")["result"]?["delivered"] == 1)
            }
            var host = try workspace.host(["--deliver-file", path, "--deliver-file-bytes", "1"])
            try deliver(host)
            #expect(try host.finish() == .code(0))
            #expect(!FileManager.default.fileExists(atPath: "\(workspace.bundles.root)/out.1.log"))
            let one = try size()
            host = try workspace.host(["--deliver-file", path, "--deliver-file-bytes", "\(2 * one)"])
            try deliver(host)
            #expect(try size() == 2 * one)
            try deliver(host)
            #expect(try size() == one)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A partial line that a killed host left is removed, and whole lines stay")
    func tornLine() throws {
        try DestinationWorkspace.open { workspace in
            let path = "\(workspace.bundles.root)/out.jsonl"
            let whole = #"{"suite":"standard","id":1,"kind":"customEvent","name":"old"}"#
            let torn = #"{"suite":"standard","id":2,"na"# + String(repeating: "x", count: 200_000)
            try Data("\(whole)\n\(torn)".utf8).write(to: URL(filePath: path))
            let host = try workspace.host(["--deliver-file", path])
            try host.saveRecords(3)
            #expect(try host.deliver(to: "file")["result"]?["delivered"] == 3)
            let lines = try lines(path)
            #expect(lines.count == 4 && lines[0]["name"] == "old")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "What a power loss left of a batch is removed: zeros in place of bytes, within a line or for whole ones",
        arguments: [
            "\0", "\0\n", String(repeating: "\0", count: 200_000), "{\"suite\":\"a\",\"na\0\0\0", "{\"su\0\0",
            "{\"suite\":\"a\0\0\"}\n{\"suite\"", "\0\0\0\"}\n\0\0\n",
        ]
    )
    func lostBytes(remains: String) throws {
        try DestinationWorkspace.open { workspace in
            let path = "\(workspace.bundles.root)/out.jsonl"
            let whole = #"{"suite":"standard","id":1,"kind":"customEvent","name":"old"}"#
            try Data("\(whole)\n\(remains)".utf8).write(to: URL(filePath: path))
            let host = try workspace.host(["--deliver-file", path, "--retry-patience", "0"])
            try host.saveRecords(3)
            #expect(try host.deliver(to: "file")["result"]?["delivered"] == 3)
            let lines = try lines(path)
            #expect(lines.count == 4 && lines[0]["name"] == "old")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A link beside the suites is not followed, and one that the operator names is", .enabled(if: isLinux))
    func link() throws {
        try DestinationWorkspace.open { workspace in
            let (target, data) = ("\(workspace.bundles.root)/target", workspace.bundles.data)
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            let link = "\(data)/delivered.jsonl"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let host = try workspace.host(["--retry-patience", "0"])
            try host.saveRecords(3)
            let reply = try host.deliver(to: "file")
            #expect(reply["error"]?["message"]?.string?.contains("\(link) is a link; remove it") == true, "\(reply)")
            #expect(reply["error"]?["data"]?["possiblySent"] == 0)
            #expect(try host.result("checkDestination", ["to": "file"])["reachable"] == false)
            #expect(!FileManager.default.fileExists(atPath: target))
            #expect(try host.finish() == .code(0))
            let other = try workspace.host(["--deliver-file", link])
            #expect(try other.deliver(to: "file")["result"]?["delivered"] == 3)
            #expect(try lines(target).count == 3)
            #expect(try other.finish() == .code(0))
        }
    }

    @Test("A file that cannot be locked is not said to be another host's", .enabled(if: isLinux))
    func unlockable() throws {
        try DestinationWorkspace.open { workspace in
            let (path, trace) = ("\(workspace.bundles.root)/out", "\(workspace.bundles.root)/trace")
            try Data().write(to: URL(filePath: path))
            let strace = try Tool(name: "strace", package: "strace").path()
            let failing = ["-e", "trace=flock", "-e", "inject=flock:error=ENOLCK"]
            let host = try workspace.bundles.host(
                ["--deliver-file", path, "--retry-patience", "0"],
                under: [strace, "-f", "-qq", "-P", path] + failing + ["-o", trace]
            )
            try host.saveRecords(1)
            let message = try host.deliver(to: "file")["error"]?["message"]?.string ?? ""
            #expect(message.contains("cannot lock \(path): No locks available"), "\(message)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("The name of the file is made durable once for all batches of a flush", .enabled(if: isLinux))
    func name() throws {
        try DestinationWorkspace.open { workspace in
            let (folder, trace) = ("\(workspace.bundles.root)/out", "\(workspace.bundles.root)/trace")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let strace = try Tool(name: "strace", package: "strace").path()
            let host = try workspace.bundles.host(
                ["--deliver-file", "\(folder)/out.jsonl"],
                under: [strace, "-f", "-qq", "-P", folder, "-e", "trace=fsync", "-o", trace]
            )
            try host.saveRecords(1_001)
            #expect(try host.deliver(to: "file")["result"]?["delivered"] == 1_001)
            #expect(try host.finish() == .code(0))
            let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
            #expect(lines.count { $0.contains("fsync(") } == 1, "\(lines)")
        }
    }

    @Test(
        "A new file that another host locks or renames before it is locked takes no record",
        .enabled(if: isLinux),
        arguments: [("?rename,?renameat,?renameat2", 1), ("flock", 2)]
    )
    func takenByOther(calls: String, number: Int) throws {
        try DestinationWorkspace.open { workspace in
            let root = workspace.bundles.root
            let (path, trace) = ("\(root)/out", "\(root)/trace")
            try Data("{}\n".utf8).write(to: URL(filePath: path))
            let strace = try Tool(name: "strace", package: "strace").path()
            // The host stops behind the call, which is about the full file or the new one.
            let stop = ["-e", "trace=\(calls)", "-e", "inject=\(calls):signal=SIGSTOP:when=\(number)"]
            let host = try workspace.bundles.host(
                ["--deliver-file", path, "--deliver-file-bytes", "1", "--retry-patience", "0"],
                under: [strace, "-f", "-qq", "-P", path] + stop + ["-o", trace]
            )
            try host.saveRecords(1)
            try host.request("flushPending", ["to": "file"])
            try Processes.wait(for: "the stop") {
                try String(contentsOfFile: trace, encoding: .utf8).contains("stopped by SIGSTOP")
            }
            let other = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(other) }
            if calls == "flock" {
                #expect(rename(path, "\(root)/other") == 0)
            } else {
                #expect(flock(other, LOCK_EX) == 0)
            }
            for child in try Processes.children(of: host.process.pid) { kill(child, SIGCONT) }
            let error = try host.reply()["error"]
            #expect(error?["message"]?.string?.contains("another host writes to \(path)") == true)
            #expect(error?["data"]?["remaining"] == 1)
            #expect(lseek(other, 0, SEEK_END) == 0, "nothing was written")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A pipe or a folder in the place of the file is reported by a check and by a flush, which keeps the records")
    func otherThanFile() throws {
        try DestinationWorkspace.open { workspace in
            let path = "\(workspace.bundles.root)/out.jsonl"
            let host = try workspace.host(["--deliver-file", path, "--retry-patience", "0"])
            try host.saveRecords(3)
            func isReported() throws {
                let check = try host.result("checkDestination", ["to": "file"])
                #expect(check["reachable"] == false && check["accepted"] == false)
                #expect(check["message"]?.string?.contains("\(path) is not a regular file; name another one") == true)
                let error = try host.deliver(to: "file")["error"]
                #expect(error?["message"]?.string?.contains(path) == true)
                #expect(error?["data"]?["remaining"] == 3)
            }
            #expect(mkfifo(path, 0o600) == 0)
            try isReported()
            #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
            try isReported()
            #expect(rmdir(path) == 0)
            // The file does not exist yet, and then it does.
            for count: Int64 in [3, 0] {
                #expect(try host.result("checkDestination", ["to": "file"])["reachable"] == true)
                #expect(try host.deliver(to: "file")["result"]?["delivered"] == .integer(count))
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "A file that the host did not write is left unchanged",
        arguments: ["a letter to Ada", "one\ntwo", "{\"mine\":1}\n{\"more\"", "a\0\0"]
    )
    func foreignFile(text: String) throws {
        try DestinationWorkspace.open { workspace in
            let path = "\(workspace.bundles.root)/letter"
            try Data(text.utf8).write(to: URL(filePath: path))
            let host = try workspace.host(["--deliver-file", path, "--retry-patience", "0"])
            try host.saveRecords(3)
            let reply = try host.deliver(to: "file")
            #expect(reply["error"]?["data"]?["reason"] == "destinationUnavailable", "\(reply)")
            #expect(reply["error"]?["message"]?.string?.contains(path) == true)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
            #expect(try host.result("pending")["total"] == 3)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Lines are added behind a whole line of others, even if zeros are in it")
    func foreignLine() throws {
        try DestinationWorkspace.open { workspace in
            let path = "\(workspace.bundles.root)/out.jsonl"
            try Data("a\0b\n".utf8).write(to: URL(filePath: path))
            let host = try workspace.host(["--deliver-file", path, "--retry-patience", "0"])
            try host.saveRecords(3)
            #expect(try host.deliver(to: "file")["result"]?["delivered"] == 3)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.hasPrefix("a\0b\n{\"suite\"") && text.count { $0 == "\n" } == 4, "\(text)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A path that is not a writable file is reported at once, and every record is kept")
    func unwritable() throws {
        try DestinationWorkspace.open { workspace in
            let root = workspace.bundles.root
            #expect(mkfifo("\(root)/fifo", 0o600) == 0)
            let (gone, folder) = ("\(root)/gone", "\(root)/folder")
            let manager = FileManager.default
            try manager.createDirectory(atPath: gone, withIntermediateDirectories: false)
            for path in ["\(gone)/f", folder, "\(root)/fifo", "/dev/null", "/proc/version"] {
                let host = try workspace.host(["--deliver-file", path, "--retry-patience", "0"])
                try host.saveRecords(3)
                // The host itself refuses a missing folder, or a folder in place of the file, when it starts.
                if path.hasPrefix(gone) { try manager.removeItem(atPath: gone) }
                if path == folder { try manager.createDirectory(atPath: folder, withIntermediateDirectories: false) }
                let reply = try host.deliver(to: "file")
                #expect(reply["error"]?["data"]?["reason"] == "destinationUnavailable", "\(path): \(reply)")
                #expect(reply["error"]?["message"]?.string?.contains(path) == true, "\(reply)")
                #expect(reply["error"]?["data"]?["possiblySent"] == 0)
                #expect(try host.result("resetStorageKeys") == ["removed": 3])
                #expect(try host.finish() == .code(0))
            }
        }
    }

    @Test("Two hosts share one file across its rotations")
    func shared() throws {
        try DestinationWorkspace.open { workspace in
            let path = "\(workspace.bundles.root)/out.jsonl"
            let options = ["--deliver-file", path, "--deliver-file-bytes", "30000"]
            let hosts = [try workspace.host(options, suite: "a"), try workspace.host(options, suite: "b")]
            for host in hosts { try host.saveRecords(3_000) }
            for _ in 0..<30 {
                for host in hosts { try host.request("flushPending", ["to": "file", "limit": 100]) }
            }
            for host in hosts {
                for _ in 0..<30 { #expect(try host.reply()["result"]?["delivered"] == 100) }
                #expect(try host.finish() == .code(0))
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: workspace.bundles.root)
                .filter { $0.hasPrefix("out.") }
            let all = try names.flatMap { try lines("\(workspace.bundles.root)/\($0)") }
            for suite in ["a", "b"] {
                let own = all.filter { $0["suite"] == .string(suite) }
                #expect(ids(own).sorted() == Array(1...3_000))
            }
        }
    }

    @Test("If hosts are killed at any moment, no record is lost, and every duplicate was counted")
    func killed() throws {
        var generator = SeededGenerator(seed: 4)
        try DestinationWorkspace.open { workspace in
            let path = "\(workspace.bundles.root)/out.jsonl"
            var ids: [Int64] = []
            for _ in 0..<6 {
                let host = try workspace.host(["--deliver-file", path])
                ids += try host.saveRecords(2_000)
                try host.request("flushPending", ["to": "file"])
                for _ in 0..<Int.random(in: 0...4_000, using: &generator) { sched_yield() }
                host.process.kill(SIGKILL)
                #expect(try host.process.wait() == .signal(SIGKILL))
            }
            let host = try workspace.host(["--deliver-file", path])
            #expect(try host.deliver(to: "file")["result"]?["remaining"] == 0)
            let counts = Dictionary(self.ids(try lines(path)).map { ($0, 1) }, uniquingKeysWith: +)
            let dead = Set(try host.all("deadLetters", "deadLetters").compactMap { $0["id"]?.integer })
            let possiblySent = try #require(try host.deliveryStatus(to: "file")["possiblySent"]?.integer)
            #expect(ids.allSatisfy { counts[$0] != nil || dead.contains($0) })
            let surplus = ids.reduce(0) { $0 + counts[$1, default: 0] + (dead.contains($1) ? 1 : 0) - 1 }
            #expect(surplus <= possiblySent)
            #expect(try host.finish() == .code(0))
        }
    }
}
