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

@Suite struct StreamIdentityTests {
    @Test("A stream that is created again has another identity")
    func identity() {
        let first = StreamIdentity.digits(stream: "S", created: "1")
        #expect(first.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(first == StreamIdentity.digits(stream: "S", created: "1"))
        #expect(first != StreamIdentity.digits(stream: "S", created: "2"))
    }
}
