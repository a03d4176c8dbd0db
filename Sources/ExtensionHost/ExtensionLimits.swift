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
