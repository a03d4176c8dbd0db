import TestSupport
import Testing

@testable import braze

/// Several processes that share one limit, without a clock or a counter in common.
@Suite struct RateShareTests {
    /// Processes with shares of one limit, which send whenever they may.
    private struct Fleet {
        let requests: Int
        let window: Duration
        /// The number of partitions that each process holds; a partition is the smallest share that moves.
        private var held: [Int]
        private let partitions: Int
        private var limits: [RateLimit]
        /// The times of all requests, in ascending order.
        private(set) var times: [Duration] = []
        private var now = Duration.zero

        init(requests: Int, window: Duration, held: [Int], partitions: Int) {
            (self.requests, self.window, self.held, self.partitions) = (requests, window, held, partitions)
            limits = held.map { _ in RateLimit(requests: requests, per: window) }
            for process in held.indices { state(process) }
        }

        private mutating func state(_ process: Int) {
            guard held[process] > 0 else { return }
            limits[process].use(share: Double(held[process]) / Double(partitions), at: now)
        }

        /// Moves partitions from one process to another; both know it at once.
        mutating func move(_ count: Int, from loser: Int, to winner: Int) {
            // A process that holds nothing gets no batch, which would state its share.
            let moved = max(0, min(count, held[loser] - 1))
            held[loser] -= moved
            held[winner] += moved
            state(loser)
            state(winner)
        }

        /// Lets every process that holds something send as often as it may, in a random order, until a time.
        mutating func send(until end: Duration, step: Duration, _ random: inout SeededGenerator) {
            while now < end {
                for process in held.indices.shuffled(using: &random) where held[process] > 0 {
                    while limits[process].pass(at: now) == nil { times.append(now) }
                }
                now += step
            }
        }

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

    @Test(
        "Shares that add up to one never exceed the limit in any window, while they move between processes",
        arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64]
    )
    func moving(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let partitions = 16
        let requests = [16, 30, 100, 333].randomElement(using: &random) ?? 16
        var fleet = Fleet(requests: requests, window: .milliseconds(300), held: [16, 0, 0, 0], partitions: partitions)
        var end = Duration.zero
        for _ in 0..<60 {
            end += .milliseconds(Int.random(in: 0...400, using: &random))
            fleet.send(until: end, step: .milliseconds(Int.random(in: 1...20, using: &random)), &random)
            fleet.move(
                Int.random(in: 1...8, using: &random),
                from: Int.random(in: 0..<4, using: &random),
                to: Int.random(in: 0..<4, using: &random)
            )
        }
        #expect(fleet.peak <= requests)
        #expect(fleet.times.count > requests)
    }

    @Test("With the shares unchanged, the processes together reach the limit", arguments: [1, 2, 4, 16])
    func throughput(processes: Int) {
        var random = SeededGenerator(seed: 1)
        let held = Array(repeating: 16 / processes, count: processes)
        var fleet = Fleet(requests: 320, window: .milliseconds(100), held: held, partitions: 16)
        fleet.send(until: .seconds(2), step: .milliseconds(1), &random)
        #expect(fleet.peak == 320)
        // One window passes before the shares count.
        #expect(fleet.times.count >= 320 * (processes == 1 ? 20 : 19))
    }

    @Test("Shares that are no whole number of requests lose less than one request each")
    func rounding() {
        var random = SeededGenerator(seed: 1)
        for (partitions, requests) in [(3, 100), (7, 3_000), (6, 6)] {
            let held = Array(repeating: 1, count: partitions)
            var fleet = Fleet(requests: requests, window: .milliseconds(100), held: held, partitions: partitions)
            fleet.send(until: .seconds(1), step: .milliseconds(5), &random)
            #expect(fleet.peak <= requests && fleet.peak > requests - partitions)
        }
        // The nearest number to 1/3 is less than 1/3, and 3 of them must not lose a request of 3.
        var third = RateLimit(requests: 3, per: .seconds(1))
        third.use(share: 1.0 / 3, at: .zero)
        #expect(third.pass(at: .seconds(1)) == nil)
        #expect(third.pass(at: .seconds(1)) == .seconds(1))
    }

    @Test("If less than one request fits into a window, it is one request in a longer window")
    func tiny() {
        var random = SeededGenerator(seed: 1)
        // 16 shares of 4 requests: each a quarter of a request in a window.
        var fleet = Fleet(
            requests: 4,
            window: .milliseconds(100),
            held: Array(repeating: 1, count: 16),
            partitions: 16
        )
        fleet.send(until: .seconds(4), step: .milliseconds(1), &random)
        // In the long run the processes stay within the limit and reach it; the first window passes before.
        #expect(fleet.times.count <= 4 * 40 + 16)
        #expect(fleet.times.count >= 4 * 39)
        var alone = RateLimit(requests: 4, per: .seconds(1))
        alone.use(share: 1.0 / 16, at: .zero)
        #expect(alone.pass(at: .seconds(1)) == nil)
        #expect(alone.pass(at: .seconds(1)) == .seconds(4))
        #expect(alone.pass(at: .seconds(5)) == nil)
    }

    @Test("A smaller share counts at once, and a greater one after it was held for a window")
    func order() {
        var limit = RateLimit(requests: 4, per: .seconds(1))
        limit.use(share: 1, at: .zero)
        for _ in 0..<3 { #expect(limit.pass(at: .zero) == nil) }
        limit.use(share: 0.5, at: .zero)
        #expect(limit.pass(at: .zero) == .seconds(1))
        limit.use(share: 1, at: .milliseconds(500))
        for _ in 0..<2 { #expect(limit.pass(at: .seconds(1)) == nil) }
        #expect(limit.pass(at: .seconds(1)) == .milliseconds(500), "until the greater share counts")
        for _ in 0..<2 { #expect(limit.pass(at: .milliseconds(1_500)) == nil) }
        #expect(limit.pass(at: .milliseconds(1_500)) == .milliseconds(500))
    }

    @Test("A share that was smaller for a moment counts for a window, and no longer")
    func smallest() {
        var share = RateShare(window: .seconds(1))
        share.set(0.2, [], at: .seconds(-9))
        share.set(0.5, [], at: .seconds(1))
        share.set(0.3, [], at: .milliseconds(1_500))
        #expect(share.current(at: .milliseconds(1_900)).share == 0.2)
        #expect(share.current(at: .seconds(2)).share == 0.3, "0.5 was held for less than a window")
        share.set(0.5, [], at: .seconds(2))
        #expect(share.current(at: .milliseconds(2_999)).share == 0.3)
        #expect(share.current(at: .seconds(3)).share == 0.5)
    }

    @Test("A process without a share begins at once, and one with a share after a window, or after a minute")
    func start() {
        var whole = RateLimit(requests: 4, per: .seconds(3))
        #expect(whole.pass(at: .zero) == nil)
        whole.use(share: 1, at: .zero)
        #expect(whole.pass(at: .zero) == nil)
        var part = RateLimit(requests: 4, per: .seconds(3))
        part.use(share: 0.5, at: .seconds(2))
        #expect(part.pass(at: .seconds(2)) == .seconds(3))
        #expect(part.pass(at: .seconds(5)) == nil)
        var hourly = RateLimit(requests: 4, per: .seconds(3_600))
        hourly.use(share: 0.5, at: .zero)
        #expect(hourly.pass(at: .zero) == .seconds(60))
    }
}
