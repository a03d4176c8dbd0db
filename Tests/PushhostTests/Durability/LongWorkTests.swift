import Foundation
import JSON
import TestSupport
import Testing

/// Work on many records runs in slices, and other requests are served between them.
@Suite(.waits, .wire) struct LongWorkTests {
    /// Runs the closure with a folder that contains a property list and the host's data folder, and a host.
    private func with(_ file: Data, _ body: (ChildProcess, String) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            try file.write(to: URL(filePath: "\(folder)/a.plist"))
            try body(try startHost(folder), folder)
        }
    }

    private func importing(_ id: Int, _ folder: String) -> String {
        line(id, "importSuite", #"{"path":"\#(folder)/a.plist"}"#)
    }

    /// Sends pings until the reply with that id arrives, and returns how many were answered before it.
    private func pings(until id: Int, _ host: ChildProcess) throws -> (count: Int, last: JSON) {
        for count in 0... {
            try host.write(line(1_000 + count, "ping").utf8)
            let reply = try host.reply()
            guard reply["id"] == .integer(Int64(id)) else { continue }
            #expect(try host.reply()["id"] == .integer(Int64(1_000 + count)))
            return (count, reply)
        }
        throw TestFailure("unreachable")
    }

    @Test(
        "Pings are answered during an import of events and of dead letters",
        arguments: [(good: 20_000, bad: 0), (good: 0, bad: 20_000)]
    )
    func pings(_ counts: (good: Int, bad: Int)) throws {
        try with(try LongWork.events(good: counts.good, bad: counts.bad)) { host, folder in
            try host.write(importing(1, folder).utf8)
            let (count, reply) = try pings(until: 1, host)
            #expect(count >= 3)
            #expect(reply["result"]?["imported"]?["customEvent"] == .integer(Int64(counts.good)))
            #expect(reply["result"]?["deadLetters"] == .integer(Int64(counts.bad)))
            try host.finish()
            #expect(try LongWork.holdings(folder) == [.integer(Int64(counts.good)), .integer(Int64(counts.bad)), 7])
        }
    }

    @Test("Pings are answered while the host looks into many suites", arguments: ["status", "suites"])
    func manySuites(method: String) throws {
        try withTemporaryDirectory { folder in
            let first = try startHost(folder)
            #expect(try first.result("saveCustomEvent", #"{"name":"a"}"#)["id"] == 1)
            try first.finish()
            let suite = "\(folder)/data/standard.sqlite"
            for number in 1..<200 {
                try FileManager.default.copyItem(atPath: suite, toPath: "\(folder)/data/s\(number).sqlite")
            }
            let host = try startHost(folder)
            for isFirst in [true, false] {
                try host.write(line(1, method).utf8)
                let (count, reply) = try pings(until: 1, host)
                let result = try #require(reply["result"])
                // Later only the files' times are looked at.
                if isFirst { #expect(count >= 3) }
                if method == "suites" {
                    #expect(result["suites"]?.array?.count == 200)
                    #expect(result["suites"]?.array?.allSatisfy { $0["pending"] == 1 } == true)
                } else {
                    #expect(result["deadLetters"] == 0 && result["possiblySent"] == nil)
                }
            }
            try host.finish()
        }
    }

    @Test("Another host can save into the suite during an import and sees none of its records until it ends")
    func otherHost() throws {
        try with(try LongWork.events(good: 10_000, bad: 20_000)) { host, folder in
            let other = try startHost(folder)
            #expect(try other.result("saveCustomEvent", #"{"name":"first"}"#)["id"] == 1)
            try host.write(importing(1, folder).utf8)
            #expect(try pingOnce(host))
            #expect(try other.result("saveCustomEvent", #"{"name":"meanwhile"}"#)["id"]?.integer != nil)
            let seen = try other.result("pending")
            #expect(seen["total"] == 2)
            #expect(seen["records"]?.array?.map { $0["name"] } == ["first", "meanwhile"])
            #expect(try other.result("deadLetters") == ["deadLetters": [], "total": 0])
            // Only now, which shows that the import was running all the time.
            #expect(try pings(until: 1, host).count >= 1)
            #expect(try other.result("pending", #"{"limit":1}"#)["total"] == 10_002)
            try other.finish()
            try host.finish()
            #expect(try LongWork.holdings(folder) == [10_002, 20_000, 7])
        }
    }

    /// Returns true if a ping is answered and nothing else is answered before it.
    private func pingOnce(_ host: ChildProcess) throws -> Bool {
        try host.write(line(500, "ping").utf8)
        return try host.reply()["id"] == 500
    }

    @Test("A signal during an import ends the host and leaves none of the imported records visible")
    func signal() throws {
        try with(try LongWork.events(good: 10_000, bad: 20_000)) { host, folder in
            try host.write((save(1) + importing(2, folder)).utf8)
            #expect(try host.reply()["id"] == 1)
            #expect(try pingOnce(host))
            host.kill(SIGTERM)
            let replies = try host.remainingReplies()
            #expect(ids(replies) == [2] && replies[0]["error"]?["data"]?["reason"] == "stopping")
            #expect(try host.wait() == .code(128 + SIGTERM))
            #expect(try LongWork.holdings(folder) == [1, 0, .null])
        }
    }

    @Test("A cancelled import leaves nothing behind, and the next call on the suite runs")
    func cancelled() throws {
        try with(try LongWork.events(good: 10_000, bad: 20_000)) { host, folder in
            try host.write((save(1) + importing(2, folder)).utf8)
            #expect(try host.reply()["id"] == 1)
            #expect(try pingOnce(host))
            try host.write(line(3, "$/cancelRequest", #"{"id":2}"#).utf8)
            #expect(try host.reply()["error"]?["code"] == -32800)
            #expect(try host.reply()["result"] == ["cancelled": true])
            #expect(try host.result("pending")["total"] == 1)
            try host.finish()
            #expect(try LongWork.holdings(folder) == [1, 0, .null])
        }
    }

    @Test("After a kill at a random moment, an import is complete or absent", arguments: [1, 2, 3, 4, 5, 6])
    func killed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try with(try LongWork.events(good: 2_000, bad: 3_000)) { first, folder in
            var host = first
            var whole: Int64 = 0
            for _ in 0..<2 {
                try host.write((importing(1, folder)).utf8)
                for _ in 0..<Int.random(in: 0...40, using: &generator) { _ = try pingOnce(host) }
                host.kill(SIGKILL)
                #expect(try host.wait() == .signal(SIGKILL))
                let found = try LongWork.holdings(folder)
                let now = (found[0].integer ?? -1) / 2_000
                #expect(now == whole || now == whole + 1)
                #expect(found == [.integer(now * 2_000), .integer(now * 3_000), now == 0 ? .null : 7])
                whole = now
                host = try startHost(folder)
            }
            #expect(try host.result("importSuite", #"{"path":"\#(folder)/a.plist"}"#)["deadLetters"] == 3_000)
            try host.finish()
            #expect(try LongWork.holdings(folder) == [.integer((whole + 1) * 2_000), .integer((whole + 1) * 3_000), 7])
        }
    }

    @Test("Two hosts can import into one suite concurrently, and each import is complete")
    func twoImports() throws {
        try with(try LongWork.events(good: 3_000, bad: 3_000)) { host, folder in
            let other = try startHost(folder)
            for each in [host, other] { try each.write(importing(1, folder).utf8) }
            for each in [host, other] {
                #expect(try each.reply()["result"]?["imported"]?["customEvent"] == 3_000)
                try each.finish()
            }
            #expect(try LongWork.holdings(folder) == [6_000, 6_000, 7])
        }
    }

    @Test("Pings are answered while dead letters are retried and discarded and records are read and removed")
    func bulk() throws {
        try with(try LongWork.events(bad: 12_000)) { host, folder in
            #expect(try host.result("importSuite", #"{"path":"\#(folder)/a.plist"}"#)["deadLetters"] == 12_000)
            // Events without a name are not records.
            #expect(try host.result("retryDeadLetters") == ["retried": 0])
            try host.write(line(1, "discardDeadLetters").utf8)
            let (count, reply) = try pings(until: 1, host)
            #expect(count >= 1)
            #expect(reply["result"] == ["discarded": 12_000])
            try LongWork.events(good: 12_000).write(to: URL(filePath: "\(folder)/a.plist"))
            _ = try host.result("importSuite", #"{"path":"\#(folder)/a.plist"}"#)
            try host.write(line(2, "retrieve", #"{"key":"pending_custom_events"}"#).utf8)
            let (_, events) = try pings(until: 2, host)
            #expect(events["result"]?["value"]?.array?.count == 12_000)
            #expect(events["result"]?["value"]?[11_999] == ["event_name": "e11999", "n": 11_999])
            let exported = try host.result("exportSuite", #"{"path":"\#(folder)/b.plist","format":"binary"}"#)
            #expect(exported["exported"]?["customEvent"] == 12_000)
            let back = try PropertyListSerialization.propertyList(
                from: try Data(contentsOf: URL(filePath: "\(folder)/b.plist")),
                format: nil
            )
            #expect(((back as? [String: Any])?["pending_custom_events"] as? [Any])?.count == 12_000)
            try host.write(line(3, "resetStorageKeys").utf8)
            #expect(try pings(until: 3, host).last["result"] == ["removed": 12_000])
            try host.finish()
            #expect(try LongWork.holdings(folder) == [0, 0, 7])
        }
    }

    @Test("With a fixed clock, progress is reported after every 10,000 records and at the end")
    func progress() throws {
        try withTemporaryDirectory { folder in
            try LongWork.events(good: 20_005).write(to: URL(filePath: "\(folder)/a.plist"))
            let host = try startHost(folder, ["--clock", "2026-01-01T00:00:00Z"])
            _ = try host.result("subscribe", #"{"topics":["$/progress"]}"#)
            try host.write(importing(1, folder).utf8)
            // The key next to the events counts too.
            for done: JSON in [10_000, 20_000, 20_006] {
                let params = try host.reply()["params"]
                #expect(params == ["suite": "standard", "method": "importSuite", "done": done, "total": 20_006])
            }
            #expect(try host.reply()["id"] == 1)
            try host.finish()
        }
    }

    @Test("A disk that becomes full during an import is an error, and none of the imported records stays")
    func fullDisk() throws {
        try withTemporaryDirectory { folder in
            try LongWork.events(good: 10_000, bad: 5_000).write(to: URL(filePath: "\(folder)/a.plist"))
            let host = try startHost(
                folder,
                under: ["/bin/sh", "-c", #"trap "" XFSZ; exec "$0" "$@""#],
                unchecked: "a full disk takes no recording either"
            )
            try host.write(save(1).utf8)
            #expect(try host.reply()["id"] == 1)
            func limit(_ bytes: String) throws {
                let program = try Tool(name: "prlimit", package: "util-linux").path()
                let child = try ChildProcess(program, ["--pid", "\(host.pid)", "--fsize=\(bytes):"])
                #expect(try child.wait() == .code(0), "\(child.standardError)")
            }
            try limit("400000")
            try host.write(importing(2, folder).utf8)
            #expect(try host.reply()["error"]?["data"]?["reason"] == "notStored")
            try limit("unlimited")
            try host.write(importing(3, folder).utf8)
            #expect(try host.reply()["result"]?["deadLetters"] == 5_000)
            try host.finish()
            #expect(try LongWork.holdings(folder) == [10_001, 5_000, 7])
        }
    }
}
