import Foundation
import JSON
import TestSupport
import Testing

/// The host's system calls that write to the disk, as the kernel sees them.
@Suite(.waits, .wire, .enabled(if: isLinux)) struct DurabilitySyncTests {
    private static let calls = "trace=fdatasync,fsync,write"

    /// The calls of a host, each with the paths of its descriptors; a rule of strace may let one of them fail.
    private func trace(
        _ folder: String,
        _ calls: String = Self.calls,
        failing rule: String? = nil,
        _ body: (ChildProcess) throws -> Void
    ) throws -> [Substring] {
        let file = "\(folder)/trace"
        let failure = rule.map { ["-e", "inject=\($0)"] } ?? []
        let strace = [try Tool(name: "strace", package: "strace").path(), "-f", "-qq", "-y", "-e", calls, "-o", file]
        let host = try startHost(
            folder,
            under: strace + failure,
            unchecked: "a recording is written too, and writes are counted"
        )
        try body(host)
        try host.finish()
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    }

    private func isSync(_ call: Substring) -> Bool { call.contains("sync(") && call.hasSuffix("= 0") }

    private func isReply(_ call: Substring) -> Bool { call.contains(#"write("#) && call.contains("jsonrpc") }

    @Test("Each save whose reply is awaited has its own sync, before its reply")
    func alone() throws {
        try withTemporaryDirectory { folder in
            let calls = try trace(folder) { host in
                for id in 0..<50 {
                    try host.write(save(id).utf8)
                    #expect(try host.reply()["result"] == ["id": .integer(Int64(id + 1))])
                }
            }
            let syncs = calls.split(omittingEmptySubsequences: false, whereSeparator: isReply)
                .map { $0.filter(isSync) }
            // Also after the last reply, when the host ends. The first save makes the suite.
            try #require(syncs.count == 51)
            #expect(!syncs[0].isEmpty)
            for syncs in syncs[1..<50] {
                // A host that waits long enough for its client moves the log into the suite.
                let isMoved = syncs.contains { $0.contains(".sqlite>") }
                #expect(syncs.last?.contains(".sqlite-wal>") == true && (syncs.count == 1 || isMoved), "\(syncs)")
            }
        }
    }

    @Test("Saves that arrive together share their syncs and their writes")
    func together() throws {
        try withTemporaryDirectory { folder in
            let calls = try trace(folder) { host in
                try host.write(saves(0..<5_000).utf8)
                #expect(try confirmed(host.replies(5_000)).count == 5_000)
            }
            let syncs = calls.filter(isSync).count
            #expect(syncs >= 1, "\(syncs)")
            #expect(syncs < 500, "\(syncs)")
            #expect(calls.filter(isReply).count < 500)
        }
    }

    @Test("The first save in a new data folder syncs each folder with a new entry, before its reply")
    func newFolders() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/trace"
            let strace = [
                try Tool(name: "strace", package: "strace").path(), "-f", "-qq", "-y", "-e",
                "trace=fsync,fdatasync,write", "-o",
                file,
            ]
            let host = try startHost("\(folder)/a/b", under: strace, unchecked: "a recording is written too")
            try host.write(save(0).utf8)
            #expect(try host.reply()["result"] != nil)
            try host.finish()
            let calls = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            let first = try #require(calls.firstIndex(where: isReply))
            for path in [folder, "\(folder)/a", "\(folder)/a/b", "\(folder)/a/b/data"] {
                #expect(calls[..<first].contains { $0.contains("<\(path)>") && isSync($0) }, "\(path)")
            }
        }
    }

    @Test(
        "What a killed host wrote is synced before the next one answers about it",
        arguments: [
            (line(2, "saveCustomEvent", #"{"name":"e","idempotencyKey":"k"}"#), ["id": 1, "repeated": true] as JSON),
            (line(2, "retrieve", #"{"key":"k"}"#), ["value": "v"] as JSON),
        ]
    )
    func killed(question: String, answer: JSON) throws {
        try withTemporaryDirectory { folder in
            try killHost(folder)
            let calls = try trace(folder) { host in
                try host.write(question.utf8)
                #expect(try host.reply()["result"] == answer)
            }
            let reply = try #require(calls.firstIndex(where: isReply))
            #expect(calls[..<reply].contains { $0.contains(".sqlite-wal>") && isSync($0) }, "\(calls)")
        }
    }

    @Test("If a killed host's log cannot be synced, the request is refused, and the next one moves it into the suite")
    func killedAndFailed() throws {
        try withTemporaryDirectory { folder in
            try killHost(folder)
            let calls = try trace(folder, failing: "fdatasync:error=EIO:when=1") { host in
                for id in 2...3 {
                    try host.write(line(id, "saveCustomEvent", #"{"name":"e","idempotencyKey":"k"}"#).utf8)
                }
                let replies = try host.replies(2)
                #expect(replies[0]["error"]?["data"]?["reason"] == "notStored", "\(replies)")
                #expect(replies[1]["result"] == ["id": 1, "repeated": true])
            }
            let failed = try #require(calls.firstIndex { $0.contains("EIO") })
            let reply = try #require(calls.lastIndex(where: isReply))
            try #require(failed < reply, "\(calls)")
            #expect(calls[failed].contains(".sqlite-wal>"))
            #expect(calls[failed..<reply].contains { $0.contains(".sqlite>") && isSync($0) }, "\(calls)")
        }
    }

    /// Saves an event with a key and a value in a host that is killed, so that both are only in the log.
    private func killHost(_ folder: String) throws {
        let host = try startHost(folder, unchecked: "it is killed")
        let value = line(1, "store", #"{"key":"k","value":"v"}"#)
        try host.write((line(0, "saveCustomEvent", #"{"name":"e","idempotencyKey":"k"}"#) + value).utf8)
        #expect(try host.replies(2).allSatisfy { $0["result"] != nil })
        host.kill(SIGKILL)
        _ = try host.wait()
    }

    @Test(
        "After a failed sync the data folder is changed before the next one, since the system may have forgotten what to write"
    )
    func changedFolder() throws {
        try withTemporaryDirectory { folder in
            // After those of the two folders and of the new suite.
            let rule = "fsync:error=EIO:when=4"
            let calls = try trace(folder, "trace=openat,fsync,fdatasync,write", failing: rule) { host in
                try host.write((save(0) + save(1)).utf8)
                let replies = try host.replies(2)
                #expect(replies[0]["error"]?["message"]?.string?.contains("cannot sync") == true, "\(replies)")
                #expect(replies[1]["result"] == ["id": 1])
            }
            let data = "/data>"
            let failed = try #require(calls.firstIndex { $0.contains("EIO") && $0.contains(data) }, "\(calls)")
            let isChange = { (call: Substring) in call.contains("/.sync\"") && call.contains("O_CREAT") }
            let changed = try #require(calls[failed...].firstIndex(where: isChange), "\(calls)")
            let synced = try #require(calls[changed...].firstIndex { $0.contains(data) && isSync($0) }, "\(calls)")
            let reply = try #require(calls.lastIndex(where: isReply))
            #expect(synced < reply, "\(calls)")
        }
    }

    @Test("A new suite is on the disk before it has its name, and none that could not be synced gets it")
    func newSuite() throws {
        try withTemporaryDirectory { folder in
            // After those of the two folders.
            let rule = "fsync:error=EIO:when=3"
            let calls = try trace(folder, "trace=/^rename,fsync,write", failing: rule) { host in
                try host.write((save(0) + save(1)).utf8)
                let replies = try host.replies(2)
                #expect(replies[0]["error"]?["message"]?.string?.contains("cannot sync") == true, "\(replies)")
                #expect(replies[1]["result"] == ["id": 1])
            }
            let new = "/data/.standard.new-"
            let failed = try #require(calls.firstIndex { $0.contains("EIO") }, "\(calls)")
            #expect(calls[failed].contains(new))
            let renamed = calls.indices.filter { calls[$0].contains("rename") && calls[$0].contains("standard.sqlite") }
            try #require(renamed.count == 1 && renamed[0] > failed, "\(calls)")
            #expect(calls[renamed[0] - 1].contains(new) && isSync(calls[renamed[0] - 1]), "\(calls)")
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/data")
            #expect(files.allSatisfy { !$0.contains("new-") }, "\(files)")
        }
    }

    @Test("A new suite that cannot be locked is refused at once")
    func unlocked() throws {
        try withTemporaryDirectory { folder in
            // The first lock is the folder's.
            _ = try trace(folder, "trace=flock", failing: "flock:error=ENOLCK:when=2+") { host in
                try host.write(save(0).utf8)
                let message = try host.reply()["error"]?["message"]?.string ?? ""
                #expect(message.contains("/data/.standard.new-"))
                #expect(message.hasSuffix(": No locks available"))
            }
            #expect(try !FileManager.default.contentsOfDirectory(atPath: "\(folder)/data").contains("standard.sqlite"))
        }
    }

    @Test("A new data folder whose sync fails is made again by the next save, since a later sync may not write it")
    func failedSync() throws {
        try withTemporaryDirectory { folder in
            // The first sync is about the folder that is there, the second one about the new one.
            let calls = try trace(folder, "trace=/^mkdir,fsync", failing: "fsync:error=EIO:when=2") { host in
                try host.write((save(0) + save(1)).utf8)
                let replies = try host.replies(2)
                #expect(replies[0]["error"]?["message"]?.string?.contains("cannot sync") == true, "\(replies)")
                #expect(replies[1]["result"] == ["id": 1])
            }
            let made = calls.indices.filter { calls[$0].contains("\(folder)/data\"") && calls[$0].hasSuffix("= 0") }
            try #require(made.count == 2, "\(calls)")
            #expect(calls[made[0] + 1].contains("EIO") && isSync(calls[made[1] + 1]), "\(calls)")
        }
    }

    @Test(
        "A full file of delivered records is synced before it gets another name, as a killed host may not have done it"
    )
    func fullFile() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/log.jsonl"
            let options = ["--no-control", "--deliver-file", file, "--deliver-file-bytes", "1"]
            let strace = [
                try Tool(name: "strace", package: "strace").path(), "-f", "-qq", "-y", "-e", "trace=fsync,/^rename",
                "-o",
                "\(folder)/trace",
            ]
            for wrapper in [[], strace] {
                let host = try startHost(folder, options, under: wrapper, unchecked: "the calls are in a trace")
                try host.write((save(1) + line(2, "flushPending", #"{"to":"file"}"#)).utf8)
                #expect(try host.replies(2).last?["result"]?["delivered"] == 1)
                try host.finish()
            }
            let calls = try String(contentsOfFile: "\(folder)/trace", encoding: .utf8).split(separator: "\n")
            let renamed = try #require(calls.firstIndex { $0.contains("rename") })
            #expect(calls[..<renamed].contains { $0.contains("fsync(") && $0.contains("log.jsonl>") }, "\(calls)")
        }
    }

    @Test("Requests that store nothing sync nothing")
    func nothing() throws {
        try withTemporaryDirectory { folder in
            let calls = try trace(folder) { host in
                for _ in 0..<20 {
                    _ = try host.result("ping")
                    _ = try host.result("pending")
                    _ = try host.result("retrieve", #"{"key":"k"}"#)
                }
            }
            #expect(calls.filter(isReply).count == 60)
            #expect(calls.filter(isSync).isEmpty)
        }
    }
}

let isLinux: Bool = {
    #if os(Linux)
    true
    #else
    false
    #endif
}()
