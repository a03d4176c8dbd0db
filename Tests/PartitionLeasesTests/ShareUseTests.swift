import Testing

@testable import PartitionLeases

@Suite struct ShareUseTests {
    private enum Step {
        case begin([Int64], until: Int)
        case end([Int64])
    }

    /// A row: what happens in each second, and for how many seconds nothing can have been sent at the end of the last.
    private static let rows: [(steps: [Int: Step], now: Int, unused: Int)] = [
        // Nothing was ever sent: since the part was taken.
        ([:], 10, 8),
        // Something is under way, or part of it.
        ([4: .begin([1, 2], until: 20)], 10, 0),
        ([4: .begin([1, 2], until: 20), 6: .end([1])], 10, 0),
        // All was settled at some time.
        ([4: .begin([1, 2], until: 20), 6: .end([1, 2])], 10, 4),
        ([4: .begin([1], until: 20), 5: .end([1]), 6: .begin([2], until: 20), 7: .end([2])], 10, 3),
        // The time until which it may be sent is over, although nobody settled it.
        ([4: .begin([1], until: 7)], 10, 3),
        ([4: .begin([1], until: 7), 6: .begin([2], until: 9), 8: .end([1])], 10, 1),
        // A settlement of what was not begun says nothing.
        ([4: .begin([1], until: 20), 5: .end([1]), 8: .end([7])], 10, 5),
        // It was sent before the part was taken.
        ([0: .begin([1], until: 20), 1: .end([1])], 10, 8),
    ]

    @Test(
        "A part is unused since the last record that was begun is settled or may not be sent any more",
        arguments: rows.indices
    )
    func unused(index: Int) {
        let row = Self.rows[index]
        var use = ShareUse()
        for (second, step) in row.steps.sorted(by: { $0.key < $1.key }) {
            switch step {
            case .begin(let ids, let limit): use.begin(ids, until: .seconds(limit))
            case .end(let ids): use.end(ids, at: .seconds(second))
            }
        }
        #expect(use.unused(since: .seconds(2), at: .seconds(row.now)) == .seconds(row.unused))
    }

    @Test("How long a part is free follows from its entry, from its holder's death and from the servers' clocks")
    func free() {
        func age(_ change: (inout PartitionEntry) -> Void, isDead: Bool = false, elapsed: Int = 0, stream: String = "s")
            -> Duration
        {
            var entry = PartitionEntry(stream: "s")
            change(&entry)
            return FreeShare.age(
                entry,
                among: [entry],
                stream: stream,
                isDead: isDead,
                elapsed: .seconds(elapsed),
                lease: .seconds(30)
            )
        }
        func never(_ entries: [PartitionEntry]) -> Duration {
            FreeShare.age(nil, among: entries, stream: "s", isDead: false, elapsed: .zero, lease: .seconds(30))
        }
        #expect(never([]) == FreeShare.ever)
        #expect(never([PartitionEntry(stream: "earlier")]) == .zero)
        #expect(age { $0.unused = 250 } == .milliseconds(250))
        #expect(age({ $0.unused = 250 }, elapsed: 9) == .milliseconds(250), "clocks may differ by that")
        #expect(age({ $0.unused = 250 }, elapsed: 12) == .milliseconds(2_250))
        #expect(age({ $0.unused = 250 }, elapsed: -12) == .milliseconds(250))
        #expect(age({ $0.unused = 250 }, elapsed: 9_999) == FreeShare.ever)
        #expect(age({ $0.unused = 250 }, stream: "t") == .zero)
        #expect(age({ $0.relay = "a" }, isDead: true) == .seconds(10))
        #expect(age({ $0.relay = "a" }, elapsed: 99) == .zero, "this relay does not know since when it holds it")
    }
}
