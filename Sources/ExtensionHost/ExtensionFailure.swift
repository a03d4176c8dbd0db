public import JSONRPC

/// Why a call to an extension was not answered.
public struct ExtensionFailure: Error {
    /// What happened.
    public enum Reason: Equatable, Sendable {
        /// The process could not be started.
        case cannotStart(String)
        /// The process ended: its exit code, or the number of the signal.
        case exited(code: Int32?, signal: Int32?)
        /// No answer came in time.
        case timedOut(method: String, milliseconds: Int64)
        /// The extension answered with an error of its own.
        case refused(RPCError)
        /// The answer is none that the contract allows.
        case badReply(String)
        /// The extension broke a rule that cost it its life.
        case misbehaved(String)
        /// Too many calls wait for the extension already.
        case busy(waiting: Int)
        /// The host is stopping.
        case stopping
    }

    /// What happened.
    public let reason: Reason
    /// The last lines that the extension wrote on its stderr.
    public let standardErrorTail: String

    /// A failure.
    public init(reason: Reason, standardErrorTail: String = "") {
        self.reason = reason
        self.standardErrorTail = standardErrorTail
    }
}

extension ExtensionFailure.Reason: CustomStringConvertible {
    /// A sentence's end: what the extension did.
    public var description: String {
        switch self {
        case .cannotStart(let text): "could not be started: \(text)"
        case .exited(let code?, _): "exited with code \(code)"
        case .exited(nil, let signal?): "was ended by signal \(signal)"
        case .exited(nil, nil): "exited"
        case .timedOut(let method, let milliseconds): "did not answer \(method) within \(milliseconds) ms"
        case .refused(let error): "refused: \(error.message)"
        case .badReply(let text): "gave an answer that the contract does not allow: \(text)"
        case .misbehaved(let text): text
        case .busy(let waiting): "has \(waiting) calls waiting already"
        case .stopping: "is stopping with the host"
        }
    }
}

/// The times and sizes that an extension must keep to.
public struct ExtensionLimits: Sendable {
    /// The longest time for an answer to `activate`, in milliseconds.
    public var activate: Int64 = 10_000
    /// The longest time for an answer to a call, from when it was written, in milliseconds.
    public var call: Int64 = 10_000
    /// How long a stop waits before each harder step, in milliseconds.
    public var stop: Int64 = 2_000
    /// How long an extension that nobody needs keeps running, in milliseconds.
    public var idle: Int64 = 30_000
    /// The greatest number of calls that wait.
    public var waitingCalls = 1_024
    /// The greatest number of bytes that wait to be read by the extension.
    public var unreadBytes = 16 << 20
    /// The greatest length of a line that it writes, in bytes.
    public var line = 16 << 20

    /// The defaults.
    public init() {}
}
