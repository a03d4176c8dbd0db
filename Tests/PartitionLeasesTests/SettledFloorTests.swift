import Testing

@testable import PartitionLeases

@Suite struct SettledFloorTests {
    /// Notes floors at some seconds, in a window of 160 s, and returns what may be removed each time.
    private func notes(_ notes: [(second: Int, floor: Int64)]) -> [Int64?] {
        var floor = SettledFloor()
        return notes.map { floor.note($0.floor, at: .seconds($0.second), window: .seconds(160)) }
    }

    @Test("What was settled stays for a window and a sixteenth of one")
    func window() {
        #expect(notes([(0, 5), (10, 9), (169, 20), (170, 20), (179, 30), (180, 31)]) == [nil, nil, nil, 5, nil, 9])
    }

    @Test("After a pause the last note that is old enough counts")
    func pause() {
        #expect(notes([(0, 5), (10, 9), (400, 20), (570, 21)]) == [nil, nil, 9, 20])
    }

    @Test("Nothing is removed that is not settled now, even if it was settled before")
    func lower() {
        #expect(notes([(0, 50), (170, 7)]) == [nil, 7])
    }

    @Test("A note is due after each sixteenth of a window")
    func due() {
        var floor = SettledFloor()
        #expect(floor.isDue(at: .zero, window: .seconds(160)))
        _ = floor.note(1, at: .zero, window: .seconds(160))
        #expect(!floor.isDue(at: .milliseconds(9_999), window: .seconds(160)))
        #expect(floor.isDue(at: .seconds(10), window: .seconds(160)))
    }
}
