import Testing

@testable import PartitionLeases

@Suite struct FairShareTests {
    @Test("A relay alone takes all partitions that nobody alive holds")
    func alone() {
        let share = FairShare(of: "a", holders: [nil, "dead", "a", nil], leased: [2], live: ["a"])
        #expect(share.taken == [0, 1, 3])
        #expect(share.released.isEmpty)
        // It lives, even if it has not seen its own key yet.
        #expect(FairShare(of: "a", holders: [nil, "dead", "a", nil], leased: [2], live: []) == share)
    }

    @Test("A relay releases what exceeds its share when another joins, which takes that")
    func joined() {
        let holders = [String?](repeating: "a", count: 5)
        #expect(FairShare(of: "a", holders: holders, leased: [0, 1, 2, 3, 4], live: ["a", "b"]).released == [3, 4])
        #expect(FairShare(of: "b", holders: holders, leased: [], live: ["a", "b"]).taken.isEmpty)
        #expect(FairShare(of: "b", holders: ["a", "a", "a", nil, nil], leased: [], live: ["a", "b"]).taken == [3, 4])
    }

    @Test("Relays that start at the same time begin at different partitions")
    func together() {
        let holders = [String?](repeating: nil, count: 16)
        let taken = ["a", "b", "c"].map {
            FairShare(of: $0, holders: holders, leased: [], live: ["a", "b", "c"]).taken
        }
        #expect(taken == [Array(0..<6), Array(6..<11), Array(11..<16)])
    }

    @Test("A relay begins at its own place, whatever others have taken meanwhile")
    func meanwhile() {
        let holders = "aaaabbbb----ddd-".map { $0 == "-" ? nil : String($0) }
        let share = FairShare(of: "c", holders: holders, leased: [], live: ["a", "b", "c", "d"])
        #expect(share.taken == [8, 9, 10, 11])
    }

    @Test("More relays than partitions: the last ones hold nothing")
    func many() {
        #expect(FairShare(of: "c", holders: ["a", "b"], leased: [], live: ["a", "b", "c"]).taken.isEmpty)
        #expect(FairShare(of: "a", holders: ["a", "b"], leased: [0], live: ["a", "b", "c"]).released.isEmpty)
    }

    @Test("What a relay holds without using it is taken before anything else, and freed if that exceeds its share")
    func unused() {
        let holders = ["a", "a", "a", "b", "b", nil, nil, nil]
        let share = FairShare(of: "a", holders: holders, leased: [0], live: ["a", "b"])
        #expect(share.taken == [1, 2, 5] && share.freed.isEmpty)
        let full = FairShare(of: "a", holders: holders, leased: [0, 5, 6], live: ["a", "b"])
        #expect(full.taken == [1] && full.freed == [2] && full.released.isEmpty)
        #expect(FairShare(of: "b", holders: holders, leased: [3, 4], live: ["a", "b"]).taken == [5, 6])
        // They fill its share, and it has none to give for a busy one.
        let busy = FairShare(of: "a", holders: ["a", "a", nil, "b"], leased: [], live: ["a", "b"], busy: [2])
        #expect(busy.taken == [0, 1])
    }

    @Test("Partitions that a relay is about to free count no more, so no others are released for them")
    func releasing() {
        let holders = [String?](repeating: "a", count: 4)
        let share = FairShare(of: "a", holders: holders, leased: [0, 1, 2, 3], releasing: [0, 1], live: ["a", "b"])
        #expect(share.released.isEmpty && share.taken.isEmpty && share.freed.isEmpty)
    }

    @Test("A number of partitions that cannot be divided leaves no relay without one, and moves none for it")
    func remainder() {
        var fleet = Fleet(of: ["a", "b", "c", "d"], partitions: 16)
        fleet.join("e")
        #expect(fleet.settle() == 3)
        #expect(fleet.counts == ["a": 4, "b": 3, "c": 3, "d": 3, "e": 3])
        fleet.leave("a")
        #expect(fleet.settle() == 4)
        #expect(fleet.counts == ["b": 4, "c": 4, "d": 4, "e": 4])
    }

