import Foundation
import JSON
import TestSupport
import Testing

/// A disk that fills up while the host is working.
///
/// The test simulates it from outside, with a limit on the size of files that can be set on a running process and
/// lifted again without privileges, so it works in every container. Where file systems may be mounted, a small one is
/// tried as well, which fails with another of the system's errors.
@Suite(.waits, .wire, .enabled(if: FileManager.default.fileExists(atPath: "/proc")))
struct DurabilityFullDiskTests {
    /// Starts a host that gets an error, not a signal, if its files may not grow.
    private func start(_ folder: String) throws -> ChildProcess {
        try startHost(
            folder,
            under: ["/bin/sh", "-c", #"trap "" XFSZ; exec "$0" "$@""#],
            unchecked: "a recording cannot grow on a full disk either"
        )
    }

    /// Limits the size of files of a host once it runs: ThreadSanitizer writes one before.
    private func limitFiles(of host: ChildProcess, to bytes: String) throws {
        #expect(try host.result("ping")["version"] != nil)
        let program = try Tool(name: "prlimit", package: "util-linux").path()
        let child = try ChildProcess(program, ["--pid", "\(host.pid)", "--fsize=\(bytes):"])
        guard try child.wait() == .code(0) else { throw TestFailure("prlimit failed: \(child.standardError)") }
    }

    @Test("A limit on the size of files, which sends a signal, fails only saves, and answered saves are stored")
    func sizeLimit() throws {
        try withTemporaryDirectory { folder in
            let recording = "\(folder)/recording"
            let host = try startHost(
                folder,
                ["--record", recording, "--deliver-file", "\(folder)/delivered"],
                unchecked: "it records itself"
            )
            try limitFiles(of: host, to: "500000")
            var replies: [JSON] = []
            while replies.last?["error"] == nil, replies.count < 5_000 {
                try host.write(save(replies.count, padding: 1_000).utf8)
                replies.append(try host.reply())
            }
            #expect(replies.last?["error"]?["data"]?["reason"] == "notStored", "\(replies.suffix(1))")
            #expect(try host.result("ping")["version"] != nil)
            try host.write(line(0, "exportSuite", #"{"path":"\#(folder)/exported"}"#).utf8)
            let exported = try host.reply()
            #expect(exported["error"] != nil || exported["result"] != nil)
            try host.finish()
            #expect(try stored(in: folder) == confirmed(replies))
        }
    }

    @Test(
        "A limit on the size of files fails only the export or the flush to the destination file that exceeds it",
        arguments: ["exportSuite", "flushPending"]
    )
    func sizeLimitElsewhere(method: String) throws {
        try withTemporaryDirectory { folder in
            let before = try startHost(folder)
            for id in 0..<100 {
                try before.write(save(id, padding: 1_000).utf8)
                _ = try before.reply()
            }
            try before.finish()
            let options = ["--deliver-file", "\(folder)/delivered"]
            let host = try startHost(folder, options, unchecked: "files may not grow")
            try limitFiles(of: host, to: "50000")
            let params = method == "exportSuite" ? #"{"path":"\#(folder)/exported"}"# : #"{"to":"file"}"#
            try host.write(line(0, method, params).utf8)
            let reply = try host.reply()
            let reason = reply["error"]?["data"]?["reason"]
            #expect(reason == (method == "exportSuite" ? "fileUnwritable" : "notStored"), "\(reply)")
            #expect(try host.result("ping")["version"] != nil)
            try host.finish()
            #expect(try stored(in: folder).count == 100)
        }
    }

    /// Sends saves, reads and pings, and expects that the stored records are those whose saves were answered with an id.
    private func tryMix(_ host: ChildProcess, _ folder: String, _ lines: String, ids all: Range<Int>) throws -> (
        Int, Int
    ) {
        try host.write(lines.utf8)
        var replies: [JSON] = []
        while replies.count < all.count {
            let reply = try host.reply()
            replies += reply.array.map(Array.init) ?? [reply]
        }
        #expect(ids(replies).sorted() == Array(all))
        var lost = 0
        for reply in replies {
            guard let id = reply["id"]?.integer.map(Int.init) else { continue }
            if isPing(id) {
                #expect(reply["result"] != nil)
            } else if let error = reply["error"] {
                #expect(error["code"] == 203)
                #expect(error["data"]?["reason"] == "notStored")
                lost += isRead(id) ? 0 : 1
            }
        }
        let promises = try confirmed(replies)
        let found = try stored(in: folder).filter { $0.value != "e-1" && $0.value != "e-2" }
        #expect(found == promises, "a save must be answered with an id if and only if it is stored")
        return (promises.count, lost)
    }

    private func isPing(_ id: Int) -> Bool { id % 7 == 3 }

    private func isRead(_ id: Int) -> Bool { id % 7 == 5 }

    private func mix(_ ids: Range<Int>, padding: Int) -> [String] {
        ids.map { id in
            if isPing(id) { return line(id, "ping") }
            return isRead(id) ? line(id, "pending", #"{"limit":1}"#) : save(id, padding: padding)
        }
    }

    private func expectWorking(_ host: ChildProcess, _ folder: String) throws {
        try host.write(save(-2).utf8)
        #expect(try host.reply()["result"]?["id"] != nil)
        try host.finish()
        #expect(try stored(in: folder).values.contains("e-2"))
    }

    @Test(
        "On a full disk, across many iterations: saves with an id are stored, notStored ones are not, and later saves work"
    )
    func manyIterations() throws {
        try withTemporaryDirectory { folder in
            let host = try start(folder)
            try host.write(save(-1).utf8)
            _ = try host.reply()
            try limitFiles(of: host, to: "500000")
            let lines = mix(0..<2_000, padding: 1_000).joined()
            let (kept, lost) = try tryMix(host, folder, lines, ids: 0..<2_000)
            #expect(kept > 0, "\(kept) kept, \(lost) lost")
            #expect(lost > 0, "\(kept) kept, \(lost) lost")
            try limitFiles(of: host, to: "unlimited")
            try expectWorking(host, folder)
        }
    }

    @Test(
        "On a full disk, in one iteration that exceeds SQLite's cache: saves with an id are stored, notStored ones are not"
    )
    func oneIteration() throws {
        try withTemporaryDirectory { folder in
            let host = try start(folder)
            try host.write(save(-1).utf8)
            _ = try host.reply()
            try limitFiles(of: host, to: "1500000")
            let members = mix(0..<3_000, padding: 3_000).map { $0.dropLast() }
            let (_, lost) = try tryMix(host, folder, "[\(members.joined(separator: ","))]\n", ids: 0..<3_000)
            #expect(lost > 0)
            try limitFiles(of: host, to: "unlimited")
            try expectWorking(host, folder)
        }
    }

    @Test("A flush that cannot be committed returns no records")
    func flush() throws {
        try withTemporaryDirectory { folder in
            let host = try start(folder)
            try host.write(saves(0..<1_000).utf8)
            _ = try host.replies(1_000)
            try limitFiles(of: host, to: "1")
            try host.write(line(1, "flushPending").utf8)
            #expect(try host.reply()["error"]?["data"]?["reason"] == "notStored")
            try limitFiles(of: host, to: "unlimited")
            #expect(try stored(in: folder).count == 1_000)
            #expect(try host.result("flushPending")["calls"]?.array?.count == 1_000)
            try host.finish()
        }
    }

    @Test("On a full file system: saves with an id are stored, notStored ones are not", .enabled(if: canMount))
    func fileSystem() throws {
        try withTemporaryDirectory { folder in
            #expect(mountSmallDisk(folder))
            defer { unmount(folder) }
            let host = try startHost(folder)
            try host.write(save(-1).utf8)
            _ = try host.reply()
            let ballast = "\(folder)/ballast"
            try Data(count: 1_000_000).write(to: URL(filePath: ballast))
            let lines = mix(0..<2_000, padding: 1_000).joined()
            let (kept, lost) = try tryMix(host, folder, lines, ids: 0..<2_000)
            #expect(kept > 0, "\(kept) kept, \(lost) lost")
            #expect(lost > 0, "\(kept) kept, \(lost) lost")
            try FileManager.default.removeItem(atPath: ballast)
            try expectWorking(host, folder)
        }
    }

    @Test(
        "On a completely full disk saves fail, but the suite can be drained by the caller and by a destination",
        .enabled(if: canMount),
        arguments: [#"{}"#, #"{"lease":60}"#, #"{"to":"file"}"#]
    )
    func drained(params: String) throws {
        try withTemporaryDirectory { root in
            let folder = "\(root)/disk"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(mountSmallDisk(folder, size: "32m"))
            defer { unmount(folder) }
            let host = try startHost(folder, ["--deliver-file", "\(root)/out.jsonl"])
            try host.write((0..<2_000).map { save($0, padding: 1_000) }.joined().utf8)
            _ = try host.replies(2_000)
            try Processes.wait(for: "the reserve") { FileManager.default.fileExists(atPath: "\(folder)/data/.reserve") }
            let ballast = try fill(folder)
            try host.write(save(-1, padding: 9_000).utf8)
            #expect(try host.reply()["error"]?["data"]?["reason"] == "notStored")
            var (calls, remaining) = (0, 2_000)
            while remaining > 0 {
                try host.write(line(1, "flushPending", params).utf8)
                let reply = try host.reply()
                let result = try #require(reply["result"], "\(reply)")
                calls += result["calls"]?.array?.count ?? Int(result["delivered"]?.integer ?? 0)
                try #require(Int(result["remaining"]?.integer ?? -1) < remaining)
                remaining = Int(result["remaining"]?.integer ?? 0)
                guard let lease = result["lease"]?.string else { continue }
                try host.write(line(2, "acknowledge", #"{"lease":"\#(lease)"}"#).utf8)
                #expect(try host.reply()["result"] != nil)
            }
            #expect(calls == 2_000)
            // The space reserved for this is reserved again, and saves have only what there is besides.
            let reserve = "\(folder)/data/.reserve"
            let size = try #require(try FileManager.default.attributesOfItem(atPath: reserve)[.size] as? Int)
            try host.write(save(-1, padding: 9_000).utf8)
            let reply = try host.reply()
            #expect(reply["result"] != nil || reply["error"]?["data"]?["reason"] == "notStored", "\(reply)")
            #expect(try FileManager.default.attributesOfItem(atPath: reserve)[.size] as? Int == size)
            #expect(try stored(in: folder) == confirmed([reply]))
            try FileManager.default.removeItem(atPath: ballast)
            try expectWorking(host, folder)
        }
    }

    @Test("On a completely full disk, a destination with a corrected address is tried at once", .enabled(if: canMount))
    func corrected() throws {
        try withTemporaryDirectory { root in
            let folder = "\(root)/disk"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(mountSmallDisk(folder, size: "32m"))
            defer { unmount(folder) }
            let removed = "\(root)/removed"
            try FileManager.default.createDirectory(atPath: removed, withIntermediateDirectories: false)
            let first = try startHost(folder, ["--deliver-file", "\(removed)/out.jsonl", "--retry-patience", "0"])
            try first.write(save(1).utf8)
            _ = try first.reply()
            try FileManager.default.removeItem(atPath: removed)
            try first.write(line(2, "flushPending", #"{"to":"file"}"#).utf8)
            #expect(try first.reply()["error"]?["data"]?["reason"] == "destinationUnavailable")
            try Processes.wait(for: "the reserve") { FileManager.default.fileExists(atPath: "\(folder)/data/.reserve") }
            try first.finish()
            _ = try fill(folder)
            let host = try startHost(folder, ["--deliver-file", "\(root)/out.jsonl", "--retry-patience", "0"])
            try host.write(line(1, "flushPending", #"{"to":"file"}"#).utf8)
            let reply = try host.reply()
            #expect(reply["result"]?["delivered"] == 1, "\(reply)")
            try host.finish()
        }
    }

    /// Fills a disk completely with a file.
    private func fill(_ folder: String) throws -> String {
        let path = "\(folder)/ballast"
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        setvbuf(file, nil, _IONBF, 0)
        let chunk = [UInt8](repeating: 1, count: 4_096)
        while fwrite(chunk, 1, chunk.count, file) == chunk.count {}
        return path
    }
}

/// Whether this process may mount file systems.
///
/// In a container, usually not even root may.
private let canMount: Bool = {
    let isMounted = try? withTemporaryDirectory { folder in
        defer { unmount(folder) }
        return mountSmallDisk(folder)
    }
    return isMounted ?? false
}()

private func mountSmallDisk(_ folder: String, size: String = "2m") -> Bool {
    let mount = try? ChildProcess("mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", folder])
    return (try? mount?.wait()) == .code(0)
}

private func unmount(_ folder: String) { _ = try? ChildProcess("umount", ["-l", folder]).wait() }
