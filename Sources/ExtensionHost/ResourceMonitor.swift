/// Samples what a process and its descendants use, and compares it with the limits.
struct ResourceMonitor {
    private let limits: ExtensionLimits
    private var usage: ResourceUsage

    /// A monitor of a process that was just started.
    init(limits: ExtensionLimits, now: Int64) {
        self.limits = limits
        usage = ResourceUsage(now: now)
    }

    /// The processor time of the last sample, in milliseconds.
    var processorTime: UInt64 { usage.processorTime }

    /// Whether a sample is due before a call begins; see ``ResourceUsage/isOld(now:)``.
    func isOld(now: Int64) -> Bool { usage.isOld(now: now) }

    /// When the next sample is due.
    ///
    /// - Parameter callStart: When the oldest outstanding call was sent; `nil` if there is none.
    /// - Returns: A time on the monotonic clock; `nil` if nothing is limited.
    func nextSample(callStart: Int64?) -> Int64? {
        guard limits.memory > 0 || limits.processorTime > 0 || limits.processes > 0 else { return nil }
        return usage.nextSample(callStart: callStart)
    }

    /// Leaves a sample out if the process did nothing since the last one; see ``ResourceUsage/holds(_:now:)``.
    mutating func holds(_ pid: Int32, now: Int64) -> Bool { usage.holds(pid, now: now) }

    mutating func sample(_ pids: [Int32], now: Int64) { usage.sample(pids, most: limits.processes, now: now) }

    /// A sample for a report, which does not change when the next one is due.
    func report(_ pids: [Int32], now: Int64) -> ResourceUsage {
        var usage = usage
        usage.sample(pids, most: limits.processes, now: now)
        return usage
    }

    /// Compares the last sample with the limits.
    ///
    /// - Parameters:
    ///   - isActivating: Whether `activate` is not answered yet.
    ///   - calls: The outstanding calls.
    /// - Returns: The limit that it exceeds, as the end of a sentence about the extension.
    func violation(isActivating: Bool, _ calls: [OutstandingCall]) -> String? {
        if limits.processes > 0, usage.processes > limits.processes {
            return "ran more than the \(limits.processes) processes it may, and was killed"
        }
        if limits.memory > 0, usage.memory > limits.memory {
            return "used \(usage.memory >> 20) MiB of memory, more than the \(limits.memory >> 20) MiB it may, "
                + "and was killed"
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
