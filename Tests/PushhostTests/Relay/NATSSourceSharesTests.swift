import Foundation
import JSON
import TestSupport
import Testing

/// Which partitions relays exchange.
@Suite(.waits) struct NATSSourceSharesTests {
    private let server: NATSServer
    private let client: NATSClient

    init() throws {
        server = try NATSServer()
        client = try NATSClient(server)
        try client.createStream(partitions: 4)
    }

    /// Publishes a message with a thousand records to a partition.
    private func publish(_ number: Int, to partition: Int) throws {
        let identity = String(repeating: "\(number)", count: 32)
        let ids = (1...1_000).map { "\($0)" }.joined(separator: ",")
        let record = #"{"kind":"customEvent","name":"e","time":"2026-01-01T00:00:00.000Z","user":{"external_id":"u"}}"#
        let head = #"{"suite":"app","identity":"\#(identity)","after":0,"top":0,"ids":[\#(ids)],"records":["#
        let records = Array(repeating: record, count: 1_000).joined(separator: ",\n")
        let reply = try client.request("PUSHHOST.app.\(identity).\(partition)", "\(head)\n\(records)\n]}")
        guard reply["seq"] != nil else { throw TestFailure("not stored: \(reply)") }
    }

    /// Pulls with both until each holds half of the partitions.
    private func balance(_ first: NATSSourceDriver, _ second: NATSSourceDriver) throws {
        try first.until("each has its half: \(first.shares), \(second.shares)") {
            for source in [first, second] { _ = try source.pull() }
            return first.shares.last == 0.5 && second.shares.last == 0.5
        }
    }

    @Test("A relay whose partitions are empty gets one in which records wait, for one of its own")
    func busy() throws {
        let (first, second) = (try NATSSourceDriver(server.url, lease: 6), try NATSSourceDriver(server.url, lease: 6))
        try balance(first, second)
        let partitions = try client.partitions(of: first)
        for partition in partitions {
            for number in 1...6 { try publish(number, to: partition) }
        }
        // The first relay's host asks for nothing, as if it were slow.
        var arrived: Set<Int64> = []
        try first.until("records came to the second one, not only \(arrived.count): \(first.shares)") {
            let records = try second.pull()
            arrived.formUnion(records.map(\.id))
            return arrived.count >= 1_000
        }
        try balance(first, second)
        let now = try client.partitions(of: first)
        #expect(now.count == 2 && now.intersection(partitions).count == 1, "\(partitions), then \(now)")
    }
}

extension NATSClient {
    /// The partitions that a relay holds, as it told the others.
    fileprivate func partitions(of source: NATSSourceDriver) throws -> Set<Int> {
        var partitions: Set<Int> = []
        try source.until("the relay told its partitions") {
            _ = try source.pull()
            let subject = "$KV.PUSHHOST_RELAYS.relay.>"
            let names = try api("STREAM.INFO.KV_PUSHHOST_RELAYS", ["subjects_filter": .string(subject)])
            for (name, _) in (names["state"]?["subjects"]?.object.map(Array.init) ?? []) {
                let stored = try api("STREAM.MSG.GET.KV_PUSHHOST_RELAYS", ["last_by_subj": .string(name)])
                let data = stored["message"]?["data"]?.string.flatMap { Data(base64Encoded: $0) } ?? Data()
                guard let value = try? JSON(parsing: String(decoding: data, as: UTF8.self)),
                    value["process"]?.integer == Int64(source.process.pid)
                else { continue }
                partitions = Set(value["partitions"]?.array?.integers?.map { Int($0) } ?? [])
            }
            return partitions.count == 2
        }
        return partitions
    }
}
