/// What an extension's processes did so far, kept when the bundle is reloaded.
public final class ExtensionHistory {
    /// The number of ends that are kept.
    private static let endsKept = 10

    /// The number of processes that were started.
    public internal(set) var starts = 0
    /// How the last processes ended, the newest last.
    public private(set) var ends: [ProcessEnd] = []
    /// The times of the answers.
    public internal(set) var statistics = CallStatistics()
    /// The number of bytes written to the processes and read from them.
    public internal(set) var bytes: (written: Int, read: Int) = (0, 0)

    /// The number of processes that the extension left behind and the host killed.
    public internal(set) var orphans = 0

    /// A history without events.
    public init() {}

    func addEnd(_ end: ProcessEnd) {
        ends.append(end)
        if ends.count > Self.endsKept { ends.removeFirst() }
    }
}

/// How one process of an extension ended.
public struct ProcessEnd: Sendable {
    /// When, by the system's clock, in milliseconds since 1970.
    public let time: Int64
    /// Its number.
    public let pid: Int32
    /// What it did, or why it was asked to stop.
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

        /// The end of a sentence about the process.
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

    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .bundleReloaded: "its bundle was reloaded"
        case .hostStopping: "the host is stopping"
        case .unused(let milliseconds): "it was unused for \(milliseconds) ms"
        }
    }
}
