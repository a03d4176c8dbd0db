internal import Foundation

/// How long an extension took to answer, of its last calls.
public struct CallStatistics: Sendable {
    private static let memory = 1_024

    /// The number of calls that were answered, with a result or an error of the extension.
    public private(set) var answered = 0
    /// The number of calls that failed with the process, or were refused.
    public private(set) var failed = 0
    /// The last answers' times in microseconds, in a ring.
    private var times: [Int64] = []

    mutating func answer(microseconds: Int64) {
        if times.count < Self.memory {
            times.append(microseconds)
        } else {
            times[answered % Self.memory] = microseconds
        }
        answered += 1
    }

    mutating func fail() { failed += 1 }

    /// The time within which that share of the last 1,024 answers came.
    ///
    /// - Parameter share: From 0 to 1; 0.5 gives the median.
    /// - Returns: Milliseconds; nothing before the first answer.
    public func percentile(_ share: Double) -> Double? {
        guard !times.isEmpty else { return nil }
        let sorted = times.sorted()
        let index = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return Double(sorted[min(max(index, 0), sorted.count - 1)]) / 1000
    }

    /// The monotonic clock in microseconds.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
