import JSON
import Testing

@testable import PartitionLeases

@Suite struct PartitionStateTests {
    private func state(_ entry: PartitionEntry? = nil, stream: String = "s") -> PartitionState {
        PartitionState(takingOver: entry, stream: stream, relay: "me")
    }

    private func fetched(_ sequences: Int64...) -> [PartitionState.Fetched] {
        zip(sequences, [nil] + sequences).map { PartitionState.Fetched($0, storedAt: $0, after: $1) }
    }

    private func open(_ state: PartitionState) -> String { state.entry.open.json.description }

    /// What the host can say of a record.
    private var lists: [WritableKeyPath<PartitionState.Outcome, [Int64]>] {
        [\.settled, \.uncertain, \.unsent, \.returned]
    }

    @Test("Only records that are begun count as possibly sent, each once")
    func begin() {
        var state = state()
        let claimed = state.claim(fetched(10, 35, 60, 90), limit: 3)
        #expect(claimed.map(\.sequence) == [10, 35, 60])
        #expect(claimed.map(\.possiblySent) == [0, 0, 0])
        #expect(open(state) == "[[10,60,0]]")
        #expect(state.entry.top == 60)
        let change = state.entry.change
        let begun = state.begin([10, 60, 90])
        #expect(begun.unknown == [90] && begun.isChanged)
        #expect(open(state) == "[[10,10,1],[35,35,0],[60,60,1]]")
        #expect(state.entry.change > change)
        let before = state
        let again = state.begin([10, 60])
        #expect(again.unknown.isEmpty && !again.isChanged)
        #expect(state == before)
    }

    @Test("Each outcome changes the entry, unless its records are unknown")
    func outcomes() {
        for list in lists {
            var state = state()
            _ = state.claim(fetched(10, 35), limit: 2)
            _ = state.begin([10])
            let change = state.entry.change
            var outcome = PartitionState.Outcome()
            outcome[keyPath: list] = [90]
            #expect(state.settle(outcome) == [90] && state.entry.change == change)
            outcome[keyPath: list] = [10]
            #expect(outcome.all == [10])
            #expect(state.settle(outcome).isEmpty && state.entry.change > change)
        }
    }

    /// What a record goes through, and how often it may have been sent by then, if its holder dies.
    private static let transitions: [(steps: String, possiblySent: Int)] = [
        ("claim", 0), ("claim die claim die claim", 0), ("claim release", 0), ("claim return", 0),
        ("claim unsent", 0), ("claim uncertain", 0), ("claim return claim return", 0),
        ("claim begin", 1), ("claim begin begin", 1), ("claim begin release", 1),
        ("claim begin return", 0), ("claim begin return claim", 0), ("claim begin return claim begin", 1),
        ("claim begin unsent", 0), ("claim begin unsent unsent", 0), ("claim begin unsent return", 0),
        ("claim begin unsent begin", 1), ("claim begin unsent begin return", 0),
        ("claim begin uncertain", 1), ("claim begin uncertain uncertain", 1), ("claim begin uncertain unsent", 1),
        ("claim begin uncertain return", 1), ("claim begin uncertain return claim return", 1),
        ("claim begin uncertain begin", 2), ("claim begin uncertain begin unsent", 1),
        ("claim begin uncertain begin return", 1), ("claim begin uncertain begin uncertain", 2),
        ("claim begin die claim", 1), ("claim begin die claim begin", 2), ("claim begin die claim begin return", 1),
        ("claim begin die claim return", 1), ("claim begin die claim die claim die claim", 1),
        ("claim revoke", 0), ("claim revoke begin", 0), ("claim revoke return claim", 0),
        ("claim begin revoke", 1), ("claim begin revoke return", 0), ("claim begin revoke uncertain", 1),
        ("claim begin revoke begin", 1), ("claim revoke reclaim claim", 0), ("claim revoke reclaim claim begin", 1),
        ("claim begin revoke reclaim", 1), ("claim begin revoke reclaim claim return", 1),
        ("claim begin revoke reclaim claim begin", 2),
    ]

    @Test("How often a record may have been sent, whatever happens to it", arguments: transitions)
    func transition(steps: String, possiblySent: Int) throws {
        var state = state()
        /// The entry as it is stored: what was only handed out is lost with the holder.
        var stored = state.entry
        for step in steps.split(separator: " ") {
            var outcome = PartitionState.Outcome()
            switch step {
            case "claim": #expect(state.claim(fetched(7), limit: 1).count == 1)
            case "begin": if state.begin([7]).isChanged { stored = state.entry }
            case "uncertain": outcome.uncertain = [7]
            case "unsent": outcome.unsent = [7]
            case "return": outcome.returned = [7]
            case "revoke": #expect(state.revoke() == [7])
            case "reclaim": state.reclaimRevoked()
            case "release":
                state.release()
                stored = state.entry
            case "die": state = self.state(stored)
            default: Issue.record("\(step) is not a step")
            }
            guard !outcome.all.isEmpty else { continue }
            #expect(state.settle(outcome).isEmpty, "\(step)")
            stored = state.entry
        }
        var next = self.state(try PartitionEntry(stored.bytes))
        #expect(next.claim(fetched(7), limit: 1).map(\.possiblySent) == [possiblySent])
    }

