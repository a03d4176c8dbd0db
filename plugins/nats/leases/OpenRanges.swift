internal import JSON

/// The ids of records that are claimed and not settled, with how often each record may have been sent.
///
/// A partition has only some of a stream's messages, so a range also covers ids of other partitions.
public struct OpenRanges: Equatable, Sendable {
    /// Consecutive records of a partition that may have been sent equally often.
    struct Range: Equatable, Sendable {
        var first: Int64
        var last: Int64
        /// How often each of these records may have been sent if its holder dies now.
        var count: Int
    }

    /// The ranges in ascending order; they do not overlap.
    private(set) var ranges: [Range] = []

    /// No sequences.
    public init() {}

    /// Whether there are no sequences.
    public var isEmpty: Bool { ranges.isEmpty }

    /// The first of the sequences.
    var first: Int64? { ranges.first?.first }

    /// How often a record may have been sent, or nil if it is not open.
    ///
    /// - Parameter sequence: The record's sequence in the stream.
    /// - Returns: The count of the range that covers the sequence.
    public func count(of sequence: Int64) -> Int? {
        guard let next = ranges.firstIndex(where: { $0.last >= sequence }), ranges[next].first <= sequence else {
            return nil
        }
        return ranges[next].count
    }

    /// Whether a range of ids has one that is open.
    func intersects(_ ids: ClosedRange<Int64>) -> Bool {
        ranges.contains { $0.first <= ids.upperBound && ids.lowerBound <= $0.last }
    }

    /// Adds a record after all others.
    ///
    /// - Parameters:
    ///   - sequence: The record's sequence, higher than all sequences so far.
    ///   - count: How often the record may have been sent.
    ///   - follows: Whether no other record of the partition lies between this one and the last one.
    public mutating func append(_ sequence: Int64, count: Int, follows: Bool) {
        if follows, let last = ranges.last, last.count == count {
            ranges[ranges.count - 1].last = sequence
        } else {
            ranges.append(Range(first: sequence, last: sequence, count: count))
        }
    }

    /// Adds ranges after all others.
    mutating func append(contentsOf other: OpenRanges) { ranges += other.ranges }

    /// Removes all sequences up to and including one.
    mutating func removeAll(through sequence: Int64) {
        ranges.removeAll { $0.last <= sequence }
        if let first = ranges.first, first.first <= sequence { ranges[0].first = sequence + 1 }
    }
}

extension OpenRanges {
    /// The ranges as a list of `[first, last, count]`.
    var json: JSON {
        JSON(ranges.map { [.integer($0.first), .integer($0.last), JSON($0.count)] as JSON })
    }

    /// Reads a list of `[first, last, count]`; nil if it is not one, or not ascending.
    init?(_ json: JSON?) {
        guard let list = json?.array else { return nil }
        var end: Int64 = 0
        for element in list {
            guard let first = element[0]?.integer, let last = element[1]?.integer,
                let count = element[2]?.integer, first > end, last >= first, (0...1 << 53).contains(count)
            else { return nil }
            ranges.append(Range(first: first, last: last, count: Int(count)))
            end = last
        }
    }
}
