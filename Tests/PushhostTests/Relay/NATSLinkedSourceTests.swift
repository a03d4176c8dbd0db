import Foundation
import JSON
import TestSupport
import Testing

/// The source `nats` with messages of several records.
@Suite(.waits) struct NATSLinkedSourceTests {
    private let server: NATSServer
    private let client: NATSClient

    init() throws {
        server = try NATSServer()
        client = try NATSClient(server)
        try client.createStream(partitions: 1)
    }

    private func record(_ number: Int) -> String {
        #"{"kind":"customEvent","name":"e","properties":{"number":\#(number)},"time":"2026-01-01T00:00:00.000Z"}"#
    }

    /// Publishes one message with these records.
    private func publish(_ records: [String]) throws {
        let identity = String(repeating: "0", count: 32)
        let ids = records.indices.map { "\($0 + 1)" }.joined(separator: ",")
        let head = #"{"suite":"app","identity":"\#(identity)","after":0,"top":0,"ids":[\#(ids)],"records":["#
        let text = "\(head)\n\(records.joined(separator: ",\n"))\n]}"
        #expect(try client.request("PUSHHOST.app.\(identity).0", text)["seq"] == 1)
    }

    @Test("A message is acknowledged when the last of its records is settled")
    func acknowledgement() throws {
        try publish((1...5).map(record))
        let source = try NATSSourceDriver(server.url)
        var first: [NATSSourceDriver.Record] = []
        try source.until("records came") {
            first = try source.pull(2)
            return !first.isEmpty
        }
        #expect(first.map(\.id) == [1_024, 1_025] && first.map(\.number) == [1, 2])
        #expect(first[0].json["suite"] == "app")
        #expect(try source.settle(delivered: first).isEmpty)
        #expect(try client.pending() == 1)
        let rest = try source.pull(atLeast: 3)
        #expect(rest.map(\.number) == [3, 4, 5])
        #expect(try source.settle(delivered: rest).isEmpty)
        #expect(try client.pending() == 0)
        try source.end()
    }

    @Test("If a relay dies within a message, the next one hands out what is not settled of it")
    func death() throws {
        try publish((1...5).map(record))
        let killed = try NATSSourceDriver(server.url, lease: 1)
        let records = try killed.pull(atLeast: 5)
        try killed.begin(records)
        #expect(try killed.settle(delivered: [records[0], records[3]], unsent: [records[4]]).isEmpty)
        killed.process.kill(SIGKILL)
        _ = try killed.process.wait()
        let next = try NATSSourceDriver(server.url, lease: 1)
        let rest = try next.pull(atLeast: 3)
        #expect(rest.map(\.number) == [2, 3, 5])
        #expect(rest.map(\.possiblySent) == [1, 1, 0])
        #expect(try next.settle(delivered: rest).isEmpty)
        #expect(try client.pending() == 0)
        try next.end()
    }

    @Test("A dead letter is a record alone, and comes again when it is published to its subject")
    func deadLetter() throws {
        try publish((1...3).map(record))
        let source = try NATSSourceDriver(server.url)
        let records = try source.pull(atLeast: 3)
        #expect(try source.settle(delivered: [records[0], records[2]], dead: [records[1]]).isEmpty)
        #expect(try client.pending() == 0)
        let letter = try #require(try client.messages("PUSHHOST_DEAD").first)
        #expect(letter.subject == "PUSHHOST_DEAD.app.0" && letter.headers["Pushhost-Sequence"] == "1")
        #expect(letter.body["suite"] == "app" && letter.body["id"] == 2)
        #expect(letter.body["properties"] == ["number": 2])
        let subject = try #require(letter.headers["Pushhost-Subject"])
        #expect(try client.request(subject, "\(letter.body)", id: "again")["seq"] == 2)
        let again = try source.pull(atLeast: 1)
        #expect(again.map(\.number) == [2] && again[0].json["name"] == "e")
        try source.end()
    }

    @Test("Lines that are no records, or that name an id of their own, do no harm to the others")
    func foreign() throws {
        try publish([record(1), "no record", #"{"id":7,"suite":"b","number":1}"#, record(4)])
        let source = try NATSSourceDriver(server.url)
        let records = try source.pull(atLeast: 4)
        #expect(records.map(\.id) == [1_024, 1_025, 1_026, 1_027])
        #expect(records.map(\.number) == [1, 0, 0, 4])
        #expect(records[1].json == ["id": 1_025, "suite": "app"])
        #expect(records[2].json == ["id": 1_026, "suite": "app"])
        try source.end()
    }
}
