import Foundation
import JSON
import TestSupport
import Testing

/// The source `nats`, driven by a test as a host would drive it.
final class NATSSourceDriver {
    /// A record that the source handed out.
    struct Record {
        let id: Int64
        /// The number that the test gave to the record.
        let number: Int64
        let possiblySent: Int64
        let json: JSON
    }

    let process: ChildProcess
    /// What the source revoked.
    private(set) var revoked: Set<Int64> = []
    /// The shares that the source announced.
    private(set) var shares: [Double] = []
    /// The messages of its log.
    private(set) var log: [String] = []
    private var calls: Int64 = 0

    /// Starts and activates the source.
    ///
    /// - Parameters:
    ///   - url: The servers.
    ///   - lease: The seconds of a lease. Long ones show that nothing waits for their end.
    /// - Throws: Why it does not start.
    init(_ url: String, lease: Int = 600) throws {
        process = try ChildProcess("\(try NATSPackage.bundles())/source/nats-source")
        let environment: JSON = ["NATS_URL": .string(url), "NATS_LEASE_SECONDS": .string(String(lease))]
        try call(
            "activate",
            ["version": "1.0", "bundle": "b", "locale": "en", "suites": [], "environment": environment]
        )
    }

    /// Makes a call and returns its result.
    @discardableResult
    func call(_ method: String, _ params: JSON = [:]) throws -> JSON {
        let reply = try answer(to: try send(method, params))
        if let error = reply["error"] { throw TestFailure("\(method) failed: \(error)") }
        return reply["result"] ?? .null
    }

    /// Sends a call, whose answer ``answer(to:)`` reads.
    func send(_ method: String, _ params: JSON = [:]) throws -> Int64 {
        calls += 1
        let call: JSON = [
            "jsonrpc": "2.0", "id": .integer(calls), "method": .string(method), "params": params,
        ]
        try process.write(line: "\(call)")
        return calls
    }

    /// Reads up to the answer to a call.
    func answer(to call: Int64) throws -> JSON {
        while true {
            let line = try JSON(parsing: try #require(try process.readLine()))
            if line["id"]?.integer == call { return line }
            let params = line["params"]
            switch line["method"]?.string {
            case "revoked": revoked.formUnion(Self.integers(params?["ids"]))
            case "share": shares.append(params?["share"]?.number ?? 0)
            case "log": log.append(params?["message"]?.string ?? "")
            default: throw TestFailure("unexpected line \(line)")
            }
        }
    }

    private static func integers(_ list: JSON?) -> [Int64] { list?.array?.compactMap(\.integer) ?? [] }

    /// Pulls once.
    func pull(_ limit: Int = 1_000) throws -> [Record] {
        let reply = try answer(to: try send("pull", ["limit": JSON(limit), "wait": 200]))
        // The servers may not answer for a moment; the host calls again, too.
        guard let result = reply["result"] else { return [] }
        return (result["records"]?.array).map(Array.init)?.map { record in
            Record(
                id: record["id"]?.integer ?? 0,
                number: record["properties"]?["number"]?.integer ?? 0,
                possiblySent: record["possiblySent"]?.integer ?? 0,
                json: record
            )
        } ?? []
    }

    /// Pulls until a number of records came.
    func pull(atLeast count: Int) throws -> [Record] {
        var records: [Record] = []
        try until("\(count) records came, not only \(records.count)") {
            records += try pull()
            return records.count >= count
        }
        return records
    }

    /// Begins records, and repeats the call if it fails, as the host does.
    ///
    /// - Parameter records: The records that may be sent from now on.
    /// - Returns: The records that are not this source's any more.
    /// - Throws: An error if the source did not answer or failed for too long.
    @discardableResult
    func begin(_ records: [Record]) throws -> Set<Int64> {
        let params: JSON = ["ids": .array(JSON.Array(integers: records.map(\.id)))]
        return try lost("the records were begun", "begin", params)
    }

    /// Settles, and repeats the call if it fails, as the host does.
    ///
    /// - Parameters:
    ///   - delivered: The records that were delivered.
    ///   - dead: The records that become dead letters.
    ///   - uncertain: The records that may have been delivered.
    ///   - retry: The records that are given back.
    ///   - unsent: The records that were begun and not sent.
    /// - Returns: The records that are not this source's any more.
    /// - Throws: An error if the source did not answer or failed for too long.
    @discardableResult
    func settle(
        delivered: [Record] = [],
        dead: [Record] = [],
        uncertain: [Record] = [],
        retry: [Record] = [],
        unsent: [Record] = []
    ) throws -> Set<Int64> {
        func ids(_ records: [Record]) -> JSON { .array(JSON.Array(integers: records.map(\.id))) }
        let params: JSON = [
            "delivered": ids(delivered), "uncertain": ids(uncertain), "retry": ids(retry), "unsent": ids(unsent),
            "dead": JSON(dead.map { ["id": .integer($0.id), "reason": "refused\nby the test"] as JSON }),
        ]
        return try lost("the settlement was stored", "settle", params)
    }

    private func lost(_ what: String, _ method: String, _ params: JSON) throws -> Set<Int64> {
        var lost: Set<Int64> = []
        try until(what) {
            guard let result = try answer(to: try send(method, params))["result"] else { return false }
            lost = Set(Self.integers(result["lost"]))
            return true
        }
        return lost
    }

    /// Repeats something that waits by itself until it returns true.
    func until(_ what: @autoclosure () -> String, _ body: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(ChildProcess.patience * 6)
        while try !body() {
            guard ContinuousClock.now < deadline else {
                throw TestFailure("it did not happen that \(what()); the source logged \(log.suffix(20))")
            }
        }
    }

    /// Pulls until the source holds a part of the partitions.
    func awaitShare(_ share: Double) throws {
        try until("the share became \(share): \(shares)") {
            let records = try pull()
            #expect(records.isEmpty)
            return shares.last == share
        }
    }

    /// Deactivates it and waits for its end.
    func end() throws {
        _ = try call("deactivate")
        process.closeInput()
        #expect(try process.wait() == .code(0))
    }
}

extension NATSClient {
    /// Publishes records with numbers, each to the partition that is its number modulo the number of partitions.
    func publish(_ numbers: ClosedRange<Int>, partitions: Int = 2) throws {
        for number in numbers {
            let record: JSON = [
                "suite": "app", "identity": .string(String(repeating: "0", count: 32)), "id": JSON(number),
                "kind": "customEvent", "name": "event", "properties": ["number": JSON(number)],
                "time": "2026-01-01T00:00:00.000Z", "user": ["external_id": .string("user \(number % partitions)")],
            ]
            let reply = try request("PUSHHOST.app.\(number % partitions)", "\(record)")
            guard reply["seq"] != nil else { throw TestFailure("not stored: \(reply)") }
        }
    }

