/// What an extension's processes did so far, kept when the bundle is reloaded.
public final class ExtensionHistory {
    /// The number of ends that are kept.
    private static let endsKept = 10

    /// The number of processes that were started.
    public internal(set) var starts = 0
    /// How the last processes ended, the newest last.
    public private(set) var ends: [ProcessEnd] = []
    /// How long the answers took.
    public internal(set) var statistics = CallStatistics()
    /// The number of bytes written to the processes and read from them.
    public internal(set) var bytes: (written: Int, read: Int) = (0, 0)

    /// The number of processes that the extension left behind and the host killed.
    public internal(set) var orphans = 0

    /// The greatest ``ResourceUsage/peak`` that was sampled.
    public private(set) var peakMemory: UInt64 = 0
    /// What the calls of each method took.
    public private(set) var methods: [String: MethodUsage] = [:]
    /// The method that was answered last.
    private var lastAnswered: String?

    /// A history without events.
    public init() {}

    /// Notes a sample.
    ///
    /// - Parameters:
    ///   - usage: The sample.
    ///   - method: That of the oldest outstanding call, to which the sample is ascribed; without one, it is ascribed to
    ///     the last call that was answered.
    func note(_ usage: ResourceUsage, during method: String?) {
        peakMemory = max(peakMemory, usage.peak)
        guard let method = method ?? lastAnswered else { return }
        let peak = max(methods[method]?.peakMemory ?? 0, usage.recentPeak)
        methods[method, default: MethodUsage()].peakMemory = peak
    }

    func noteAnswer(to method: String, microseconds: Int64) {
        statistics.noteAnswer(microseconds: microseconds)
        methods[method, default: MethodUsage()].noteAnswer(microseconds: microseconds)
        lastAnswered = method
    }

    func addEnd(_ end: ProcessEnd) {
        ends.append(end)
        if ends.count > Self.endsKept { ends.removeFirst() }
    }
}

/// What the calls of one method took.
public struct MethodUsage: Sendable {
    /// The number of calls that were answered.
    public private(set) var answered = 0
    /// The longest time of an answer, in microseconds.
    public private(set) var longest: Int64 = 0
    /// The greatest ``ResourceUsage/recentPeak`` that was sampled.
    public fileprivate(set) var peakMemory: UInt64 = 0

    fileprivate mutating func noteAnswer(microseconds: Int64) {
        answered += 1
        longest = max(longest, microseconds)
    }
}

/// How one process of an extension ended.
public struct ProcessEnd: Sendable {
    /// When, by the system's clock, in milliseconds since 1970.
    public let time: Int64
    /// Its process identifier.
    public let pid: Int32
    /// Why it ended.
    public let cause: Cause
    /// Its exit code, if it exited.
    public let exitCode: Int32?
    /// The signal that ended it, if one did.
    public let signal: Int32?

    /// Why a process ended.
    public enum Cause: Equatable, Sendable, CustomStringConvertible {
        /// It was asked to stop.
        case stopped(StopReason)
        /// It failed, or broke a rule.
        case failed(ExtensionFailure.Reason)

        /// The cause as a clause.
        public var description: String {
            switch self {
            case .stopped(let reason): reason.description
            case .failed(let reason): reason.description
            }
        }
    }
}

/// Why a process is asked to stop.
public enum StopReason: Equatable, Sendable, CustomStringConvertible {
    /// Its bundle changed, or a reload was forced.
    case bundleReloaded
    /// The host or another owner of the process stops.
    case hostStopping
    /// It had no presentation and no call for so many milliseconds.
    case unused(milliseconds: Int64)

    /// The reason as a clause, such as `its bundle was reloaded`.
    public var description: String {
        switch self {
        case .bundleReloaded: "its bundle was reloaded"
        case .hostStopping: "the host is stopping"
        case .unused(let milliseconds): "it was unused for \(milliseconds) ms"
        }
    }
}

/// The numbers of an extension's answered and failed calls, and the times of its last answers.
public struct CallStatistics: Sendable {
    /// The number of times that are kept.
    private static let capacity = 1_024

    /// The number of calls that the extension answered, with a result or an error.
    public private(set) var answered = 0
    /// The number of calls that failed with the process, or were refused.
    public private(set) var failed = 0
    /// The longest time of all answers, in microseconds.
    public private(set) var longest: Int64 = 0
    /// A ring of the last answers' times in microseconds.
    private var times: [Int64] = []

    mutating func noteAnswer(microseconds: Int64) {
        if times.count < Self.capacity {
            times.append(microseconds)
        } else {
            times[answered % Self.capacity] = microseconds
        }
        longest = max(longest, microseconds)
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
