import Foundation
import JSON
import TestSupport
import Testing

/// A destination made with the kit, driven by the test as the host would drive it.
@Suite(.waits, .wire) struct DestinationKitTests {
    private let process: ChildProcess

    init() throws {
        process = try ChildProcess(try builtProduct("kit-destination"))
    }

    private func send(_ id: Int?, _ method: String, _ params: JSON) throws {
        let head: [(String, JSON)] = [("jsonrpc", "2.0")] + (id.map { [("id", JSON($0))] } ?? [])
        try process.write(line: "\(JSON.object(JSON.Object(head + [("method", .string(method)), ("params", params)])))")
    }

    private func deliver(_ id: Int, _ records: JSON...) throws {
        try send(id, "deliver", ["suite": "outbox", "batch": JSON(records)])
    }

    private func event(_ id: Int, _ name: String) -> JSON {
        ["id": JSON(id), "kind": "customEvent", "name": .string(name), "time": "2026-01-01T00:00:00.000Z"]
    }

    private func line() throws -> JSON { try JSON(parsing: try #require(try process.readLine())) }

    @Test("A kit destination reads records of every kind and reports the outcome of each")
    func kinds() throws {
        try send(1, "activate", ["version": "1.0", "bundle": "b", "locale": "en", "suites": []])
        #expect(try line()["result"] == ["version": "1.0", "capabilities": ["dryRun", "check"]])
        try deliver(
            2,
            ["id": 4, "kind": "customAttribute", "key": "k", "value": ["inc": 1], "time": "t"],
            ["id": 5, "kind": "userAttribute", "field": "email", "value": .null, "time": "t", "possiblySent": 1],
            event(6, "other"),
            ["id": 7, "kind": "purchase", "name": "n", "time": "t"],
            ["id": 8, "kind": "customEvent", "time": "t"],
            [
                "id": 9, "kind": "customEvent", "name": "log", "properties": ["a": 1, "b": 2], "time": "t",
                "user": ["external_id": "ada"],
            ]
        )
        let log = try line()
        #expect(log["method"] == "log")
        #expect(log["params"] == ["level": "notice", "message": "outbox t 1 2"])
        #expect(
            try line()["result"] == [
                "accepted": [9],
                "rejected": [["id": 4, "reason": "k is {\"inc\":1}"]],
                "uncertain": [6],
                "held": [
                    ["id": 5, "reason": "email 1"],
                    ["id": 7, "reason": "the record has the unknown kind \"purchase\""],
                    ["id": 8, "reason": "the record has no name"],
                ],
            ]
        )
    }

    @Test("A dry run shows the requests and delivers nothing, and a check says what the author's code found")
    func inspection() throws {
        try send(1, "activate", ["version": "1.1", "bundle": "b", "locale": "en", "suites": []])
        _ = try line()
        func dryRun(_ id: Int, _ records: JSON...) throws {
            try send(id, "deliver", ["suite": "outbox", "batch": JSON(records), "dryRun": true])
        }
        try dryRun(2, event(4, "one"), ["id": 5, "kind": "userAttribute", "field": "email", "value": 1, "time": "t"])
        let request: JSON = ["method": "PUT", "url": "test:1", "headers": ["A": "b"], "body": "one"]
        #expect(try line()["result"] == ["requests": [request], "held": [["id": 5, "reason": "not an event"]]])
        try dryRun(3, event(4, "refuse"))
        #expect(try line()["error"]?["data"]?["reason"] == "notNow")
        try send(4, "check", [:])
        let check: JSON = [
            "reachable": true, "accepted": true, "milliseconds": 7, "date": "2026-01-01T00:00:00.000Z",
            "message": "here",
        ]
        #expect(try line()["result"] == check)
    }

    @Test("The share of the rate limit is passed on; without one it is the whole limit, and any other value is refused")
    func share() throws {
        for (id, share) in [nil, 1, 0.125, 0, -0.5, 1.5, "half", .null].enumerated() as EnumeratedSequence<[JSON?]> {
            let batch: JSON.Object = ["suite": "outbox", "batch": [event(4, "share")]]
            try send(id, "deliver", .object(share.map { batch.setting("rateShare", to: $0) } ?? batch))
            let reply = try line()
            guard let number = share.map(\.number) ?? 1, number > 0, number <= 1 else {
                #expect(reply["error"]?["data"]?["path"] == "/params/rateShare", "\(reply)")
                continue
            }
            #expect(reply["params"]?["message"] == .string(share == nil ? "the whole limit" : "\(number)"))
            #expect(try line()["result"] == ["accepted": [4]])
        }
    }

    @Test("The time until which a batch may be sent is passed on, and any other value is refused")
    func sendUntil() throws {
        for (id, time) in ["2026-01-01T00:00:07.250Z", "soon", 7].enumerated() as EnumeratedSequence<[JSON]> {
            try send(id, "deliver", ["suite": "outbox", "batch": [event(4, "until")], "sendUntil": time])
            let reply = try line()
            guard id == 0 else {
                #expect(reply["error"]?["data"]?["path"] == "/params/sendUntil", "\(reply)")
                continue
            }
            #expect(reply["params"]?["message"] == "1767225607.25")
            #expect(try line()["result"] == ["accepted": [4]])
        }
    }

    @Test("An error reports that nothing was attempted, and the next batch is accepted")
    func refusals() throws {
        try deliver(1, event(1, "refuse"))
        #expect(try line()["error"]?["data"]?["reason"] == "notNow")
        try deliver(2, ["kind": "customEvent", "name": "n", "time": "t"])
        #expect(try line()["error"]?["data"]?["path"] == "/params/batch/0")
        try send(3, "deliver", ["suite": "outbox"])
        #expect(try line()["error"]?["code"] == -32602)
        try send(4, "didReceive", [:])
        #expect(try line()["error"]?["code"] == -32601)
        try deliver(5)
        #expect(try line()["result"] == [:])
    }

    @Test("Batches are delivered concurrently, and each is answered when it is done")
    func concurrency() throws {
        try deliver(1, event(1, "wait"))
        try deliver(2, event(2, "go"))
        #expect(try [line(), line()].compactMap { $0["id"]?.integer }.sorted() == [1, 2])
    }

    @Test("Received batches are finished before the destination exits", arguments: ["deactivate", "end of input"])
    func end(_ how: String) throws {
        try deliver(1, event(1, "wait"))
        if how == "deactivate" { try send(nil, "deactivate", [:]) }
        try deliver(2, event(2, "go"))
        if how == "end of input" { process.closeInput() }
        #expect(try [line(), line()].compactMap { $0["id"]?.integer }.sorted() == [1, 2])
        #expect(try process.readLine() == nil)
        #expect(try process.wait() == .code(0))
    }

    @Test(
        "Other processes of the same user cannot read the destination's environment, unlike that of ordinary programs",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/environ"), "the system has no /proc")
    )
    func hidden() throws {
        // Root is treated as an ordinary user once it drops its capabilities.
        let user = geteuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : ["env"]
        let environment = ["PATH": "/usr/bin:/bin", "KEY": "x"]
        func seen(of program: String) throws -> String {
            let child = try ChildProcess("/usr/bin/env", user + [program], environment: environment)
            try child.write(line: #"{"jsonrpc": "2.0", "id": 1, "method": "deliver", "params": ["outbox", []]}"#)
            #expect(try child.readLine()?.contains("jsonrpc") == true, "\(child.standardError)")
            let other = try ChildProcess("/usr/bin/env", user + ["cat", "/proc/\(child.pid)/environ"])
            return try other.readToEnd()
        }
        #expect(try seen(of: "cat").contains("KEY=x"))
        #expect(try seen(of: builtProduct("kit-destination")) == "")
    }
}
