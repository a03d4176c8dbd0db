/// The numbers of an extension's answered and failed calls, and the times of its last answers.
public struct CallStatistics: Sendable {
    /// The number of times that are kept.
    private static let capacity = 1_024

    /// The number of calls that the extension answered, with a result or an error.
    public private(set) var answered = 0
    /// The number of calls that failed with the process, or were refused.
    public private(set) var failed = 0
    /// A ring of the last answers' times in microseconds.
    private var times: [Int64] = []

    mutating func noteAnswer(microseconds: Int64) {
        if times.count < Self.capacity {
            times.append(microseconds)
        } else {
            times[answered % Self.capacity] = microseconds
        }
        answered += 1
    }

    mutating func noteFailure() { failed += 1 }

    /// The time within which a share of the last 1,024 answers arrived.
    ///
    /// - Parameter share: From 0 to 1; 0.5 gives the median.
    /// - Returns: Milliseconds; `nil` before the first answer.
    public func percentile(_ share: Double) -> Double? {
        guard !times.isEmpty else { return nil }
        let sorted = times.sorted()
        let index = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return Double(sorted[min(max(index, 0), sorted.count - 1)]) / 1000
    }
}