    @Test("Nothing is handed out while the host holds a record")
    func oneBatch() {
        var state = state()
        _ = state.claim(fetched(1, 2), limit: 2)
        #expect(state.claim(fetched(3), limit: 2).isEmpty)
        #expect(state.settle(.settled([1])).isEmpty)
        #expect(state.claim(fetched(3), limit: 2).isEmpty)
        #expect(state.settle(.settled([2])).isEmpty)
        #expect(state.claim(fetched(3), limit: 2).map(\.sequence) == [3])
    }

    @Test("No range covers a settled record, whose acknowledgement may have been lost")
    func split() {
        var state = state()
        _ = state.claim(fetched(10, 35, 60, 90), limit: 4)
        _ = state.begin([10, 35, 60, 90])
        #expect(state.settle(.settled([35])).isEmpty)
        #expect(open(state) == "[[10,10,1],[60,90,1]]")
        #expect(state.isSettled(35...35, storedAt: 35))
        #expect(!state.isSettled(60...60, storedAt: 60))
        #expect([10, 35, 60, 61].map { state.isInBatch($0) } == [true, false, true, false])
        #expect(state.first == 10)
    }

    @Test("The attempt of an uncertain record stays counted; that of one that was not sent or is given back does not")
    func counts() {
        var state = state()
        _ = state.claim(fetched(1, 2, 3, 4, 5), limit: 5)
        _ = state.begin([1, 2, 3, 4])
        var outcome = PartitionState.Outcome()
        (outcome.uncertain, outcome.unsent, outcome.returned) = ([2], [3], [4, 5])
        #expect(state.settle(outcome).isEmpty)
        #expect(open(state) == "[[1,2,1],[3,5,0]]")
        #expect(state.returned == [4, 5])
        _ = state.begin([2, 3])
        #expect(open(state) == "[[1,1,1],[2,2,2],[3,3,1],[4,5,0]]")
        outcome = PartitionState.Outcome()
        outcome.returned = [2]
        #expect(state.settle(outcome).isEmpty)
        #expect(open(state) == "[[1,3,1],[4,5,0]]")
    }

    @Test("Records that were given back come again first, and what follows them in the same batch if there is room")
    func returned() {
        var state = state()
        _ = state.claim(fetched(1, 2, 3), limit: 3)
        var outcome = PartitionState.Outcome()
        (outcome.settled, outcome.returned) = ([2], [1, 3])
        #expect(state.settle(outcome).isEmpty)
        #expect(state.returned == [1, 3])
        var other = state
        #expect(other.claim(fetched(4, 5), limit: 1).map(\.sequence) == [1])
        #expect(other.settle(.settled([1])).isEmpty)
        #expect(other.claim(fetched(4, 5), limit: 2).map(\.sequence) == [3, 4])
        let next = [PartitionState.Fetched(4, storedAt: 4, after: 3)]
        #expect(state.claim(next, limit: 3).map(\.sequence) == [1, 3, 4])
        #expect(open(state) == "[[1,1,0],[3,4,0]]")
        outcome = PartitionState.Outcome()
        (outcome.settled, outcome.returned) = ([3, 4], [1])
        #expect(state.settle(outcome).isEmpty)
        _ = state.claim([PartitionState.Fetched(5, storedAt: 5, after: 4)], limit: 3)
        #expect(open(state) == "[[1,1,0],[5,5,0]]")
    }

    @Test("The next holder hands out what the dead one may have sent with the count, and then new records")
    func takeover() {
        var dead = state()
        _ = dead.claim(fetched(10, 35, 60), limit: 3)
        _ = dead.begin([10, 35, 60])
        #expect(dead.settle(.settled([35])).isEmpty)
        var next = PartitionState(takingOver: dead.entry, stream: "s", relay: "next")
        #expect(next.entry.relay == "next")
        #expect(next.entry.change > dead.entry.change)
        #expect(next.isSettled(35...35, storedAt: 35))
        let claimed = next.claim(fetched(10, 60, 90), limit: 3)
        #expect(claimed.map(\.possiblySent) == [1, 1, 0])
        #expect(open(next) == "[[10,60,1],[90,90,0]]")
        _ = next.begin([10, 60, 90])
        #expect(open(next) == "[[10,60,2],[90,90,1]]")
    }

