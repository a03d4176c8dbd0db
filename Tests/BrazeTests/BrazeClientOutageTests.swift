import ExtensionKit
import Foundation
import JSON
import TestSupport
import Testing

@testable import braze

/// The result of a batch while the server limits the rate, fails or cannot be reached.
@Suite(.waits) struct BrazeClientOutageTests: BrazeClientScenario {
    /// Answers to a request without records.
    private static let probes: [(name: String, Exchange)] = [
        ("400", response(400, #"{"message":"Valid data must be provided"}"#)), ("201", success), ("413", response(413)),
        ("401", response(401)), ("403", response(403)), ("301", response(301)),
        ("429", response(429, "", ["Retry-After": "7"])), ("503", response(503)), ("500", response(500)),
        ("502", response(502)), ("504", response(504)), ("200 of another", response(200, "<html>")),
        ("reset", .failure("reset", mayHaveArrived: true)), ("refused", .failure("refused", mayHaveArrived: false)),
    ]

    @Test(
        "A probe that fails leaves all records pending, and after one that succeeds the batch is sent",
        arguments: probes.indices
    )
    func probe(index: Int) async throws {
        let (name, exchange) = Self.probes[index]
        let (result, requests) = try await deliver(events(3), probe: true) { _, number in
            number == 1 ? exchange : Self.success
        }
        #expect(requests.first == [:])
        switch name {
        case "400", "201", "413":
            #expect(requests.count == 2)
            #expect(result == DeliveryResult(accepted: [0, 1, 2]))
        case "401", "403", "301":
            #expect(requests.count == 1)
            #expect(result.stop != nil)
        default:
            #expect(requests.count == 1)
            #expect(result.stop == nil && result.diagnostics.map(\.reason) == ["notDelivered"])
            #expect(result.retryAfter == (name == "429" ? .seconds(7) : nil))
        }
        if requests.count == 1 {
            #expect(result.accepted.isEmpty && result.uncertain.isEmpty)
            #expect(result.rejected.isEmpty && result.held.isEmpty)
        }
    }

    @Test("After a rate limit response, its records are not attempted, and the result has the pause")
    func rate() async throws {
        let (result, requests) = try await deliver(events(200)) { _, number in
            number == 1 ? Self.success : Self.response(429, "", ["X-Ratelimit-Retry-After": "90"])
        }
        #expect(result.accepted == Array(0..<75))
        #expect(result.uncertain.isEmpty)
        #expect(result.retryAfter == .seconds(90))
        #expect(requests.count == 2)
    }

    @Test("If the next window is far away, the remaining records are left to the host")
    func exhausted() async throws {
        let (result, requests) = try await deliver(events(200)) { _, _ in
            let headers = ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "3000"]
            return Self.response(201, #"{"message":"success"}"#, headers)
        }
        #expect(result.accepted == Array(0..<75))
        #expect(requests.count == 1)
        #expect(result.retryAfter.map { $0 > .seconds(2_900) && $0 <= .seconds(3_000) } == true)
    }

    @Test("The client limits its own rate before the server does")
    func ahead() async throws {
        let limit = ["BRAZE_RATE_REQUESTS": "1", "BRAZE_RATE_MILLISECONDS": "3600000"]
        let (result, requests) = try await deliver(events(200), limit) { _, _ in Self.success }
        #expect(requests.count == 1)
        #expect(result.accepted.count == 75)
        #expect(result.retryAfter.map { $0 > .seconds(3_500) } == true)
    }

    @Test(
        "A process that has a share of the rate begins when the share counts, and leaves its records to the host until then"
    )
    func share() async throws {
        let limit = ["BRAZE_RATE_REQUESTS": "10", "BRAZE_RATE_MILLISECONDS": "3600000"]
        let (result, requests) = try await deliver(events(200), limit, rateShare: 0.5) { _, _ in Self.success }
        #expect(requests.isEmpty)
        #expect(result.accepted.isEmpty)
        #expect(result.retryAfter.map { $0 > .seconds(30) && $0 <= RateShare.longestDelay } == true)
    }

    @Test("After the time until which a batch may be sent, no further request of it begins", arguments: [-1, 0.5])
    func sendUntil(seconds: Double) async throws {
        let end = Date.now + seconds
        let (result, requests) = try await deliver(events(200), sendUntil: end) { _, _ in
            while Date.now <= end {}
            return Self.success
        }
        #expect(requests.count <= (seconds < 0 ? 0 : 1))
        #expect(result == DeliveryResult(accepted: Array(0..<Int64(75 * requests.count))))
    }

    @Test("Only the records of the request in flight are uncertain", arguments: [500, 502, 504, 0])
    func uncertain(status: Int) async throws {
        let (result, requests) = try await deliver(events(200)) { _, number in
            guard number > 1 else { return Self.success }
            return status == 0 ? .failure("lost", mayHaveArrived: true) : Self.response(status)
        }
        #expect(result.accepted == Array(0..<75))
        #expect(result.uncertain == Array(75..<150))
        #expect(result.diagnostics.map(\.reason) == ["uncertain"])
        #expect(requests.count == 2)
    }

    @Test("A request that did not reach the server counts as not attempted")
    func unreachable() async throws {
        let (result, requests) = try await deliver(events(200)) { _, _ in .failure("refused", mayHaveArrived: false) }
        var nothing = DeliveryResult()
        nothing.diagnostics = [.init(reason: "notDelivered", "refused")]
        #expect(result == nothing)
        #expect(requests.count == 1)
    }

    @Test("A user's later records are not sent before earlier ones that failed", arguments: ["1", "8"])
    func order(connections: String) async throws {
        let records = [event(1, "a", "first"), attribute(2, "k", 1, of: "a"), event(3, "a", "last")]
        for (exchange, uncertain) in [(Self.response(503), []), (Self.response(500), [1])] as [(Exchange, [Int64])] {
            let (result, requests) = try await deliver(records, ["BRAZE_CONNECTIONS": connections]) { _, _ in exchange }
            #expect(eventNames(requests) == [["first"]])
            #expect(result.accepted == [] && result.uncertain == uncertain)
        }
        // A rejected record does not hold up later ones.
        let (result, requests) = try await deliver(records, ["BRAZE_CONNECTIONS": connections]) { request, _ in
            Self.hasEvent(request, "first") ? Self.response(400) : Self.success
        }
        #expect(eventNames(requests) == [["first"], ["last"]])
        #expect(result.accepted == [2, 3] && result.rejected.map(\.id) == [1])
    }
}