    /// The number of messages in a stream.
    func count(_ stream: String) throws -> Int64? { try streamInfo(stream)["state"]?["messages"]?.integer }

    /// The value of a key in the bucket of the relays, such as the entry of a partition.
    func value(ofRelaysKey key: String) throws -> JSON.Object {
        let subject = "$KV.PUSHHOST_RELAYS.\(key)"
        let stored = try api("STREAM.MSG.GET.KV_PUSHHOST_RELAYS", ["last_by_subj": .string(subject)])
        let data = stored["message"]?["data"]?.string.flatMap { Data(base64Encoded: $0) } ?? Data()
        guard let value = try JSON(parsing: String(decoding: data, as: UTF8.self)).object else {
            throw TestFailure("the value of \(key) is no object: \(stored)")
        }
        return value
    }

    /// The number of records in the stream that are not settled: what is not acknowledged to the consumer of each
    /// partition that is furthest on, or all records of a partition without a consumer.
    func pending() throws -> Int64 {
        let info = try api("STREAM.INFO.PUSHHOST", ["subjects_filter": ">"])
        let subjects = info["state"]?["subjects"]?.object.map(Array.init) ?? []
        let consumers = try api("CONSUMER.LIST.PUSHHOST")["consumers"]?.array.map(Array.init) ?? []
        let filters = info["config"]?["subjects"]?.array?.compactMap(\.string) ?? []
        return filters.reduce(0) { total, filter in
            let own = consumers.filter { $0["config"]?["filter_subject"]?.string == filter }
            guard let current = own.max(by: { $0.position < $1.position }) else {
                let suffix = filter.drop { $0 != "*" }.dropFirst()
                return total + subjects.filter { $0.name.hasSuffix(suffix) }.reduce(0) { $0 + ($1.value.integer ?? 0) }
            }
            return total + Int64(current.count("num_pending") + current.count("num_ack_pending"))
        }
    }
}

extension JSON {
    /// Up to which sequence a consumer's messages are acknowledged.
    fileprivate var position: Int64 { self["ack_floor"]?["stream_seq"]?.integer ?? 0 }
}