    @Test("A holder that takes a partition over keeps the open records that it has not handed out yet")
    func takeoverInPart() {
        var dead = state()
        _ = dead.claim(fetched(10, 35, 60), limit: 3)
        _ = dead.begin([10, 35, 60])
        var next = state(dead.entry)
        #expect(open(next) == "[[10,60,1]]")
        #expect(next.claim(fetched(10), limit: 1).map(\.possiblySent) == [1])
        #expect(open(next) == "[[10,10,1],[11,60,1]]")
        #expect(!next.isSettled(35...35, storedAt: 35))
    }

    @Test("Records that a dead holder had and that are not in the stream any more are forgotten")
    func purged() {
        var dead = state()
        _ = dead.claim(fetched(10, 35, 60), limit: 3)
        _ = dead.begin([10, 35, 60])
        var next = state(dead.entry)
        _ = next.claim(fetched(60), limit: 1)
        #expect(open(next) == "[[60,60,1]]")
    }

    @Test("An entry of a stream that was deleted and created again says nothing of the new one")
    func recreated() {
        var old = state()
        _ = old.claim(fetched(10), limit: 1)
        let new = state(old.entry, stream: "later")
        #expect(!new.isSettled(5...5, storedAt: 5))
        #expect(new.entry.top == 0)
        #expect(new.entry.change > old.entry.change)
    }

    @Test("A message with a sequence that was used before is a new one if it was stored later")
    func rolledBack() {
        var old = state()
        _ = old.claim(fetched(10, 35, 60), limit: 3)
        _ = old.begin([60])
        #expect(old.settle(.settled([10, 35])).isEmpty)
        // The servers lost the messages from 35 on, and stored others.
        var new = state(old.entry)
        #expect(new.isSettled(35...35, storedAt: 60))
        #expect(!new.isSettled(35...35, storedAt: 61))
        // Without the second of them, no higher id was claimed in the stream as it is now.
        var first = new
        _ = first.claim([.init(35, storedAt: 70, after: nil)], limit: 1)
        #expect(first.entry.top == 35)
        let claimed = new.claim([.init(35, storedAt: 70, after: nil), .init(60, storedAt: 71, after: 35)], limit: 2)
        #expect(claimed.map(\.possiblySent) == [0, 0])
        #expect(open(new) == "[[35,60,0]]")
        #expect(new.entry.top == 60)
    }

    @Test("What the host does not have is not settled, nor is anything settled twice")
    func unknown() {
        var state = state()
        _ = state.claim(fetched(1, 2), limit: 2)
        let before = state
        #expect(state.settle(.settled([7])) == [7])
        #expect(state == before)
        #expect(state.settle(.settled([1, 1])) == [1])
        #expect(state.settle(.settled([1])) == [1])
    }

    @Test("The host can neither begin nor settle what it gave back")
    func givenBack() {
        var state = state()
        _ = state.claim(fetched(1, 2), limit: 2)
        var outcome = PartitionState.Outcome()
        outcome.returned = [1]
        #expect(state.settle(outcome).isEmpty)
        let before = state
        let begun = state.begin([1])
        #expect(begun.unknown == [1] && !begun.isChanged)
        for list in lists {
            outcome = PartitionState.Outcome()
            outcome[keyPath: list] = [1]
            #expect(state.settle(outcome) == [1])
        }
        #expect(state == before)
    }

    @Test("Revoked records may still be settled; the others come again, as possibly sent if they are begun")
    func revoked() {
        var state = state()
        _ = state.claim(fetched(1, 2, 3), limit: 3)
        _ = state.begin([1, 2, 3])
        #expect(state.revoke() == [1, 2, 3])
        #expect(state.revoke().isEmpty)
        #expect(state.revoked == [1, 2, 3])
        #expect(state.settle(.settled([1])).isEmpty)
        var outcome = PartitionState.Outcome()
        outcome.returned = [3]
        #expect(state.settle(outcome).isEmpty)
        #expect(state.revoked == [2])
        #expect(state.claim(fetched(4), limit: 3).isEmpty)
        state.reclaimRevoked()
        #expect(state.claim(fetched(4), limit: 3).map(\.possiblySent) == [1, 0, 0])
    }

    @Test("A released partition keeps what the host did not settle")
    func released() {
        var state = state()
        _ = state.claim(fetched(1, 2), limit: 2)
        _ = state.begin([1, 2])
        var outcome = PartitionState.Outcome()
        outcome.returned = [2]
        #expect(state.settle(outcome).isEmpty)
        let before = state.entry.change
        state.release()
        #expect(state.entry.relay == nil && state.entry.change == before + 1)
        #expect(open(state) == "[[1,1,1],[2,2,0]]")
    }
}

extension PartitionState.Outcome {
    /// An outcome in which those records are settled.
    static func settled(_ sequences: [Int64]) -> Self {
        var outcome = Self()
        outcome.settled = sequences
        return outcome
    }
}
