import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// Saves with an idempotency key, sent to the host: each ends up in the suite exactly once.
@Suite(.waits, .wire) struct IdempotencyTests {
    /// A save whose event name and key contain the request's id.
    private func keyed(_ id: Int) -> String {
        line(id, "saveCustomEvent", #"{"name":"e\#(id)","idempotencyKey":"client-3.\#(id)"}"#)
    }

    @Test("After 30 kills between save and reply, with every save sent again, each record exists exactly once")
    func killed() throws {
        var generator = SeededGenerator(seed: 30)
        try withTemporaryDirectory { folder in
            var answered: [Int: Int] = [:]
            for round in 0..<30 {
                let requests = (round * 100)..<(round * 100 + 400)
                let host = try startHost(folder)
                try host.write(requests.map(keyed).joined().utf8)
                var replies = try host.replies(Int.random(in: 1...400, using: &generator))
                host.kill(SIGKILL)
                replies += try host.remainingReplies()
                #expect(try host.wait() == .signal(SIGKILL))
                for reply in replies {
                    let id = try #require(reply["id"]?.integer.map(Int.init))
                    let record = try #require(reply["result"]?["id"]?.integer.map(Int.init))
                    if let first = answered[id] {
                        #expect(record == first)
                        #expect(reply["result"]?["repeated"] == true)
                    }
                    answered[id] = record
                }
            }
            let host = try startHost(folder)
            try host.write((0..<3_300).map(keyed).joined().utf8)
            let last = try host.replies(3_300)
            let promises = try confirmed(last)
            #expect(try host.stored() == promises)
            for (id, record) in answered { #expect(promises[record] == "e\(id)") }
            try host.finish()
        }
    }

    @Test("A repeated save returns the first save's id after a flush, a removal and a restart, and from another host")
    func repeated() throws {
        try withTemporaryDirectory { folder in
            let save = #"{"name":"Opened","properties":{"n":1},"idempotencyKey":"k"}"#
            let hosts = try [startHost(folder), startHost(folder)]
            #expect(try hosts[0].result("saveCustomEvent", save) == ["id": 1])
            #expect(try hosts[1].result("saveCustomEvent", save) == ["id": 1, "repeated": true])
            #expect(try hosts[1].result("flushPending")["calls"]?.array?.count == 1)
            #expect(try hosts[0].result("saveCustomEvent", save) == ["id": 1, "repeated": true])
            #expect(
                try hosts[0].result("saveCustomAttribute", #"{"key":"a","value":1,"idempotencyKey":"a"}"#)["id"] == 2
            )
            #expect(try hosts[0].result("resetStorageKeys") == ["removed": 1])
            for host in hosts { try host.finish() }
            let host = try startHost(folder)
            #expect(try host.result("saveCustomEvent", save) == ["id": 1, "repeated": true])
            let attribute = #"{"key":"a","value":1,"idempotencyKey":"a"}"#
            #expect(try host.result("saveCustomAttribute", attribute) == ["id": 2, "repeated": true])
            // A key is unique only within its suite.
            let elsewhere = #"{"suite":"other","name":"Opened","properties":{"n":1},"idempotencyKey":"k"}"#
            #expect(try host.result("saveCustomEvent", elsewhere) == ["id": 1])
            #expect(try host.result("pending")["total"] == 0)
            try host.finish()
        }
    }

    @Test("The second save of a key within one batch and one loop iteration repeats the first")
    func batch() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(folder)
            let members = [keyed(1), keyed(2), keyed(1), keyed(3), keyed(2)].map { $0.dropLast() }
            try host.write("[\(members.joined(separator: ","))]\n".utf8)
            let results = try host.reply().array?.map { $0["result"] }
            #expect(
                results == [
                    ["id": 1], ["id": 2], ["id": 1, "repeated": true], ["id": 3], ["id": 2, "repeated": true],
                ]
            )
            try host.finish()
            #expect(try stored(in: folder) == [1: "e1", 2: "e2", 3: "e3"])
        }
    }

    @Test("Two hosts that send the same thousand saves concurrently store each of them once")
    func atOnce() throws {
        try withTemporaryDirectory { folder in
            let hosts = try (0..<2).map { _ in try startHost(folder) }
            for chunk in 0..<10 {
                let lines = (chunk * 100..<chunk * 100 + 100).map(keyed).joined()
                for host in hosts { try host.write(lines.utf8) }
            }
            let replies = try hosts.map { try $0.replies(1_000) }
            for host in hosts { try host.finish() }
            #expect(try confirmed(replies[0]) == confirmed(replies[1]))
            let fresh = (replies[0] + replies[1]).filter { $0["result"]?["repeated"] == nil }
            #expect(fresh.count == 1_000)
            #expect(try stored(in: folder) == confirmed(fresh))
        }
    }

    // MARK: Other content

    /// Saves, each with the params of another save with different content.
    static let others: [(method: String, params: JSON, other: JSON)] = [
        ("saveCustomEvent", ["name": "a"], ["name": "b"]),
        ("saveCustomEvent", ["name": "a"], ["name": "a", "properties": ["n": 1]]),
        ("saveCustomEvent", ["name": "a"], ["name": "a", "time": "2026-01-01T00:00:00Z"]),
        ("saveCustomEvent", ["name": "a"], ["name": "a", "user": ["external_id": "ada"]]),
        ("saveCustomEvent", ["name": "a", "user": ["braze_id": "a"]], ["name": "a", "user": ["external_id": "a"]]),
        ("saveCustomAttribute", ["key": "a", "value": 1], ["key": "a", "value": 1.0]),
        ("saveCustomAttribute", ["key": "a", "value": 1], ["key": "b", "value": 1]),
        ("saveCustomAttribute", ["key": "a", "value": ["x", "y"]], ["key": "a", "value": ["y", "x"]]),
        ("saveUserAttribute", ["field": "email", "value": "a@b.c"], ["field": "email", "value": .null]),
        ("saveUserAttribute", ["field": "home_city", "value": "Rome"], ["field": "first_name", "value": "Rome"]),
    ]

    @Test(
        "A key reused with different content is refused at the key's path, and nothing is saved",
        arguments: others
    )
    func reused(method: String, params: JSON, other: JSON) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder])
            let key: JSON = "k"
            #expect(try host.result(method, params.setting("idempotencyKey", to: key)) == ["id": 1])
            let error = try host.error(method, other.setting("idempotencyKey", to: key))
            #expect(error.code.rawValue == 211)
            #expect(error.reason == "idempotencyKeyReused")
            #expect(error.data?["path"] == "/params/idempotencyKey")
            #expect(error.data?["id"] == 1)
            #expect(error.data?["suite"] == "standard")
            #expect(try host.result("pending")["total"] == 1)
            #expect(try host.result(method, params.setting("idempotencyKey", to: key))["repeated"] == true)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "A key reused by another method or by position is refused; the same time in another zone is the same content"
    )
    func more() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder])
            let saved: JSON = ["id": 1]
            #expect(try host.result("saveCustomAttribute", ["key": "a", "value": 1, "idempotencyKey": "k"]) == saved)
            #expect(
                try host.error("saveCustomEvent", ["name": "a", "idempotencyKey": "k"]).reason == "idempotencyKeyReused"
            )
            let event: JSON = [
                "name": "a", "properties": ["n": 1], "time": "2026-01-01T01:00:00+01:00",
                "user": ["external_id": "ada"], "idempotencyKey": "t",
            ]
            #expect(try host.result("saveCustomEvent", event) == ["id": 2])
            #expect(try host.result("saveCustomEvent", event.setting("time", to: "2026-01-01T00:00:00Z"))["id"] == 2)
            // By position, the key is the last parameter, after the notification.
            let payload: JSON = ["aps": ["alert": "x"]]
            let shown = try #require(try host.result("didReceive", ["payload": payload])["notification"])
            let position: JSON = [
                "standard", "a", ["n": 2], "2026-01-01T00:00:00Z", ["external_id": "ada"], shown, "t",
            ]
            #expect(try host.error("saveCustomEvent", position).data?["path"] == "/params/6")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "An invalid idempotency key is refused at its path",
        arguments: ["", "a\0b", 7, .null, ["k"], .string(String(repeating: "k", count: 256))] as [JSON]
    )
    func mistyped(key: JSON) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder])
            let error = try host.error("saveCustomEvent", ["name": "a", "idempotencyKey": key])
            #expect(error.code == .invalidParams)
            #expect(error.reason == "mistypedParam")
            #expect(error.data?["path"] == "/params/idempotencyKey")
            #expect(try host.result("suites")["suites"] == [])
            #expect(try host.finish() == .code(0))
        }
    }

    // MARK: Forgetting

    private static let byNumberAlone = ["--idempotency-days", "0", "--clock", "2026-01-01T00:00:00Z"]

    @Test("Beyond --idempotency-keys the oldest key is forgotten first, and a save with it is a new one")
    func number() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--idempotency-keys", "2"] + Self.byNumberAlone)
            func save(_ key: String) throws -> JSON {
                try host.result("saveCustomEvent", ["name": "a", "idempotencyKey": .string(key)])
            }
            for (key, id) in [("z", 1), ("m", 2), ("a", 3)] as [(String, JSON)] { #expect(try save(key) == ["id": id]) }
            #expect(try save("m") == ["id": 2, "repeated": true])
            #expect(try save("a") == ["id": 3, "repeated": true])
            #expect(try save("z") == ["id": 4])
            #expect(try save("m") == ["id": 5])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A key is kept for --idempotency-days and forgotten when a later key is saved")
    func days() throws {
        try withTemporaryDirectory { folder in
            func save(_ keys: [String], on day: String) throws -> JSON {
                let host = try HostProcess(
                    ["--data", folder, "--idempotency-keys", "1", "--idempotency-days", "2"] + [
                        "--clock", "\(day)T00:00:00Z",
                    ]
                )
                let results = try keys.map {
                    try host.result("saveCustomEvent", ["name": "a", "idempotencyKey": .string($0)])
                }
                #expect(try host.finish() == .code(0))
                return JSON(results)
            }
            let first = try save(["old"], on: "2026-01-01")
            #expect(first == [["id": 1]])
            #expect(try save(["new", "old"], on: "2026-01-03") == [["id": 2], ["id": 1, "repeated": true]])
            #expect(
                try save(["old", "newer", "new"], on: "2026-01-04") == [
                    ["id": 1, "repeated": true], ["id": 3], ["id": 2, "repeated": true],
                ]
            )
            #expect(try save(["old"], on: "2026-01-04") == [["id": 4]])
        }
    }

    // MARK: Failures

    @Test("A save that fails on a full disk stores no key: sent again it is saved, and completed saves are repeated")
    func fullDisk() throws {
        try withTemporaryDirectory { folder in
            let host = try startHost(
                folder,
                under: ["/bin/sh", "-c", #"trap "" XFSZ; exec "$0" "$@""#],
                unchecked: "a recording cannot grow on a full disk either"
            )
            let text = String(repeating: "x", count: 200)
            let properties = #"{"a":"\#(text)","b":"\#(text)","c":"\#(text)","d":"\#(text)"}"#
            func keyedAndLarge(_ id: Int) -> String {
                let params = #"{"name":"e\#(id)","properties":\#(properties),"idempotencyKey":"k\#(id)"}"#
                return line(id, "saveCustomEvent", params)
            }
            try host.write(keyedAndLarge(0).utf8)
            _ = try host.reply()
            try limitFiles(of: host, to: "500000")
            try host.write((0..<1_000).map(keyedAndLarge).joined().utf8)
            let first = try host.replies(1_000)
            let kept = first.filter { $0["result"] != nil }
            #expect(first.allSatisfy { $0["result"] != nil || $0["error"]?["data"]?["reason"] == "notStored" })
            #expect(kept.count > 1)
            #expect(kept.count < 1_000)
            try limitFiles(of: host, to: "unlimited")
            try host.write((0..<1_000).map(keyedAndLarge).joined().utf8)
            let second = try host.replies(1_000)
            let repeated = second.filter { $0["result"]?["repeated"] == true }
            #expect(ids(repeated).sorted() == ids(kept).sorted())
            try host.finish()
            #expect(try stored(in: folder) == confirmed(second))
        }
    }

    private func limitFiles(of host: ChildProcess, to bytes: String) throws {
        let program = try Tool(name: "prlimit", package: "util-linux").path()
        let child = try ChildProcess(program, ["--pid", "\(host.pid)", "--fsize=\(bytes):"])
        guard try child.wait() == .code(0) else { throw TestFailure("prlimit failed: \(child.standardError)") }
    }
}

extension JSON {
    /// This object with the member replaced or added.
    func setting(_ name: String, to value: JSON) -> JSON {
        .object((object ?? JSON.Object([])).setting(name, to: value))
    }
}
