import ExtensionKit
import Foundation
import JSON
import Synchronization
import TestSupport
import Testing

@testable import braze

/// A transport that answers each request with the result of a closure, and stores the requests.
private final class FakeTransport: Transport {
    private let answer: @Sendable (_ request: JSON, _ number: Int) -> Exchange
    private let posted = Mutex<[JSON]>([])

    init(_ answer: @escaping @Sendable (_ request: JSON, _ number: Int) -> Exchange) { self.answer = answer }

    var requests: [JSON] { posted.withLock { $0 } }

    func planned(_ body: [UInt8]) -> DryRunResult.Request {
        .init(method: "POST", url: "fake", body: (try? JSON(parsing: body)) ?? .null)
    }

    func post(_ body: [UInt8]) async -> Exchange {
        let request = (try? JSON(parsing: body)) ?? .null
        let number = posted.withLock {
            $0.append(request)
            return $0.count
        }
        return answer(request, number)
    }
}

/// The helpers of all tests of the client.
protocol BrazeClientScenario {}

extension BrazeClientScenario {
    static var success: Exchange { .answer(Answer(status: 201, body: Array(#"{"message":"success"}"#.utf8))) }

    static func response(_ status: Int, _ body: String = "", _ headers: [String: String] = [:]) -> Exchange {
        .answer(Answer(status: status, headers: headers, body: Array(body.utf8)))
    }

    /// Delivers records, by default over one connection, so that the order of requests is certain.
    func deliver(
        _ records: [DeliveryRecord],
        _ changes: [String: String] = [:],
        probe: Bool = false,
        rateShare: Double? = nil,
        sendUntil: Date? = nil,
        _ answer: @escaping @Sendable (_ request: JSON, _ number: Int) -> Exchange
    ) async throws -> (result: DeliveryResult, requests: [JSON]) {
        let required = ["BRAZE_REST_ENDPOINT": "iad-01", "BRAZE_API_KEY": "s3cret-0a1b", "BRAZE_CONNECTIONS": "1"]
        let configuration = try Configuration(Variables(required.merging(changes) { $1 }))
        let transport = FakeTransport(answer)
        // The limit's time stands still, because other tests may occupy all threads until a share counts.
        let gate = RateGate(configuration.rate, now: { .zero })
        var client = BrazeClient(configuration: configuration, transport: transport, gate: gate)
        // Other tests may occupy all threads for longer than the client's default.
        client.timeToBegin = .seconds(3_600)
        let result = await client.deliver(
            DeliveryBatch(suite: "s", records: records, probe: probe, rateShare: rateShare, sendUntil: sendUntil)
        )
        return (result, transport.requests)
    }

    /// Whether a request contains an event with a name.
    static func hasEvent(_ request: JSON, _ name: String) -> Bool {
        request["events"]?.array?.contains { $0["name"]?.string == name } ?? false
    }

    func eventNames(_ requests: [JSON]) -> [[String]] {
        requests.map { $0["events"]?.array?.compactMap { $0["name"]?.string } ?? [] }
    }

    func events(_ count: Int64, bad: Set<Int64> = []) -> [DeliveryRecord] {
        (0..<count).map { event($0, "u\($0)", bad.contains($0) ? "bad" : "good") }
    }
}
