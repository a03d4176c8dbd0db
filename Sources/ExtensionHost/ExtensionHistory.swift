public import Foundation

/// What an extension's processes did so far; it outlives a reload of the bundle.
public final class ExtensionHistory {
    /// How many ends are remembered.
    private static let endsKept = 10

    /// How often a process was started.
    public internal(set) var starts = 0
    /// How the last processes ended, the newest last.
    public private(set) var ends: [ProcessEnd] = []
    /// How long the answers took.
    public internal(set) var statistics = CallStatistics()
    /// What went through the pipes in bytes: to the processes and from them.
    public internal(set) var bytes: (written: Int, read: Int) = (0, 0)

    /// How many processes of its were left when those that started them had ended, and were killed.
    public internal(set) var orphans = 0

    /// A history without events.
    public init() {}

    func note(_ end: ProcessEnd) {
        ends.append(end)
        if ends.count > Self.endsKept { ends.removeFirst() }
    }
}

/// How one process of an extension ended.
public struct ProcessEnd: Sendable {
    /// When, by the system's clock.
    public let date: Date
    /// Its number.
    public let pid: Int32
    /// Why: what it did, or why it was asked to leave.
    public let cause: Cause
    /// Its exit code, where it exited.
    public let exitCode: Int32?
    /// The signal that ended it, where one did.
    public let signal: Int32?

    /// Why a process ended.
    public enum Cause: Equatable, Sendable, CustomStringConvertible {
        /// It was asked to leave.
        case stopped(StopReason)
        /// It failed, or broke a rule.
        case failed(ExtensionFailure.Reason)

        /// A sentence's end.
        public var description: String {
            switch self {
            case .stopped(let reason): reason.description
            case .failed(let reason): reason.description
            }
        }
    }
}

/// Why a process is asked to leave.
public enum StopReason: Equatable, Sendable, CustomStringConvertible {
    /// Its bundle changed, or a reload was forced.
    case bundleReloaded
    /// The host, or whoever else owns the process, ends.
    case hostStopping
    /// It had no presentation and no call for so many milliseconds.
    case unused(milliseconds: Int64)

    /// A sentence.
    public var description: String {
        switch self {
        case .bundleReloaded: "its bundle was loaded anew"
        case .hostStopping: "the host is stopping"
        case .unused(let milliseconds): "nobody needed it for \(milliseconds) ms"
        }
    }
}
