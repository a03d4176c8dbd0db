import Foundation
import JSON
import TestSupport
import Testing

/// The chain of messages of a suite in a partition, by which no record is stored twice.
@Suite(.waits, .wire) struct NATSChainTests {
    private let user: JSON = ["external_id": "ada"]

    private func save(_ host: HostProcess, _ names: String...) throws {
        for name in names { _ = try host.result("saveCustomEvent", ["name": .string(name), "user": user]) }
    }

    private func names(_ client: NATSClient) throws -> [String] {
        try client.records().compactMap { $0.body["name"]?.string }
    }

    @Test("A message that arrives after its records were published again is not stored")
    func late() throws {
        let server = try NATSServer()
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let host = try workspace.host()
            try save(host, "a", "b", "c")
            try host.publishAll()
            let client = try NATSClient(server)
            let stored = try #require(try client.messages().first)
            // What a host that was killed had sent, with the first records only.
            let reply = try client.request(stored.subject, "\(stored.body)", id: "\(stored.subject)-0")
            #expect(reply["duplicate"] == true && reply["seq"] == 1, "\(reply)")
            #expect(try names(client) == ["a", "b", "c"])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Records that the stream got meanwhile, in another message, are accepted and not published again")
    func otherComposition() throws {
        let server = try NATSServer()
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let host = try workspace.host()
            try save(host, "a")
            try host.publishAll()
            try save(host, "b", "c", "d")
            let planned = try host.result("flushPending", ["to": "nats", "dryRun": true])["requests"]?[0]?["body"]
            let body = try #require(planned)
            let records = try #require(body["records"]?.array)
            let subject = try #require(try NATSClient(server).messages().first?.subject)
            // The first two of them, as a process published them that the host lost.
            let text = """
                {"suite":"standard","identity":\(body["identity"] ?? .null),"after":1,"top":1,"ids":[2,3],"records":[
                \(records[0]),
                \(records[1])
                ]}
                """
            let client = try NATSClient(server)
            #expect(try client.request(subject, text, id: "\(subject)-1")["seq"] == 2)
            #expect(try host.publishAll().count("delivered") == 3)
            #expect(try names(client) == ["a", "b", "c", "d"])
            #expect(try client.messages().map { $0.body["after"]?.integer } == [0, 1, 2])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Of two copies of a suite, each publishes what the other has not, also under the same ids")
    func copies() throws {
        let server = try NATSServer()
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let host = try workspace.host()
            try save(host, "a", "b", "c")
            #expect(try host.finish() == .code(0))
            let copy = NATSWorkspace(folder: "\(workspace.folder)/copy", variables: workspace.variables)
            try FileManager.default.createDirectory(atPath: copy.folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: "\(workspace.folder)/data", toPath: "\(copy.folder)/data")
            let (first, second) = (try workspace.host(), try copy.host())
            for (round, hosts) in [[first, second], [second, first], [first, second]].enumerated() {
                for (number, host) in hosts.enumerated() {
                    try save(host, "\(round).\(number)")
                    try host.publishAll()
                }
            }
            let client = try NATSClient(server)
            #expect(try names(client) == ["a", "b", "c", "0.0", "0.1", "1.0", "1.1", "2.0", "2.1"])
            let ids = try client.records().map { $0.body["id"]?.integer }
            #expect(ids == [1, 2, 3, 4, 4, 5, 5, 6, 6])
            #expect(try first.finish() == .code(0) && second.finish() == .code(0))
        }
    }

    @Test("A chain of which nothing is left in the stream goes on")
    func purged() throws {
        let server = try NATSServer()
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let client = try NATSClient(server)
            let host = try workspace.host()
            try save(host, "a")
            try host.publishAll()
            #expect(try host.finish() == .code(0))
            try client.api("STREAM.PURGE.PUSHHOST")
            // This host finds no message, and the stream remembers the id of the first one nevertheless.
            let next = try workspace.host()
            try save(next, "b")
            try next.publishAll()
            try save(next, "c")
            try next.publishAll()
            #expect(try names(client) == ["b", "c"])
            #expect(try next.finish() == .code(0))
        }
    }
}
