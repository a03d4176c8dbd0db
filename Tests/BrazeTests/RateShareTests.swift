import TestSupport
import Testing

@testable import braze

/// Several processes that share one limit, without a clock or a counter in common.
@Suite struct RateShareTests {
    @Test("A share may be as small as it likes: the time between two requests is as long as is of use")
    func smallestShare() {
        var limit = RateLimit(requests: 3_000, per: .seconds(3))
        limit.use(share: .leastNonzeroMagnitude, at: .zero)
        // At first nothing is allowed, and later one request in a very long time.
        #expect(limit.pass(at: .zero) == RateShare.longestDelay)
        #expect(limit.pass(at: .seconds(61)) == nil)
        #expect(limit.pass(at: .seconds(62)) ?? .zero > .seconds(1_000_000))
    }

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
        arguments: 1...40 as ClosedRange<UInt64>
    )
    func moving(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // A partition has ten requests in a window, or fewer; then each process may send one too many.
        let requests = [16, 30, 160, 333, 1_000].randomElement(using: &random) ?? 16
        let window = [Duration.milliseconds(300), .seconds(40)].randomElement(using: &random) ?? .zero
        var fleet = Fleet(requests: requests, window: window, held: [16, 0, 0, 0], partitions: 16)
        var end = Duration.zero
        for _ in 0..<60 {
            end += window * Int.random(in: 0...400, using: &random) / 300
            fleet.send(until: end, step: window * Int.random(in: 1...20, using: &random) / 300, &random)
            fleet.move(
                Int.random(in: 1...8, using: &random),
                from: Int.random(in: 0..<4, using: &random),
                to: Int.random(in: 0..<4, using: &random)
            )
        }
        #expect(fleet.peak <= (requests < 160 ? requests + 4 : requests))
        #expect(fleet.times.count > requests)
    }

    @Test("With the shares unchanged, the processes together almost reach the limit", arguments: [1, 2, 4, 16])
    func throughput(processes: Int) {
        var random = SeededGenerator(seed: 1)
        let held = Array(repeating: 16 / processes, count: processes)
        var fleet = Fleet(requests: 320, window: .milliseconds(1_900), held: held, partitions: 16)
        fleet.send(until: .milliseconds(1_900 * 20), step: .milliseconds(1), &random)
        // All but a slot, after which the shares count.
        #expect(fleet.peak == 304)
        #expect(fleet.times.count == 304 * 20 - 16)
    }

    @Test("What a process gives up, another one uses after a slot of the window, at its pace")
    func joining() {
        var (first, second) = (RateLimit(requests: 400, per: .seconds(2)), RateLimit(requests: 400, per: .seconds(2)))
        func sent(_ limit: inout RateLimit, from start: Int, to end: Int) -> Int {
            (start..<end).count { limit.pass(at: .milliseconds($0)) == nil }
        }
        first.use(share: 1, at: .zero)
        #expect(sent(&first, from: 0, to: 2_106) == 380, "a slot of 105 ms passes first")
        first.use(share: 0.5, at: .milliseconds(2_106))
        second.use(share: 0.5, at: .milliseconds(2_106))
        #expect(second.pass(at: .milliseconds(2_106)) == Duration.seconds(2) / 19)
        #expect(sent(&second, from: 2_106, to: 2_211) == 0)
        #expect(sent(&second, from: 2_212, to: 2_317) == 10)
        #expect(sent(&second, from: 2_318, to: 4_212) == 180)
        #expect(sent(&first, from: 2_106, to: 4_106) == 190)
    }

    @Test("Shares that are no whole number of requests lose a slot, and less than one request besides")
    func rounding() {
        var random = SeededGenerator(seed: 1)
        for (partitions, requests, peak) in [(3, 100, 96), (7, 3_000, 2_793), (6, 6, 6)] {
            let held = Array(repeating: 1, count: partitions)
            var fleet = Fleet(requests: requests, window: .seconds(1), held: held, partitions: partitions)
            fleet.send(until: .seconds(10), step: .milliseconds(1), &random)
            #expect(fleet.peak <= requests && fleet.peak >= peak)
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
        // In the long run the processes stay within the limit and reach it; a longer window passes before.
        #expect(fleet.times.count <= 4 * 40 + 16)
        #expect(fleet.times.count >= 4 * 36)
        var alone = RateLimit(requests: 4, per: .seconds(1))
        alone.use(share: 1.0 / 16, at: .zero)
        #expect(alone.pass(at: .seconds(3)) == .seconds(1))
        #expect(alone.pass(at: .seconds(4)) == nil)
        #expect(alone.pass(at: .seconds(4)) == .seconds(4))
    }

    @Test("A smaller share counts at once, and a greater one after a slot, however often it is stated")
    func order() {
        var limit = RateLimit(requests: 4, per: .seconds(1))
        limit.use(share: 1, at: .seconds(-9))
        #expect(limit.pass(at: .zero) == nil)
        #expect(limit.pass(at: .zero) == .milliseconds(250))
        limit.use(share: 0.5, at: .zero)
        #expect(limit.pass(at: .zero) == .milliseconds(500))
        limit.use(share: 1, at: .milliseconds(100))
        limit.use(share: 1, at: .milliseconds(200))
        #expect(limit.pass(at: .milliseconds(200)) == .milliseconds(150), "until the greater share counts")
        #expect(limit.pass(at: .milliseconds(350)) == nil)
    }

    @Test("A share that was smaller for a moment counts again after a slot")
    func smallest() {
        func requests(_ share: RateShare, _ milliseconds: Int) -> Int? {
            share.pace(at: .milliseconds(milliseconds)).pace?.requests
        }
        var share = RateShare(of: 1_000, per: .seconds(1))
        share.set(0.2, at: .seconds(-9))
        #expect(requests(share, 0) == 10)
        share.set(0.5, at: .seconds(1))
        #expect(requests(share, 1_050) == 10)
        share.set(0.3, at: .milliseconds(1_051))
        #expect(requests(share, 1_052) == 10, "0.5 was held for less than a slot")
        #expect(requests(share, 1_104) == 15)
        share.set(0.5, at: .milliseconds(1_200))
        #expect(requests(share, 1_252) == 15)
        #expect(requests(share, 1_253) == 25)
    }

    @Test("A process without a share may send the whole limit at once, and one with a share begins after a slot")
    func start() {
        var whole = RateLimit(requests: 40, per: .seconds(3))
        for _ in 0..<40 { #expect(whole.pass(at: .zero) == nil) }
        #expect(whole.pass(at: .zero) == .seconds(3))
        var part = RateLimit(requests: 40, per: .seconds(3))
        part.use(share: 0.5, at: .seconds(2))
        #expect(part.pass(at: .seconds(2)) == Duration.seconds(3) / 19)
        #expect(part.pass(at: .seconds(2) + .seconds(3) / 19) == nil)
        var hourly = RateLimit(requests: 4, per: .seconds(3_600))
        hourly.use(share: 0.5, at: .zero)
        #expect(hourly.pass(at: .zero) == .seconds(60))
        // A long window has slots of a second.
        var minutes = RateLimit(requests: 36_000, per: .seconds(3_600))
        minutes.use(share: 0.5, at: .zero)
        #expect(minutes.pass(at: .zero).map { $0 < .milliseconds(1_001) } == true)
    }
}
