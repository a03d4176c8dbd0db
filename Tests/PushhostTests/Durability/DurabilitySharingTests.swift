import Foundation
import JSON
import TestSupport
import Testing

/// Several processes share a suite.
@Suite(.waits, .wire) struct DurabilitySharingTests {
    @Test("Two hosts that start simultaneously on a missing folder store ten thousand events each")
    func twoHosts() throws {
        try withTemporaryDirectory { folder in
            let hosts = try (0..<2).map { _ in try startHost(folder) }
            var replies: [[JSON]] = [[], []]
            for chunk in 0..<20 {
                for (number, host) in hosts.enumerated() {
                    let first = number * 10_000 + chunk * 500
                    try host.write(saves(first..<(first + 500)).utf8)
                }
            }
            for (number, host) in hosts.enumerated() {
                replies[number] = try host.replies(10_000)
                #expect(replies[number].filter { $0["result"] == nil } == [])
                #expect(ids(replies[number]) == Array((number * 10_000)..<((number + 1) * 10_000)))
                try host.finish()
            }
            let promises = try confirmed(replies[0] + replies[1])
            #expect(promises.count == 20_000)
            #expect(try stored(in: folder) == promises)
        }
    }

    @Test("Four hosts that create the same suite simultaneously all succeed, thirty times")
    func creation() throws {
        for _ in 0..<30 {
            try withTemporaryDirectory { folder in
                let hosts = try (0..<4).map { _ in try startHost(folder) }
                for (number, host) in hosts.enumerated() { try host.write(save(number).utf8) }
                let replies = try hosts.map { try $0.reply() }
                for host in hosts { try host.finish() }
                #expect(try confirmed(replies).count == 4, "\(replies)")
                #expect(try stored(in: folder) == confirmed(replies))
            }
        }
    }

    @Test(
        "While another process locks the suite for two seconds, saves wait in order, pings are answered, and nothing fails"
    )
    func held() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write(save(0).utf8)
            _ = try host.reply()
            let other = try SuiteHolder("\(folder)/data/standard.sqlite", seconds: 2)
            let requests = (1...200).map { $0.isMultiple(of: 4) ? line($0, "ping") : save($0) }
            try host.write(requests.joined().utf8)
            // A read of the suite waits for the earlier saves.
            try host.write(line(201, "pending", #"{"limit":1}"#).utf8)
            let pings = (1...50).map { $0 * 4 }
            #expect(ids(try host.replies(50)) == pings)
            other.process.closeInput()
            let rest = try host.replies(151)
            #expect(ids(rest) == (1...201).filter { !pings.contains($0) })
            #expect(try confirmed(Array(rest.dropLast())).count == 150)
            #expect(rest.last?["result"]?["total"] == 151)
            #expect(try other.process.wait() == .code(0))
            try host.finish()
            #expect(try stored(in: folder).count == 151)
        }
    }

    @Test("While the default suite is locked, saves to another suite are answered")
    func otherSuite() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write(save(0).utf8)
            _ = try host.reply()
            let other = try SuiteHolder("\(folder)/data/standard.sqlite")
            try host.write(save(1).utf8)
            #expect(try host.result("saveCustomEvent", #"{"name":"x","suite":"other"}"#)["id"] == 1)
            other.process.closeInput()
            #expect(try host.reply()["id"] == 1)
            try host.finish()
        }
    }

    @Test("If a suite is locked longer than the host waits, each save is answered suiteBusy, and later saves work")
    func heldTooLong() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write(save(0).utf8)
            _ = try host.reply()
            let other = try SuiteHolder("\(folder)/data/standard.sqlite")
            try host.write((save(1) + save(2) + save(3)).utf8)
            func expectBusy(_ reply: JSON, _ id: Int) {
                #expect(reply["id"] == .integer(Int64(id)))
                #expect(reply["error"]?["code"] == 202)
                #expect(reply["error"]?["data"]?["reason"] == "suiteBusy")
            }
            expectBusy(try host.reply(), 1)
            // The other saves have waited as long, so they are answered together, not after one timeout each.
            try host.write(line(4, "ping").utf8)
            let rest = try host.replies(3)
            #expect(ids(rest) == [2, 3, 4])
            for reply in rest where reply["id"] != 4 { expectBusy(reply, reply["id"] == 2 ? 2 : 3) }
            other.process.closeInput()
            #expect(try other.process.wait() == .code(0))
            try host.write(save(5).utf8)
            #expect(try host.reply()["result"] == ["id": 2])
            try host.finish()
            #expect(try stored(in: folder) == [1: "e0", 2: "e5"])
        }
    }

    @Test("If a suite is locked longer than the host waits, a removal of many records is answered suiteBusy")
    func heldTooLongForJob() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write(saves(0..<600).utf8)
            _ = try host.replies(600)
            let other = try SuiteHolder("\(folder)/data/standard.sqlite")
            try host.write(line(1_000, "resetStorageKeys").utf8)
            let reply = try host.reply()
            #expect(reply["id"] == 1_000)
            #expect(reply["error"]?["data"]?["reason"] == "suiteBusy")
            other.process.closeInput()
            #expect(try other.process.wait() == .code(0))
            #expect(try host.result("resetStorageKeys") == ["removed": 600])
            try host.finish()
        }
    }

    @Test("While another process keeps readers out of a suite, a list of the suites waits, and pings are answered")
    func listed() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            try host.write((save(0) + line(1, "saveCustomEvent", #"{"name":"x","suite":"other"}"#)).utf8)
            _ = try host.replies(2)
            try host.finish()
            // As SQLite does for a moment when it repairs the log of a killed process, or closes a suite.
            let other = try SuiteHolder("\(folder)/data/standard.sqlite", keepsReadersOut: true)
            let next = try startHost(folder)
            try next.write((line(2, "suites") + line(3, "ping")).utf8)
            #expect(try next.reply()["id"] == 3)
            other.process.closeInput()
            let reply = try next.reply()
            #expect(reply["id"] == 2)
            let pending = reply["result"]?["suites"]?.array.map { $0.map { [$0["suite"], $0["pending"]] } }
            #expect(pending == [["other", 1], ["standard", 1]])
            try next.finish()
        }
    }
}
