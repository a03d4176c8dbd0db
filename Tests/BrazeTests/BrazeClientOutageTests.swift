import ExtensionKit
import JSON
import TestSupport
import Testing

@testable import braze

/// What becomes of a batch while the service refuses for its rate, fails or cannot be reached.
@Suite(.hangs) struct BrazeClientOutageTests: BrazeClientScenario {
    /// Answers to a request without records.
    private static let probes: [(name: String, Exchange)] = [
        ("400", refusal(400, #"{"message":"Valid data must be provided"}"#)), ("201", success), ("413", refusal(413)),
        ("401", refusal(401)), ("403", refusal(403)), ("301", refusal(301)),
        ("429", refusal(429, "", ["Retry-After": "7"])), ("503", refusal(503)), ("500", refusal(500)),
        ("502", refusal(502)), ("504", refusal(504)), ("200 of another", refusal(200, "<html>")),
        ("reset", .failure("reset", mayHaveArrived: true)), ("refused", .failure("refused", mayHaveArrived: false)),
    ]

    @Test("A probe that is not answered costs no record; one that is lets the batch go", arguments: probes.indices)
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

    @Test("A refusal for the rate's sake is no attempt, and says when to come again")
    func rate() async throws {
        let (result, requests) = try await deliver(events(200)) { _, number in
            number == 1 ? Self.success : Self.refusal(429, "", ["X-Ratelimit-Retry-After": "90"])
        }
        #expect(result.accepted == Array(0..<75))
        #expect(result.uncertain.isEmpty)
        #expect(result.retryAfter == .seconds(90))
        #expect(requests.count == 2)
    }

    @Test("What would have to wait long is left to the host")
    func exhausted() async throws {
        let (result, requests) = try await deliver(events(200)) { _, _ in
            let headers = ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "3000"]
            return Self.refusal(201, #"{"message":"success"}"#, headers)
        }
        #expect(result.accepted == Array(0..<75))
        #expect(requests.count == 1)
        #expect(result.retryAfter.map { $0 > .seconds(2_900) && $0 <= .seconds(3_000) } == true)
    }

    @Test("The limit of requests holds ahead of time")
    func ahead() async throws {
        let limit = ["BRAZE_RATE_REQUESTS": "1", "BRAZE_RATE_MILLISECONDS": "3600000"]
        let (result, requests) = try await deliver(events(200), limit) { _, _ in Self.success }
        #expect(requests.count == 1)
        #expect(result.accepted.count == 75)
        #expect(result.retryAfter.map { $0 > .seconds(3_500) } == true)
    }

    @Test("Only what was under way is uncertain", arguments: [500, 502, 504, 0])
    func uncertain(status: Int) async throws {
        let (result, requests) = try await deliver(events(200)) { _, number in
            guard number > 1 else { return Self.success }
            return status == 0 ? .failure("lost", mayHaveArrived: true) : Self.refusal(status)
        }
        #expect(result.accepted == Array(0..<75))
        #expect(result.uncertain == Array(75..<150))
        #expect(result.diagnostics.map(\.reason) == ["uncertain"])
        #expect(requests.count == 2)
    }

    @Test("What never reached the server is no attempt")
    func unreachable() async throws {
        let (result, requests) = try await deliver(events(200)) { _, _ in .failure("refused", mayHaveArrived: false) }
        var nothing = DeliveryResult()
        nothing.diagnostics = [.init(reason: "notDelivered", "refused")]
        #expect(result == nothing)
        #expect(requests.count == 1)
    }

    @Test("A user's later records do not overtake those that failed", arguments: ["1", "8"])
    func order(connections: String) async throws {
        let records = [event(1, "a", "first"), attribute(2, "k", 1, of: "a"), event(3, "a", "last")]
        for (exchange, uncertain) in [(Self.refusal(503), []), (Self.refusal(500), [1])] as [(Exchange, [Int64])] {
            let (result, requests) = try await deliver(records, ["BRAZE_CONNECTIONS": connections]) { _, _ in exchange }
            #expect(names(requests) == [["first"]])
            #expect(result.accepted == [] && result.uncertain == uncertain)
        }
        // A record that was given up is in nobody's way.
        let (result, requests) = try await deliver(records, ["BRAZE_CONNECTIONS": connections]) { request, _ in
            Self.has(request, "first") ? Self.refusal(400) : Self.success
        }
        #expect(names(requests) == [["first"], ["last"]])
        #expect(result.accepted == [2, 3] && result.rejected.map(\.id) == [1])
    }
}
