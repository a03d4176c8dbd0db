import ExtensionKit
import PartitionLeases
import TestSupport
import Testing

@testable import braze

/// Relays that share one limit, and tell their destinations how long nobody else can have used their parts of it.
@Suite struct RateShareAgeTests {
    /// Relays as the source `nats` runs them, each with a destination that sends whenever it may.
    private struct Fleet {
        private struct Relay {
            var limit: RateLimit
            var use = ShareUse()
            /// The partitions, and since when nobody else can have used each.
            var since: [Int: Duration] = [:]
        }

        let requests: Int
        let window: Duration
        private let partitions: Int
        /// The free partitions, and since when each is unused.
        private var free: [Int: Duration]
        private var relays: [Int: Relay] = [:]
        /// The times of all requests, in ascending order.
        private(set) var times: [Duration] = []
        private var now = Duration.seconds(5_000)

        init(requests: Int, window: Duration, partitions: Int) {
            (self.requests, self.window, self.partitions) = (requests, window, partitions)
            free = Dictionary(uniqueKeysWithValues: (0..<partitions).map { ($0, .zero) })
        }

        /// Lets a relay, which may just start, take free partitions.
        mutating func take(_ count: Int, by relay: Int) {
            var own = relays[relay] ?? Relay(limit: RateLimit(requests: requests, per: window))
            for partition in free.keys.sorted().prefix(count) {
                own.since[partition] = free.removeValue(forKey: partition)
            }
            relays[relay] = own
            state(relay)
        }

        /// Lets a relay free some of its partitions.
        mutating func release(_ count: Int, by relay: Int) {
            for (partition, since) in (relays[relay]?.since ?? [:]).sorted(by: { $0.key < $1.key }).prefix(count) {
                relays[relay]?.since[partition] = nil
                free[partition] = now - (relays[relay]?.use.unused(since: since, at: now) ?? .zero)
            }
            state(relay)
        }

        /// Ends a relay; another one with its number is a new process.
        mutating func end(_ relay: Int) {
            release(partitions, by: relay)
            relays[relay] = nil
        }

        private mutating func state(_ relay: Int) {
            guard let own = relays[relay], !own.since.isEmpty else { return }
            let ages = own.since.values.sorted().enumerated().map { index, since in
                ShareAge(Double(index + 1) / Double(partitions), age: now - since)
            }
            relays[relay]?.limit.use(share: Double(own.since.count) / Double(partitions), ages: ages, at: now)
        }

        /// Lets the relays that have something to send do it as often as they may, in a random order, until a time.
        mutating func send(for time: Duration, step: Duration, by senders: Set<Int>, _ random: inout SeededGenerator) {
            let end = now + time
            while now < end {
                for relay in relays.keys.sorted().shuffled(using: &random) where senders.contains(relay) {
                    guard relays[relay]?.since.isEmpty == false else { continue }
                    while relays[relay]?.limit.pass(at: now) == .some(nil) {
                        times.append(now)
                        relays[relay]?.use.begin([1], until: now)
                        relays[relay]?.use.end([1], at: now)
                    }
                }
                now += step
            }
        }

        /// The number of requests in the first moment.
        var first: Int { times.count { $0 == times.first } }

        /// The greatest number of requests in any window.
        var peak: Int {
            var (first, peak) = (0, 0)
            for (index, time) in times.enumerated() {
                while times[first] + window <= time { first += 1 }
                peak = max(peak, index - first + 1)
            }
            return peak
        }
    }

    @Test("Relays that start together, where nobody sent before, use the whole limit at once", arguments: [1, 2, 4])
    func start(relays: Int) {
        var random = SeededGenerator(seed: 1)
        var fleet = Fleet(requests: 320, window: .seconds(3), partitions: 16)
        for relay in 0..<relays { fleet.take(16 / relays, by: relay) }
        fleet.send(for: .milliseconds(1), step: .milliseconds(1), by: [0, 1, 2, 3], &random)
        #expect(fleet.first == 320)
    }

    @Test(
        "Where a relay that used the whole limit just ended, the next ones wait for the rest of the window",
        arguments: [1, 2, 4]
    )
    func ended(relays: Int) {
        var random = SeededGenerator(seed: 1)
        var fleet = Fleet(requests: 320, window: .seconds(3), partitions: 16)
        fleet.take(16, by: 9)
        fleet.send(for: .milliseconds(10), step: .milliseconds(10), by: [9], &random)
        fleet.end(9)
        for relay in 0..<relays { fleet.take(16 / relays, by: relay) }
        fleet.send(for: .milliseconds(2_980), step: .milliseconds(10), by: [0, 1, 2, 3], &random)
        #expect(fleet.times.count == 320)
        fleet.send(for: .milliseconds(20), step: .milliseconds(10), by: [0, 1, 2, 3], &random)
        #expect(fleet.times.count == 640 && fleet.peak == 320)
    }

    @Test(
        "A part that its relay did not use counts at once for the next one, although the relay gets another part for it"
    )
    func unused() {
        var random = SeededGenerator(seed: 1)
        var fleet = Fleet(requests: 2, window: .seconds(3), partitions: 2)
        fleet.take(1, by: 0)
        fleet.take(1, by: 1)
        // Relay 1 sends and frees its part, which relay 0 takes; relay 0 then frees its own one, which it never used.
        fleet.send(for: .milliseconds(10), step: .milliseconds(10), by: [1], &random)
        fleet.end(1)
        fleet.take(1, by: 0)
        fleet.release(1, by: 0)
        fleet.take(1, by: 2)
        fleet.send(for: .milliseconds(10), step: .milliseconds(10), by: [0, 2], &random)
        #expect(fleet.times.count == 2, "relay 2 sends at once, and relay 0 waits")
        fleet.send(for: .seconds(6), step: .milliseconds(10), by: [0, 2], &random)
        #expect(fleet.peak == 2)
    }

    @Test(
        "In no window are there more requests than the limit, while relays come, end, rest and exchange their parts",
        arguments: 1...40 as ClosedRange<UInt64>
    )
    func moving(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let requests = [16, 30, 100, 333].randomElement(using: &random) ?? 16
        var fleet = Fleet(requests: requests, window: .milliseconds(300), partitions: 16)
        for _ in 0..<120 {
            let relay = Int.random(in: 0..<5, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: fleet.end(relay)
            case 1: fleet.release(Int.random(in: 1...8, using: &random), by: relay)
            default: fleet.take(Int.random(in: 1...16, using: &random), by: relay)
            }
            fleet.send(
                for: .milliseconds(Int.random(in: 0...400, using: &random)),
                step: .milliseconds(Int.random(in: 1...20, using: &random)),
                by: Set((0..<5).filter { _ in Bool.random(using: &random) }),
                &random
            )
        }
        #expect(fleet.peak <= requests)
        #expect(fleet.times.count > requests)
    }
}
