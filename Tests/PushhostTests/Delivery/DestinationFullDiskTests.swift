import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// A full disk while records are delivered, simulated as in ``DurabilityFullDiskTests``.
@Suite(.waits, .wire, .enabled(if: FileManager.default.fileExists(atPath: "/proc")))
struct DestinationFullDiskTests {
    private static let waits = """
        def deliver(batch, n):
            log("has the batch")
            wait_at_gate()
            return accept(batch)
        """

    private func open(
        _ program: String = waits,
        _ options: [String] = [],
        _ body: (DestinationWorkspace, HostProcess, String, Gate) throws -> Void
    ) throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(program)
            let gate = try Gate(folder)
            let pauses = ["--retry-base", "1", "--retry-limit", "1"]
            let host = try workspace.bundles.host(
                pauses + options,
                under: ["/bin/sh", "-c", #"trap "" XFSZ; exec "$0" "$@""#],
                unchecked: "a full disk takes no recording either"
            )
            try body(workspace, host, folder, gate)
        }
    }

    private func limitFiles(of host: HostProcess, to bytes: String) throws {
        let program = try Tool(name: "prlimit", package: "util-linux").path()
        let child = try ChildProcess(program, ["--pid", "\(host.process.pid)", "--fsize=\(bytes):"])
        guard try child.wait() == .code(0) else { throw TestFailure("prlimit failed: \(child.standardError)") }
    }

    @Test("A settlement that cannot be stored is reported and stored later, and no record is sent twice")
    func settlement() throws {
        try open { workspace, host, folder, gate in
            let ids = try host.saveRecords(1_500, users: 1)
            try host.subscribe()
            let flush = try host.request("flushPending", ["to": "tried"])
            try host.awaitLog("has the batch")
            try limitFiles(of: host, to: "1")
            let pending = try host.request("pending", ["limit": 1])
            try gate.releaseOne()
            let reply = try host.reply()
            #expect(reply["id"] == flush, "\(reply)")
            #expect(reply["error"]?["data"]?["reason"] == "notStored", "\(reply)")
            // Calls that waited for the flush are answered, and nobody may flush what was already sent.
            let read = try host.reply()
            #expect(read["id"] == pending, "\(read)")
            #expect(read["result"]?["total"] == 1_500, "\(read)")
            for params in [["to": "tried"], ["to": "file"], [:]] as [JSON] {
                #expect(try host.error("flushPending", params).data?["reason"] == "notStored")
            }
            try limitFiles(of: host, to: "unlimited")
            try Processes.wait(for: "the settlement") { try host.result("pending", ["limit": 1])["total"] == 500 }
            try gate.releaseOne()
            let rest = try host.deliver()
            #expect(rest["result"]?["delivered"] == 500, "\(rest)")
            try DestinationAudit(host, folder).expectKept(ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A disk that stays full does not prevent the host's exit, and the next host counts the batch in flight")
    func end() throws {
        try open { workspace, host, folder, gate in
            let ids = try host.saveRecords(100)
            try host.subscribe()
            try host.request("flushPending", ["to": "tried"])
            try host.awaitLog("has the batch")
            try limitFiles(of: host, to: "1")
            try gate.releaseOne()
            #expect(try host.reply()["error"]?["data"]?["reason"] == "notStored")
            #expect(try host.finish() == .code(0))
            let next = try workspace.host()
            // A single record that may have been sent probes the destination, and the others follow.
            for _ in 0..<2 { try gate.releaseOne() }
            #expect(try next.deliver()["result"]?["possiblySent"] == 100)
            try DestinationAudit(next, folder).expectNoneLost(ids)
        }
    }

    @Test("A claim that cannot be stored sends nothing")
    func claim() throws {
        try open("def deliver(batch, n): return accept(batch)") { workspace, host, folder, _ in
            let ids = try host.saveRecords(100)
            try limitFiles(of: host, to: "1")
            #expect(try host.deliver()["error"]?["data"]?["reason"] == "notStored")
            #expect(try DestinationWorkspace.kept(folder).isEmpty)
            try limitFiles(of: host, to: "unlimited")
            #expect(try host.deliver()["result"]?["delivered"] == 100)
            try DestinationAudit(host, folder).expectKept(ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A batch that a killed host had in flight is not sent until the recovery is stored")
    func recovery() throws {
        try open(
            """
            def deliver(batch, n):
                keep(batch)
                if n == 1:
                    log("has the batch")
                    signal.pause()
                return {"accepted": ids(batch)}
            """
        ) { workspace, first, folder, _ in
            let ids = try first.saveRecords(100)
            try first.subscribe()
            try first.request("flushPending", ["to": "tried"])
            try first.awaitLog("has the batch")
            first.process.kill(SIGKILL)
            #expect(try first.process.wait() == .signal(SIGKILL))
            let host = try workspace.bundles.host(
                under: ["/bin/sh", "-c", #"trap "" XFSZ; exec "$0" "$@""#],
                unchecked: "a full disk takes no recording either"
            )
            // The suite is already open, so that only the commit can fail.
            #expect(try host.result("pending")["total"] == 100)
            try limitFiles(of: host, to: "1")
            for params in [["to": "tried"], ["to": "file"], [:]] as [JSON] {
                let error = try host.error("flushPending", params)
                #expect(error.data?["reason"] == "notStored", "\(error)")
            }
            #expect(try DestinationWorkspace.kept(folder).count == 100)
            try limitFiles(of: host, to: "unlimited")
            let result = try host.deliver()["result"]
            #expect(result?["delivered"] == 90)
            #expect(result?["possiblySent"] == 100)
            try DestinationAudit(host, folder).expectNoneLost(ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A disk that fills up at any point of a large flush neither loses nor duplicates a record")
    func anywhere() throws {
        try open(
            "def deliver(batch, n): return {'rejected': reasoned(batch[:300])} if n % 2 else accept(batch)",
            ["--retry-patience", "0", "--idle-stop", "600000"]
        ) {
            workspace,
            host,
            folder,
            _ in
            let filler = JSON.string(String(repeating: "x", count: 230))
            let properties = JSON.object(JSON.Object((0..<8).map { ("p\($0)", filler) }))
            for number in 0..<6_000 {
                try host.request("saveCustomEvent", ["name": .string("e\(number)"), "properties": properties])
            }
            let ids = try (0..<6_000).map { _ in try #require(try host.reply()["result"]?["id"]?.integer) }
            let size =
                try FileManager.default.attributesOfItem(atPath: "\(workspace.bundles.data)/standard.sqlite")[.size]
                as? Int ?? 0
            // Started earlier, because processes inherit the limit when they start.
            #expect(try host.deliver(to: "tried", [("limit", 1)])["result"]?["rejected"] == 1)
            var limit = 500_000
            while limit < size * 2 {
                try limitFiles(of: host, to: "\(limit)")
                let flush = try host.deliver()
                try limitFiles(of: host, to: "unlimited")
                if flush["result"] != nil { break }
                limit += 700_000
            }
            // A settlement that waits for disk space is retried after a delay.
            try Processes.wait(for: "the rest") { try host.deliver()["result"]?["remaining"] == 0 }
            try DestinationAudit(host, folder).expectOnce(ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A full disk leaves no partial batch in the destination's file, and loses or duplicates no record")
    func file() throws {
        try DestinationWorkspace.open { workspace in
            let path = "\(workspace.bundles.root)/out.jsonl"
            let host = try workspace.bundles.host(
                ["--deliver-file", path, "--retry-patience", "0", "--retry-base", "1", "--retry-limit", "1"],
                under: ["/bin/sh", "-c", #"trap "" XFSZ; exec "$0" "$@""#],
                unchecked: "a full disk takes no recording either"
            )
            let filler = JSON.string(String(repeating: "x", count: 200))
            for _ in 0..<1_000 { try host.request("saveCustomEvent", ["name": "e", "properties": ["filler": filler]]) }
            for _ in 0..<1_000 { _ = try host.reply() }
            #expect(try host.deliver(to: "file")["result"]?["delivered"] == 1_000)
            let ids = try host.saveRecords(100)
            // Once the suite's log is empty, only the file grows past the limit, in the middle of a line.
            let log = "\(workspace.bundles.data)/standard.sqlite-wal"
            try Processes.wait(for: "an empty log") { try Data(contentsOf: URL(filePath: log)).isEmpty }
            let size = try Data(contentsOf: URL(filePath: path)).count
            try limitFiles(of: host, to: "\(size + 3_000)")
            let reply = try host.deliver(to: "file")
            #expect(reply["error"]?["data"]?["reason"] == "destinationUnavailable", "\(reply)")
            #expect(reply["error"]?["message"]?.string?.contains(path) == true)
            #expect(reply["error"]?["data"]?["possiblySent"] == 0)
            #expect(try Data(contentsOf: URL(filePath: path)).count == size)
            try limitFiles(of: host, to: "unlimited")
            #expect(try host.deliver(to: "file")["result"]?["delivered"] == 100)
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst(1_000)
            #expect(try lines.map { try JSON(parsing: String($0))["id"]?.integer } == ids)
            #expect(try host.finish() == .code(0))
        }
    }
}
