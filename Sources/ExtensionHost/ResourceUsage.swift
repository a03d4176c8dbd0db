internal import CSystem

/// What the processes of an extension use, according to the last sample.
public struct ResourceUsage: Sendable {
    /// The time between two samples during a call, and between calls, in milliseconds.
    private static let callInterval: Int64 = 100
    private static let idleInterval: Int64 = 1_000
    /// The age from which a new sample is needed before a call, in milliseconds.
    private static let greatestAge: Int64 = 1_000

    /// Resident memory in bytes.
    public private(set) var memory: UInt64 = 0
    /// Processor time in milliseconds since the process was started.
    public private(set) var processorTime: UInt64 = 0
    /// The number of processes; if it exceeds the limit, there may be more.
    public private(set) var processes = 0
    private var lastSample: Int64 = 0

    /// The usage of a process that was just started.
    init(now: Int64) { lastSample = now }

    /// Whether a new sample is due before a call begins.
    ///
    /// A quick call ends before its first sample is due, so it costs no sampling. This catches what many quick calls use
    /// together.
    func isOld(now: Int64) -> Bool { now - lastSample >= Self.greatestAge }

    /// When the next sample is due.
    ///
    /// - Parameter callStart: When the oldest outstanding call began; `nil` if there is none.
    /// - Returns: A time on the monotonic clock in milliseconds.
    func nextSample(callStart: Int64?) -> Int64 {
        callStart.map { max($0, lastSample) + Self.callInterval } ?? lastSample + Self.idleInterval
    }

    /// Samples processes and their descendants.
    ///
    /// - Parameters:
    ///   - pids: The processes.
    ///   - most: Sampling ends when more processes than this are found; 0 for no limit.
    ///   - now: The monotonic clock in milliseconds.
    mutating func sample(_ pids: [Int32], most: Int, now: Int64) {
        lastSample = now
        var sum = csystem_usage()
        for pid in pids where most == 0 || sum.processes <= most {
            var found = csystem_usage()
            guard csystem_read_usage(pid, CInt(clamping: most), &found) == 0 else { continue }
            sum.processes += found.processes
            sum.resident += found.resident
            sum.milliseconds += found.milliseconds
        }
        memory = sum.resident
        processes = Int(sum.processes)
        // The time of descendants that ended may be missing from the sum.
        processorTime = max(processorTime, sum.milliseconds)
    }
}
