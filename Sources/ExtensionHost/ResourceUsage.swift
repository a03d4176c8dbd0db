internal import CSystem

/// What the processes of an extension use, as it was found from time to time.
public struct ResourceUsage: Sendable {
    /// How often it is looked at during a call, and between calls, in milliseconds.
    private static let callInterval: Int64 = 100
    private static let idleInterval: Int64 = 1_000
    /// How old the last look may be when a call begins, in milliseconds.
    private static let greatestAge: Int64 = 1_000

    /// Resident memory in bytes.
    public private(set) var memory: UInt64 = 0
    /// Processor time in milliseconds since the process was started.
    public private(set) var processorTime: UInt64 = 0
    /// The number of processes; past the greatest one it is only known that there are more.
    public private(set) var processes = 0
    private var lastLook: Int64 = 0

    /// That of a process that was just started.
    init(now: Int64) { lastLook = now }

    /// Whether to look before a call begins.
    ///
    /// A quick call is over before anyone looks, so that looking costs it nothing; many of them must not hide what
    /// they use together.
    func isOld(now: Int64) -> Bool { now - lastLook >= Self.greatestAge }

    /// When to look next; told when the oldest call began that it works on.
    func nextLook(callStart: Int64?) -> Int64 {
        callStart.map { max($0, lastLook) + Self.callInterval } ?? lastLook + Self.idleInterval
    }

    /// Looks at processes and their descendants.
    ///
    /// - Parameters:
    ///   - pids: The processes.
    ///   - most: Once more processes than this are found, no further ones are looked at; 0 for all.
    ///   - now: The monotonic clock in milliseconds.
    mutating func look(at pids: [Int32], most: Int, now: Int64) {
        lastLook = now
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
        // Descendants that end take their time with them.
        processorTime = max(processorTime, sum.milliseconds)
    }
}
