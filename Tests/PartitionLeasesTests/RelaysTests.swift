import Testing

@testable import PartitionLeases

@Suite struct PresenceObserverTests {
    private func observer(_ observations: [(String, UInt64, Int)]) -> PresenceObserver {
        var observer = PresenceObserver(lease: .seconds(10))
        for (relay, revision, second) in observations {
            observer.observe([relay: revision], from: .seconds(second), to: .seconds(second))
        }
        return observer
    }

    @Test("A relay whose key changes lives")
    func alive() {
        #expect(observer([("a", 1, 0), ("a", 2, 9), ("a", 3, 18)]).live == ["a"])
    }

    @Test("A relay whose key does not change for a lease is dead, until its key changes")
    func dead() {
        #expect(observer([("a", 1, 0), ("a", 1, 9)]).live == ["a"])
        #expect(observer([("a", 1, 0), ("a", 1, 10)]).live.isEmpty)
        #expect(observer([("a", 1, 0), ("a", 1, 10), ("a", 2, 11)]).live == ["a"])
    }

    @Test("A process that slept sees the changes that were made meanwhile, and calls nobody dead")
    func slept() {
        #expect(observer([("a", 1, 0), ("a", 500, 3_600)]).live == ["a"])
    }

    @Test("A slow read shows what the key was when it began")
    func slow() {
        var observer = PresenceObserver(lease: .seconds(10))
        observer.observe(["a": 1], from: .seconds(0), to: .seconds(5))
        observer.observe(["a": 1], from: .seconds(14), to: .seconds(30))
        #expect(observer.live == ["a"])
    }

    @Test("A relay that deleted its key is gone at once; the key of one that is long dead can be deleted")
    func gone() {
        var observer = observer([("a", 1, 0)])
        observer.observe([:], from: .seconds(1), to: .seconds(1))
        #expect(observer.live.isEmpty)
        #expect(self.observer([("a", 7, 0), ("a", 7, 99)]).longDead.isEmpty)
        #expect(self.observer([("a", 7, 0), ("a", 7, 100)]).longDead == ["a": 7])
    }
}

@Suite struct FairShareTests {
    @Test("A relay alone takes all partitions that nobody alive holds")
    func alone() {
        let share = FairShare(of: "a", holders: [nil, "dead", "a", nil], leased: [2], live: ["a"])
        #expect(share.taken == [0, 1, 3])
        #expect(share.released.isEmpty)
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
        #expect(taken == [Array(0..<6), Array(6..<12), [12, 13, 14, 15, 0, 1]])
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
    }
}

@Suite struct StreamIdentityTests {
    @Test("A stream that is created again has another identity")
    func identity() {
        let first = StreamIdentity.digits(stream: "S", created: "1")
        #expect(first.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(first == StreamIdentity.digits(stream: "S", created: "1"))
        #expect(first != StreamIdentity.digits(stream: "S", created: "2"))
    }
}
