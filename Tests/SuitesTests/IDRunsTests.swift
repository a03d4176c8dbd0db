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
        #expect(runs.count == ids.count)
    }
}
