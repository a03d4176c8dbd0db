import Foundation
import JSON
import TestSupport
import Testing

/// Everything that was answered survives `kill -9`.
@Suite(.waits, .wire) struct DurabilityKillTests {
    @Test("Killed fifty times at random moments during pipelined saves, the host keeps everything that it answered")
    func fiftyTimes() throws {
        var generator = SeededGenerator(seed: 50)
        try withTemporaryDirectory { folder in
            var host = try startHost(folder)
            var last = 0
            var total = 0
            for round in 0..<50 {
                let first = round * 10_000
                let count = Int.random(in: 1...1_000, using: &generator)
                try host.write(saves(first..<(first + count)).utf8)
                var replies = try host.replies(Int.random(in: 0...count, using: &generator))
                for _ in 0..<Int.random(in: 0...2_000, using: &generator) { sched_yield() }
                host.kill(SIGKILL)
                replies += try host.remainingReplies()
                #expect(try host.wait() == .signal(SIGKILL))
                #expect(replies.allSatisfy { $0["result"] != nil })

                host = try startHost(folder)
                let found = try host.stored(after: last)
                for (id, name) in try confirmed(replies) { #expect(found[id] == name, "round \(round)") }
                // Saves that were stored but not answered are the first of those sent, without gaps.
                let names = found.sorted { $0.key < $1.key }.map(\.value)
                #expect(names == names.indices.map { "e\(first + $0)" })
                total += found.count
                last = max(last, found.keys.max() ?? 0)
                #expect(try host.result("pending", #"{"limit":1}"#)["total"] == .integer(Int64(total)))
            }
            try host.finish()
        }
    }

    @Test("Records flushed without a lease are gone after the reply, even if the host is killed")
    func flush() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write(saves(0..<5).utf8)
            _ = try host.replies(5)
            #expect(try host.result("flushPending", #"{"limit":3}"#)["calls"]?.array?.count == 3)
            host.kill(SIGKILL)
            #expect(try host.wait() == .signal(SIGKILL))
            #expect(try stored(in: folder) == [4: "e3", 5: "e4"])
        }
    }

    @Test("Records flushed under a lease are offered again after the lease expires, and not before")
    func leasedFlush() throws {
        try withTemporaryDirectory { folder in
            func start(_ time: String) throws -> ChildProcess {
                try startHost(folder, ["--clock", "2026-01-01T00:0\(time)Z"])
            }
            let host = try start("0:00")
            try host.write(saves(0..<3).utf8)
            _ = try host.replies(3)
            let lease = try #require(try host.result("flushPending", #"{"lease":60}"#)["lease"]?.string)
            host.kill(SIGKILL)
            #expect(try host.wait() == .signal(SIGKILL))

            let early = try start("0:30")
            #expect(try early.result("flushPending")["calls"] == [])
            #expect(try early.result("pending")["total"] == 3)
            try early.finish()

            let late = try start("2:00")
            try late.write(line(1, "acknowledge", #"{"lease":"\#(lease)"}"#).utf8)
            #expect(try late.reply()["error"]?["data"]?["reason"] == "leaseExpired")
            #expect(try late.result("flushPending")["calls"]?.array?.count == 3)
            try late.finish()
            #expect(try stored(in: folder).isEmpty)
        }
    }

    @Test("An acknowledgement that was answered survives a kill")
    func acknowledged() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write(saves(0..<3).utf8)
            _ = try host.replies(3)
            let lease = try #require(try host.result("flushPending", #"{"lease":60,"limit":2}"#)["lease"]?.string)
            #expect(try host.result("acknowledge", #"{"lease":"\#(lease)"}"#) == ["acknowledged": 2])
            host.kill(SIGKILL)
            #expect(try host.wait() == .signal(SIGKILL))
            #expect(try stored(in: folder) == [3: "e2"])
        }
    }

    @Test("If the log is removed under a running host, everything answered before or afterwards survives")
    func removedLog() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            var replies: [JSON] = []
            for id in 0..<60 {
                try host.write(save(id).utf8)
                replies.append(try host.reply())
                if id % 20 == 10 { try FileManager.default.removeItem(atPath: "\(folder)/data/standard.sqlite-wal") }
            }
            host.kill(SIGKILL)
            #expect(try host.wait() == .signal(SIGKILL))
            #expect(try confirmed(replies).count == 60)
            #expect(try stored(in: folder) == confirmed(replies))
        }
    }

    @Test(
        "If a log that two hosts share is removed, everything answered survives",
        arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]]
    )
    func sharedLog(suffixes: [String]) throws {
        try withTemporaryDirectory { folder in
            let hosts = try [startHost(folder), startHost(folder)]
            var replies: [JSON] = []
            for id in 0..<40 {
                try hosts[id % 2].write(save(id).utf8)
                replies.append(try hosts[id % 2].reply())
                for suffix in suffixes where id % 10 == 5 {
                    try FileManager.default.removeItem(atPath: "\(folder)/data/standard.sqlite\(suffix)")
                }
            }
            for host in hosts { host.kill(SIGKILL) }
            for host in hosts { #expect(try host.wait() == .signal(SIGKILL)) }
            #expect(try confirmed(replies).count == 40)
            #expect(try stored(in: folder) == confirmed(replies))
        }
    }

    @Test(
        "If the index is removed, everything answered survives, whether the host that makes the next one is running or not",
        arguments: [false, true]
    )
    func removedIndex(hasEnded: Bool) throws {
        try withTemporaryDirectory { folder in
            let first = try startHost(folder)
            var replies: [JSON] = []
            for id in 0..<10 { replies.append(try first.answer(save(id))) }
            try FileManager.default.removeItem(atPath: "\(folder)/data/standard.sqlite-shm")
            let second = try startHost(folder)
            for id in 10..<20 { replies.append(try second.answer(save(id))) }
            if hasEnded { try second.finish() }
            for id in 20..<30 { replies.append(try first.answer(save(id))) }
            for host in hasEnded ? [first] : [first, second] {
                host.kill(SIGKILL)
                #expect(try host.wait() == .signal(SIGKILL))
            }
            #expect(try confirmed(replies).count == 30)
            #expect(try stored(in: folder) == confirmed(replies))
        }
    }
}

extension ChildProcess {
    /// The answer to a line while no other request is outstanding.
    fileprivate func answer(_ line: String) throws -> JSON {
        try write(line.utf8)
        return try reply()
    }
}
