import Foundation
import JSON
import TestSupport
import Testing

/// A relay whose servers are gone for some time.
@Suite(.hangs) struct NATSSourceOutageTests {
    @Test("A relay goes on after its server was killed and started again; what it settles meanwhile is stored once")
    func restart() throws {
        let server = try NATSServer()
        let client = try NATSClient(server)
        try client.createStream(partitions: 2)
        try client.publish(1...100)
        let source = try NATSSourceDriver(server.url)
        let records = try source.pull(atLeast: 100)
        try server.kill()
        // The host repeats the call until the server is there.
        let ids = JSON.array(JSON.Array(integers: records[..<50].map(\.id)))
        let failed = try source.answer(to: try source.send("settle", ["delivered": ids]))
        #expect(failed["error"]?["data"]?["reason"] == "sourceUnavailable")
        try server.start()
        #expect(try source.settle(delivered: Array(records[..<50])).isEmpty)
        #expect(try source.settle(retry: Array(records[50...])).isEmpty)
        let rest = try source.pull(atLeast: 50)
        #expect(rest.map(\.number).sorted() == records[50...].map(\.number).sorted())
        #expect(rest.allSatisfy { $0.possiblySent == 0 })
        try source.settle(delivered: rest)
        let again = try NATSClient(server)
        try source.until("all is acknowledged") {
            let others = try source.pull()
            #expect(others.isEmpty)
            return try again.pending() == 0
        }
    }

    @Test("After an outage that is longer than a lease, revoked records may be settled or given back")
    func longOutage() throws {
        let server = try NATSServer()
        try NATSClient(server).createStream(partitions: 2)
        try NATSClient(server).publish(1...20)
        let source = try NATSSourceDriver(server.url, lease: 1)
        let records = try source.pull(atLeast: 20)
        try server.kill()
        try source.until("the records were revoked") {
            let more = try source.pull()
            #expect(more.isEmpty)
            return source.revoked.count == 20
        }
        try server.start()
        // A record that was being sent is settled nevertheless; the others are given back.
        #expect(try source.settle(delivered: Array(records[..<5]), retry: Array(records[5...])).isEmpty)
        let rest = try source.pull(atLeast: 15)
        #expect(rest.map(\.number).sorted() == records[5...].map(\.number).sorted())
        #expect(rest.allSatisfy { $0.possiblySent == 0 })
    }
}
