import Foundation
import JSON
import TestSupport
import Testing

/// The destination `nats` with a server that refuses something.
@Suite(.waits, .wire) struct NATSDestinationFailureTests {
    @Test("A message that is larger than the server allows becomes a dead letter; the others arrive")
    func tooLarge() throws {
        let server = try NATSServer("max_payload: 1024")
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let host = try workspace.host()
            let user: JSON = ["external_id": "ada"]
            for count in [1, 20, 1] {
                let text = JSON.string(String(repeating: "x", count: 100))
                let properties = JSON.object(JSON.Object((0..<count).map { ("p\($0)", text) }))
                _ = try host.result("saveCustomEvent", ["name": "e", "properties": properties, "user": user])
            }
            let result = try host.publishAll()
            #expect(result.count("delivered") == 2 && result.count("rejected") == 1)
            let dead = try #require(try host.all("deadLetters", "deadLetters").first)
            #expect(dead["reason"]?.string?.contains("greater than maximum allowed: 1024") == true, "\(dead)")
            #expect(try NATSClient(server).records().compactMap { $0.body["id"] } == [1, 3])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A full stream keeps the records in the host, until there is room")
    func full() throws {
        let server = try NATSServer()
        let client = try NATSClient(server)
        try client.createStream("PUSHHOST", [("max_msgs", 1)])
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let host = try workspace.host(patience: 0)
            var ids = try host.saveRecords(10, users: 1)
            try host.publishAll()
            ids += try host.saveRecords(5, users: 1)
            let error = try host.deliver(to: "nats")["error"]
            #expect(error?["data"]?["reason"] == "destinationUnavailable", "\(error ?? .null)")
            #expect(error?.description.contains("maximum messages exceeded") == true, "\(error ?? .null)")
            #expect(try host.all("pending", "records").compactMap { $0["id"]?.integer } == Array(ids[10...]))
            try client.records().expectOnceInOrder(Array(ids[..<10]))
            #expect(try host.finish() == .code(0))
            try client.api("STREAM.PURGE.PUSHHOST")
            let next = try workspace.host()
            try next.publishAll()
            try client.records().expectOnceInOrder(Array(ids[10...]))
            #expect(try next.finish() == .code(0))
        }
    }

    @Test("A stream with other properties stops the delivery, with a sentence that says what to change")
    func wrongStream() throws {
        let server = try NATSServer()
        let client = try NATSClient(server)
        try client.createStream("OLD", [("retention", "workqueue"), ("discard", "old")])
        try client.createStream("AGED", [("max_age", 600_000_000_000)])
        try client.createStream("OTHER", [("subjects", ["orders.*"])])
        try client.createStream("TAKEN", [("subjects", ["SHARED.*.*.0"])])
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            for (stream, text) in [
                ("OLD", "its retention must be limits; it must discard new messages"),
                ("AGED", "it must have no max_age and no max_msgs_per_subject"),
                ("OTHER", "its subjects must be OTHER.*.*.0, OTHER.*.*.1 and so on, they are orders.*"),
                ("SHARED", "subjects overlap with an existing stream"),
                ("A.B", "NATS_STREAM must have 1 to 32 of the characters"),
            ] {
                let host = try workspace.host(["NATS_STREAM": stream])
                try host.saveRecords(1)
                try host.expectStop(text)
                #expect(try host.finish() == .code(0))
            }
        }
    }

    @Test(
        "An account without the permission to publish, or to create the stream, stops the delivery with the server's words"
    )
    func permissions() throws {
        let server = try NATSServer(
            """
            authorization: { users: [
                { user: admin, password: admin },
                { user: host, password: "a-secret", permissions: {
                    publish: ["$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.*"], subscribe: ["_INBOX.>"]
                } }
            ] }
            """
        )
        let url = "nats://host:a-secret@127.0.0.1:\(server.port)"
        try NATSWorkspace.with(["NATS_URL": url, "NATS_TIMEOUT_MILLISECONDS": "500"]) { workspace in
            let host = try workspace.host()
            let ids = try host.saveRecords(20)
            try host.expectStop("Permissions Violation for Publish to \"$JS.API.STREAM.CREATE.PUSHHOST\"")
            let client = try NATSClient(server, user: ("admin", "admin"))
            try client.createStream()
            try host.expectStop("Permissions Violation for Publish to \"PUSHHOST.standard.")
            #expect(try host.all("pending", "records").count == ids.count)
            #expect(try host.all("deadLetters", "deadLetters").isEmpty)
            #expect(try host.finish() == .code(0))
            #expect(!host.process.standardError.contains("secret"))
        }
    }

    @Test(
        "Wrong or missing settings stop the delivery, and nothing is quoted that may be a secret",
        arguments: [
            ([:], "NATS_URL is not set"),
            (["NATS_URL": "http://me:hidden@x"], "must be a list of URLs nats://… or tls://…"),
            (["NATS_URL": "nats://x", "NATS_PARTITIONS": "0"], "NATS_PARTITIONS must be an integer from 1 to 256"),
            (["NATS_URL": "nats://x", "NATS_CREDS": "hidden"], "NATS_CREDS must be the absolute path of a file"),
            (["NATS_URL": "nats://x", "NATS_CREDS": "/nowhere"], "cannot be read: No such file or directory"),
        ]
    )
    func settings(variables: [String: String], text: String) throws {
        try NATSWorkspace.with(variables) { workspace in
            let host = try workspace.host()
            try host.saveRecords(1)
            try host.expectStop(text)
            #expect(try host.finish() == .code(0))
            #expect(!host.process.standardError.contains("hidden"))
        }
    }
}
