internal import CSystem

/// What the processes of an extension use, according to the last sample.
public struct ResourceUsage: Sendable {
    /// Resident memory in bytes.
    public fileprivate(set) var memory: UInt64 = 0
    /// The most memory outside files, in bytes, that calls added to what the processes had when they were ready.
    public fileprivate(set) var peak: UInt64 = 0
    /// The same since the sample before this one.
    public fileprivate(set) var recentPeak: UInt64 = 0
    /// Processor time in milliseconds since the process was started.
    public fileprivate(set) var processorTime: UInt64 = 0
    /// The number of processes; if it exceeds the limit, there may be more.
    public fileprivate(set) var processes = 0
}

/// Samples what a process and its descendants use, and compares it with the limits.
struct ResourceMonitor {
    /// The time between two samples during a call, and between calls, in milliseconds.
    private static let callInterval: Int64 = 100
    private static let idleInterval: Int64 = 1_000
    /// At most so many samples in a row are left out because a process did nothing.
    private static let mostLeftOut = 9
    /// The age from which a new sample is needed before a call, in milliseconds.
    private static let greatestAge: Int64 = 1_000

    /// The last sample.
    private(set) var usage = ResourceUsage()
    private let limits: ExtensionLimits
    private var lastSample: Int64
    /// The activity of the first process at the last sample, if it was the only one.
    private var lastActivity: ProcessActivity?
    /// How many samples were left out since the last one.
    private var leftOut = 0
    /// What the processes had when they were ready: the fixed part of a language's runtime; `nil` before.
    private var fixedPart: csystem_heap?
    /// The highest mark of the first process's memory at the last sample.
    private var highestMark: UInt64 = 0

    /// A monitor of a process that was just started.
    init(limits: ExtensionLimits, now: Int64) {
        self.limits = limits
        lastSample = now
    }

    // MARK: Samples

    /// Whether a new sample is due before a call begins.
    ///
    /// A quick call ends before its first sample is due, so it costs no sampling. This catches what many quick calls use
    /// together.
    func isOld(now: Int64) -> Bool { now - lastSample >= Self.greatestAge }

    /// When the next sample is due.
    ///
    /// - Parameter callStart: When the oldest outstanding call was sent; `nil` if there is none.
    /// - Returns: A time on the monotonic clock in milliseconds; `nil` if nothing is limited.
    func nextSample(callStart: Int64?) -> Int64? {
        guard limits.memory > 0 || limits.heap > 0 || limits.processorTime > 0 || limits.processes > 0 else {
            return nil
        }
        if let callStart { return max(callStart, lastSample) + Self.callInterval }
        // Many idle extensions are sampled together, so that they wake the host ten times a second at most.
        return (lastSample + Self.idleInterval + Self.callInterval - 1) / Self.callInterval * Self.callInterval
    }

    /// Leaves a sample out if a process that had no descendants did nothing since the last one.
    ///
    /// Reading its activity costs a tenth of a sample, so many idle extensions cost little. A process that only starts
    /// others, without any time of its own, is noticed by the next sample.
    ///
    /// - Parameters:
    ///   - pid: The process that was sampled.
    ///   - now: The monotonic clock in milliseconds.
    /// - Returns: Whether the last sample still holds.
    mutating func holds(_ pid: Int32, now: Int64) -> Bool {
        guard leftOut < Self.mostLeftOut, let lastActivity, ProcessActivity(of: pid) == lastActivity else {
            return false
        }
        leftOut += 1
        lastSample = now
        return true
    }

    /// Samples processes and their descendants, until more processes are found than the extension may have.
    mutating func sample(_ pids: [Int32], now: Int64) { sample(pids, now: now, readsHeap: limits.heap > 0) }

    private mutating func sample(_ pids: [Int32], now: Int64, readsHeap: Bool) {
        lastSample = now
        leftOut = 0
        // Read first, so that nothing after it is missed.
        let activity = pids.first.flatMap { ProcessActivity(of: $0) }
        let sum = read(pids, readsHeap: readsHeap)
        usage.memory = sum.resident
        if readsHeap, let fixedPart {
            // If the highest mark has not risen, the peak is older.
            let own = sum.heap.high > highestMark ? sum.heap.peak : sum.heap.own
            highestMark = max(highestMark, sum.heap.high)
            let used = sum.heap.all - sum.heap.own + own
            usage.recentPeak = used > fixedPart.all ? used - fixedPart.all : 0
            usage.peak = max(usage.peak, usage.recentPeak)
        }
        usage.processes = Int(sum.processes)
        // The time of descendants that ended may be missing from the sum.
        usage.processorTime = max(usage.processorTime, sum.milliseconds)
        lastActivity = usage.processes == 1 ? activity : nil
    }

    /// Sums up what processes and their descendants use; the first process is that of the extension itself.
    private func read(_ pids: [Int32], readsHeap: Bool) -> csystem_usage {
        let most = limits.processes
        var sum = csystem_usage()
        for pid in pids where most == 0 || sum.processes <= most {
            var found = csystem_usage()
            guard csystem_read_usage(pid, CInt(clamping: most), readsHeap ? 1 : 0, &found) == 0 else { continue }
            if sum.processes == 0 { sum.heap = found.heap } else { sum.heap.all += found.heap.all }
            sum.processes += found.processes
            sum.resident += found.resident
            sum.milliseconds += found.milliseconds
        }
        return sum
    }

