/// Ids as runs of consecutive ids; a delivery usually has one or two runs.
public struct IDRuns: Equatable, Sendable {
    /// The runs, in ascending order, with a gap between any two.
    public private(set) var runs: [ClosedRange<Int64>] = []

    /// The runs of some ids.
    ///
    /// - Parameter ids: The ids in any order; duplicates are ignored.
    public init(_ ids: some Sequence<Int64>) {
        let ids = Array(ids)
        // The ids are usually sorted already.
        let isSorted = zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 }
        for id in isSorted ? ids : ids.sorted() {
            if let last = runs.last, id <= last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...max(last.upperBound, id)
            } else {
                runs.append(id...id)
            }
        }
    }

    /// The runs of everything in some ranges, which may overlap.
    init(merging ranges: [ClosedRange<Int64>]) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            // Without a sum, which overflows after the greatest id.
            if let last = runs.last, range.lowerBound - 1 <= last.upperBound {
                runs[runs.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                runs.append(range)
            }
        }
    }

    /// Parses the runs from their ``text``.
    init(text: String) throws(SuiteError) {
        for part in text.split(separator: ",") {
            let ends = part.split(separator: "-").map { Int64($0) }
            guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, 1 <= first, first <= last
            else {
                throw .unreadable("it has a claim with invalid record ids: \(text)")
            }
            runs.append(first...last)
        }
    }

    /// The runs as `1-1000,1003`.
    var text: String {
        runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// Whether there are no ids.
    public var isEmpty: Bool { runs.isEmpty }

    /// The number of ids.
    public var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// Whether an id is among them.
    public func contains(_ id: Int64) -> Bool {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < id { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].lowerBound <= id
    }
}

extension IDRuns: ExpressibleByArrayLiteral {
    /// The runs of the ids, in any order.
    public init(arrayLiteral ids: Int64...) { self.init(ids) }
}
