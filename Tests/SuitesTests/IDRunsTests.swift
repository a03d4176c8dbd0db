import Suites
import Testing

@Suite("Runs of ids")
struct IDRunsTests {
    @Test(
        "An id is contained if it is in one of the runs, and the count is that of the ids",
        arguments: [[], [5], [1, 2, 3], [9, 1, 3, 2, 7, 8], [2, 4, 6, 8, 10, 12]] as [[Int64]]
    )
    func contains(ids: [Int64]) {
        let runs = IDRuns(ids)
        #expect((0...14).filter { runs.contains($0) } == ids.sorted())
        #expect(runs.count == ids.count && runs.isEmpty == ids.isEmpty)
    }

    @Test(
        "Ids that follow one another are one run, up to the greatest id",
        arguments: [
            ([6, 1, 3, 2, 5], [1...3, 5...6]), ([4, 4, 6], [4...4, 6...6]), ([.max, .max], [.max ... .max]),
            ([1, .max, .max - 1], [1...1, .max - 1 ... .max]), ([.min, .min, .max], [.min ... .min, .max ... .max]),
        ] as [([Int64], [ClosedRange<Int64>])]
    )
    func runs(ids: [Int64], expected: [ClosedRange<Int64>]) { #expect(IDRuns(ids).runs == expected) }
}