    /// Notes what the processes have before the first call, because ``ResourceUsage/peak`` does not count it.
    mutating func noteReady(_ pids: [Int32]) {
        let heap = read(pids, readsHeap: true).heap
        (fixedPart, highestMark) = (heap, heap.high)
    }

    /// A sample for a report, which does not change when the next one is due.
    mutating func report(_ pids: [Int32], now: Int64) -> ResourceUsage {
        var copy = self
        copy.sample(pids, now: now, readsHeap: true)
        (highestMark, usage.peak) = (copy.highestMark, copy.usage.peak)
        return copy.usage
    }

    // MARK: Limits

    /// Compares the last sample with the limits.
    ///
    /// - Parameters:
    ///   - isActivating: Whether `activate` is not answered yet.
    ///   - calls: The outstanding calls.
    /// - Returns: The limit that it exceeds, as the end of a sentence about the extension.
    func violation(isActivating: Bool, _ calls: [OutstandingCall]) -> String? {
        if limits.processes > 0, usage.processes > limits.processes {
            return "ran more processes than its limit of \(limits.processes), and was killed"
        }
        if limits.memory > 0, usage.memory > limits.memory {
            return "used \(usage.memory >> 20) MiB of memory, more than its limit of \(limits.memory >> 20) MiB, "
                + "and was killed"
        }
        if limits.heap > 0, usage.peak > limits.heap {
            // Rounded up, so that it is more than the limit.
            let used = (usage.peak + (1 << 20) - 1) >> 20
            return "used \(used) MB of memory beyond that of its start, more than the \(limits.heap >> 20) MB at which "
                + "iOS kills a service extension (hold less at a time, such as a smaller picture), and was killed"
        }
        guard limits.processorTime > 0, let method = methodInExcess(isActivating: isActivating, calls) else {
            return nil
        }
        return "used more than \(limits.processorTime) ms of processor time for \(method) and was killed"
    }

    /// The method of a call that exceeds its processor time.
    ///
    /// Each of several overlapping calls counts all processor time since it was sent. So the limit applies to single calls
    /// even if the extension always has one.
    private func methodInExcess(isActivating: Bool, _ calls: [OutstandingCall]) -> String? {
        if isActivating, usage.processorTime > limits.processorTime { return "activate" }
        return calls.first { usage.processorTime - $0.processorTime > limits.processorTime }?.call.method
    }
}

/// What changes when a process runs, to find out whether it did.
private struct ProcessActivity: Equatable {
    private var activity = csystem_activity()

    /// The activity of a process until now; nil if the system does not report it.
    init?(of pid: Int32) {
        guard csystem_read_activity(pid, &activity) == 0 else { return nil }
    }

    static func == (left: ProcessActivity, right: ProcessActivity) -> Bool {
        withUnsafeBytes(of: left.activity) { left in
            withUnsafeBytes(of: right.activity) { left.elementsEqual($0) }
        }
    }
}

/// The times and sizes that an extension must keep to.
public struct ExtensionLimits: Sendable {
    /// The longest time for an answer to `activate`, in milliseconds.
    public var activate: Int64 = 10_000
    /// The longest time from when a call is sent to its answer, in milliseconds.
    public var call: Int64 = 10_000
    /// The maximum number of calls that an extension works on at a time.
    public var concurrentCalls = 1
    /// How long a stop waits before SIGTERM, and again before SIGKILL, in milliseconds.
    public var stop: Int64 = 2_000
    /// How long an unused extension keeps running, in milliseconds.
    public var idle: Int64 = 30_000
    /// The maximum number of calls that wait for an extension.
    public var waitingCalls = 1_024
    /// The maximum number of bytes that an extension leaves unread.
    public var unreadBytes = 16 << 20
    /// The maximum length of a line that an extension writes, in bytes.
    public var line = 16 << 20

    /// The maximum resident memory of its processes together, in bytes; 0 for no limit; sampled.
    public var memory: UInt64 = 512 << 20
    /// The maximum of ``ResourceUsage/peak``, in bytes; 0 for no limit; sampled.
    public var heap: UInt64 = 0
    /// The maximum number of its processes, not counting threads; 0 for no limit; sampled.
    public var processes = 64
    /// The maximum processor time of its processes together for one call, in milliseconds; 0 for no limit; sampled.
    public var processorTime: UInt64 = 10_000
    /// The maximum number of open descriptors of each of its processes.
    public var files = 256
    /// The number of faults within ``restartWindow`` that do not delay the next start.
    public var freeRestarts = 3
    /// How long a fault counts, in milliseconds.
    public var restartWindow: Int64 = 300_000
    /// The pause after the first fault that is not free, in milliseconds; each further fault doubles it.
    public var firstPause: Int64 = 1_000
    /// The longest pause before a restart, in milliseconds.
    public var longestPause: Int64 = 60_000

    /// The defaults of the command line.
    public static let defaults = Self()

    /// Creates limits with the default values.
    public init() {}
}