    /// A row: the holder of each partition, the busy ones, and how many partitions move.
    private static let exchanges: [(before: String, busy: Set<Int>, moves: Int)] = [
        // All records wait at one relay: each other one takes a busy partition and gives an idle one for it.
        ("aaaabbbbccccdddd", [0, 1, 2, 3], 6),
        ("aaaabbbbccccdddd", [0, 1, 4, 8], 2),
        ("aabb", [0, 1], 2),
        // Nothing waits, or as much everywhere, or one partition cannot be divided: nothing moves.
        ("aaaabbbbccccdddd", [], 0),
        ("aaaabbbbccccdddd", Set(0..<16), 0),
        ("aaaabbbbccccdddd", [0, 4, 8, 12], 0),
        ("aaaabbbbccccdddd", [2], 0),
        ("aaaabbbbccccdddd", [0, 1, 4, 5, 8], 0),
    ]

    @Test(
        "Busy partitions are exchanged for idle ones until no relay has more than its part",
        arguments: exchanges.indices
    )
    func busy(index: Int) {
        let row = Self.exchanges[index]
        var fleet = Fleet(row.before, busy: row.busy)
        let before = fleet
        #expect(fleet.settle() == row.moves)
        #expect(fleet.counts == before.counts)
        #expect((fleet.holders == before.holders) == (row.moves == 0))
        let relays = fleet.counts.count
        #expect(fleet.busyCounts.values.allSatisfy { $0 <= (row.busy.count + relays - 1) / relays })
    }

    @Test("A relay that joins gets its part of the busy and of the idle partitions")
    func joinedBusy() {
        var fleet = Fleet("aaaaaaaa", busy: [0, 1, 2, 3])
        fleet.join("b")
        #expect(fleet.settle() == 4)
        #expect(fleet.counts == ["a": 4, "b": 4] && fleet.busyCounts == ["a": 2, "b": 2])
    }

    @Test("Whatever is busy and whoever comes and goes, every partition soon has a holder, and then nothing moves")
    func converges() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var fleet = Fleet(of: ["a"], partitions: Int.random(in: 1...17, using: &random))
            for _ in 0..<12 {
                if Bool.random(using: &random) {
                    fleet.join("\(Int.random(in: 0...6, using: &random))")
                } else {
                    fleet.leave("\(Int.random(in: 0...6, using: &random))")
                }
                fleet.busy = Set(fleet.holders.indices.filter { _ in Bool.random(using: &random) })
                _ = fleet.settle()
                let counts = fleet.counts.values
                #expect(!fleet.holders.contains(nil), "\(fleet)")
                #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1, "\(fleet)")
                #expect(fleet.settle() == 0, "\(fleet)")
            }
        }
    }

    /// Relays that look one after the other.
    private struct Fleet {
        var holders: [String?]
        var busy: Set<Int> = []
        private var live: [String]

        init(of live: [String], partitions: Int) {
            self.live = live
            holders = Array(repeating: nil, count: partitions)
            _ = settle()
        }

        init(_ holders: String, busy: Set<Int>) {
            self.holders = holders.map { String($0) }
            self.busy = busy
            live = Set(holders).map { String($0) }.sorted()
        }

        mutating func join(_ relay: String) { if !live.contains(relay) { live.append(relay) } }

        mutating func leave(_ relay: String) {
            guard live != [relay] else { return }
            live.removeAll { $0 == relay }
            holders = holders.map { $0 == relay ? nil : $0 }
        }

        /// Lets each relay look until nothing changes; returns how many partitions were taken.
        mutating func settle() -> Int {
            var (moves, rounds) = (0, 0)
            while rounds < 100 {
                let before = holders
                for relay in live {
                    let leased = Set(holders.indices.filter { holders[$0] == relay })
                    let share = FairShare(of: relay, holders: holders, leased: leased, live: Set(live), busy: busy)
                    for partition in share.released { holders[partition] = nil }
                    for partition in share.taken { holders[partition] = relay }
                    moves += share.taken.count
                }
                rounds += 1
                if holders == before { return moves }
            }
            return -1
        }

        var counts: [String: Int] { count { _ in true } }
        var busyCounts: [String: Int] { count(busy.contains) }

        private func count(_ isCounted: (Int) -> Bool) -> [String: Int] {
            let none = Dictionary(uniqueKeysWithValues: live.map { ($0, 0) })
            return holders.indices.filter(isCounted).reduce(into: none) { $0[holders[$1] ?? "-", default: 0] += 1 }
        }
    }
}

@Suite struct LoadTests {
    @Test("A partition is busy after two counts with many records, until few are left")
    func hysteresis() {
        var load = Load()
        var busy: [Bool] = []
        for count in [9_000, 100, 9_000, 9_000, 2_000, 4_000, 900, 9_000, 900] as [UInt64] {
            load.note([3: count])
            busy.append(load.busy == [3])
        }
        #expect(busy == [false, false, false, true, true, true, false, false, false])
    }
}
