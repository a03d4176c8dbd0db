import JSON
import Testing

@testable import PartitionLeases

@Suite struct OpenRangesTests {
    private func ranges(_ text: String) throws -> OpenRanges { try #require(OpenRanges(JSON(parsing: text))) }

    @Test("Records that follow each other and may have been sent equally often are one range")
    func runs() {
        var ranges = OpenRanges()
        ranges.append(3, count: 1, follows: false)
        ranges.append(10, count: 1, follows: true)
        ranges.append(17, count: 2, follows: true)
        ranges.append(20, count: 2, follows: false)
        #expect(ranges.json.description == "[[3,10,1],[17,17,2],[20,20,2]]")
    }

    @Test("A sequence has the count of the range that covers it")
    func counts() throws {
        let ranges = try ranges("[[3,10,1],[17,17,2]]")
        #expect([2, 3, 7, 10, 11, 17, 18].map { ranges.count(of: $0) } == [nil, 1, 1, 1, nil, 2, nil])
    }

    @Test("Ids have an open one among them if they and a range have one in common")
    func intersections() throws {
        let ranges = try ranges("[[3,10,1],[17,17,2]]")
        let ids: [ClosedRange<Int64>] = [1...2, 1...3, 5...6, 10...12, 11...16, 17...17, 18...20, 1...20]
        #expect(ids.map { ranges.intersects($0) } == [false, true, true, true, false, true, false, true])
    }

    @Test(
        "All sequences up to one can be removed",
        arguments: [
            (2, "[[3,10,1],[17,17,2]]"), (3, "[[4,10,1],[17,17,2]]"), (5, "[[6,10,1],[17,17,2]]"),
            (10, "[[17,17,2]]"), (20, "[]"),
        ]
    )
    func removal(sequence: Int64, rest: String) throws {
        var ranges = try ranges("[[3,10,1],[17,17,2]]")
        ranges.removeAll(through: sequence)
        #expect(ranges.json.description == rest)
    }

    @Test(
        "What is no ascending list of ranges is not read",
        arguments: ["3", "[3]", "[[3,4]]", "[[4,3,1]]", "[[3,5,1],[5,6,1]]", "[[1,2,-1]]", "[[0,2,1]]"]
    )
    func unreadable(text: String) throws { #expect(OpenRanges(try JSON(parsing: text)) == nil) }
}
