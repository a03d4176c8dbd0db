import Foundation
import JSON
import TestSupport
import Testing

/// The destination `nats` with a server that does what it is asked.
@Suite(.waits, .wire) struct NATSDestinationTests {
    @Test("The records of a partition become one message: the subject, the id and the body are as the page says")
    func message() throws {
        let server = try NATSServer()
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let host = try workspace.host()
            let user: JSON = ["external_id": "ada"]
            for (method, params) in [
                (
                    "saveCustomEvent",
                    ["name": "Opened", "properties": ["n": 1], "user": user, "suite": "a.b_c"] as JSON
                ),
                ("saveCustomAttribute", ["key": "k", "value": ["inc": 2], "user": user, "suite": "a.b_c"]),
                ("saveUserAttribute", ["field": "first_name", "value": "Ada", "user": user, "suite": "a.b_c"]),
            ] {
                _ = try host.result(method, params)
            }
            let planned = try #require(try host.deliver(to: "nats", [("suite", "a.b_c"), ("dryRun", true)])["result"])
            #expect(try host.deliver(to: "nats", [("suite", "a.b_c")])["result"]?["delivered"] == 3)
            let messages = try NATSClient(server).messages()
            let message = try #require(messages.first)
            #expect(messages.count == 1)
            let match = try #require(message.subject.wholeMatch(of: /PUSHHOST\.a%2Eb_c\.([0-9a-f]{32})\.(\d+)/))
            #expect((0..<16).contains(Int(match.2) ?? -1))
            #expect(message.headers["Nats-Msg-Id"] == "\(message.subject)-0")
            let request = try #require(planned["requests"]?[0])
            #expect(request["headers"]?["Nats-Msg-Id"]?.string == "\(message.subject)-0")
            #expect(request["body"] == message.body)
            #expect(request["url"]?.string == "\(server.url)/\(message.subject)")
            #expect(message.body.object?.map(\.name) == ["suite", "identity", "after", "top", "ids", "records"])
            #expect(message.body["suite"] == "a.b_c" && message.body["identity"]?.string == String(match.1))
            #expect(message.body["after"] == 0 && message.body["top"] == 0 && message.body["ids"] == [1, 2, 3])
            let records = try #require(message.body["records"]?.array)
            #expect(records.allSatisfy { $0["user"] == user && $0["time"]?.string != nil })
            #expect(records[0].object?.map(\.name) == ["kind", "name", "properties", "time", "user"])
            #expect(records[1]["key"] == "k" && records[1]["value"] == ["inc": 2])
            #expect(records[2]["field"] == "first_name" && records[2]["kind"] == "userAttribute")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("In a stream of an earlier version a record is a message of its own, as its relays know it")
    func singleRecords() throws {
        let server = try NATSServer()
        let client = try NATSClient(server)
        try client.createStream(isLinked: false)
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let host = try workspace.host()
            let ids = try host.saveRecords(30, users: 3)
            try host.publishAll()
            let messages = try client.messages()
            #expect(messages.count == 30 && messages[0].subject.wholeMatch(of: /PUSHHOST\.standard\.\d+/) != nil)
            messages.expectOnceInOrder(ids)
            let first = try #require(messages.first)
            let names = ["suite", "identity", "id", "kind", "name", "properties", "time", "user"]
            #expect(first.body.object?.map(\.name) == names)
            let prefix = "\(first.body["identity"]?.string ?? "")-\(first.body["id"]?.integer ?? 0)-"
            #expect(first.headers["Nats-Msg-Id"]?.hasPrefix(prefix) == true)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A missing stream is created as the variables say")
    func creation() throws {
        let server = try NATSServer()
        let variables = [
            "NATS_URL": server.url, "NATS_STREAM": "FLEET", "NATS_PARTITIONS": "3", "NATS_DUPLICATES_SECONDS": "300",
        ]
        try NATSWorkspace.with(variables) { workspace in
            let host = try workspace.host()
            try host.saveRecords(50, users: 20)
            try host.publishAll()
            let info = try NATSClient(server).streamInfo("FLEET")
            let config = info["config"]
            #expect(config?["subjects"] == ["FLEET.*.*.0", "FLEET.*.*.1", "FLEET.*.*.2"])
            #expect(config?["retention"] == "limits" && config?["discard"] == "new" && config?["storage"] == "file")
            #expect(config?["duplicate_window"] == 300_000_000_000)
            #expect(info["state"]?["num_subjects"] == 3, "20 users are in all partitions")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("The stream says how many partitions there are, and users that are one user to Braze have the same one")
    func partitions() throws {
        let server = try NATSServer()
        let client = try NATSClient(server)
        try client.createStream(partitions: 64)
        try NATSWorkspace.with(["NATS_URL": server.url, "NATS_PARTITIONS": "2"]) { workspace in
            let host = try workspace.host()
            for user: JSON in [
                ["external_id": "ada"], ["external_id": "ada", "email": "ada@example.com"],
                ["email": "ada@example.com"], ["phone": "+491701234567", "email": "ada@example.com"],
                ["user_alias": ["alias_name": "a", "alias_label": "b"]],
                ["user_alias": ["alias_label": "b", "alias_name": "a"]],
            ] {
                _ = try host.result("saveCustomEvent", ["name": "e", "user": user])
            }
            try host.publishAll()
            let byRecord = try client.records().sorted { $0.body["id"]?.integer ?? 0 < $1.body["id"]?.integer ?? 0 }
            let subjects = byRecord.map(\.subject)
            #expect(subjects.count == 6)
            #expect(subjects[0] == subjects[1] && subjects[2] == subjects[3] && subjects[4] == subjects[5])
            #expect(Set(subjects).count == 3)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Thousands of records arrive once, those of each user in order")
    func order() throws {
        let server = try NATSServer()
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let host = try workspace.host()
            let ids = try host.saveRecords(3_000, users: 40)
            #expect(try host.publishAll().count("delivered") == 3_000)
            try NATSClient(server).records().expectOnceInOrder(ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A host that is killed between publication and settlement publishes again with the same ids, stored once")
    func redelivery() throws {
        let server = try NATSServer()
        let client = try NATSClient(server)
        try client.createStream()
        try client.watch("PUSHHOST.>")
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let killed = try workspace.host()
            let ids = try killed.saveRecords(10_000, users: 1)
            try killed.request("flushPending", ["to": "nats"])
            // The records of one user follow each other, so most of the batches are still to come.
            _ = try client.awaitMessage()
            killed.process.kill(SIGKILL)
            #expect(try killed.process.wait() == .signal(SIGKILL))
            let other = try NATSClient(server)
            let before = try other.messages().count
            let host = try workspace.host()
            let result = try host.publishAll()
            // What the killed host had settled already does not come again.
            #expect((1...10_000).contains(result.count("delivered")))
            #expect(before > 0)
            let messages = try other.records()
            messages.expectOnceInOrder(ids)
            #expect(try host.all("deadLetters", "deadLetters").isEmpty)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("`check` says what the server has, and that a missing stream will be created")
    func check() throws {
        let server = try NATSServer()
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let host = try workspace.host()
            func check() throws -> JSON { try host.result("checkDestination", ["to": "nats"]) }
            let missing = try check()
            #expect(missing["reachable"] == true && missing["accepted"] == true)
            #expect(missing["message"]?.string == "\(server.url) has no stream PUSHHOST; the first delivery creates it")
            try host.saveRecords(1)
            try host.publishAll()
            let text = "\(server.url) has the stream PUSHHOST: 16 partitions, one replica"
            #expect(try check()["message"]?.string == text)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A stream with fewer replicas than the variable says takes records, and a warning says how to correct it")
    func replicas() throws {
        let server = try NATSServer()
        try NATSClient(server).createStream()
        try NATSWorkspace.with(["NATS_URL": server.url, "NATS_REPLICAS": "3"]) { workspace in
            let host = try workspace.host()
            try host.saveRecords(3, users: 1)
            try host.publishAll()
            #expect(try host.finish() == .code(0))
            let log = host.process.standardError
            #expect(log.contains("nats stream edit PUSHHOST --replicas 3"), "\(log)")
        }
    }
}
