import JSON
import TestSupport
import Testing

/// All relays of a destination share one rate limit.
@Suite(.waits, .wire) struct FleetRateTests {
    @Test("Four relays together use the service's rate limit, and are hardly ever refused")
    func rate() throws {
        try withTemporaryDirectory { folder in
            let limit = ["--rate-limit", "40", "--rate-window", "1"]
            let variables = ["BRAZE_RATE_REQUESTS": "40", "BRAZE_RATE_MILLISECONDS": "1000"]
            let fleet = try Fleet(in: folder, hosts: 2, relays: 4, service: limit, variables)
            for host in fleet.hosts { try host.save(10_000) }
            for host in fleet.hosts { try host.awaitPublished() }
            let audit = try fleet.awaitAll()
            audit.expectNoneLost(fleet.hosts)
            audit.expectOrder()
            let requests = try fleet.service.requests().filter { $0.path == "/users/track" && $0.objects > 0 }
            let refused = requests.count { $0.status == 429 }
            #expect(refused * 100 < requests.count, "\(refused) of \(requests.count) requests were refused")
            #expect(try fleet.stopRelays().allSatisfy { $0 == .code(0) })
        }
    }
}
