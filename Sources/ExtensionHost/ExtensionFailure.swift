public import JSONRPC
internal import Platform

/// Why a call to an extension has no usable result.
public struct ExtensionFailure: Error {
    /// What happened.
    public enum Reason: Equatable, Sendable {
        /// The process could not be started.
        case cannotStart(String)
        /// The process ended: its exit code, or the number of the signal; with a likely explanation, if there is one.
        case exited(code: Int32?, signal: Int32?, explanation: String? = nil)
        /// No answer arrived in time; with a likely explanation, if there is one.
        case timedOut(method: String, milliseconds: Int64, explanation: String? = nil)
        /// The extension answered with an error of its own.
        case refused(RPCError)
        /// The contract does not allow the answer.
        case badReply(String)
        /// The extension broke a rule and was stopped or killed for it.
        case misbehaved(String)
        /// Too many calls wait for the extension already.
        case busy(waiting: Int)
        /// It failed so often recently that it is not started for so many milliseconds.
        case unavailable(faults: Int, retryAfter: Int64)
        /// Its process did not declare the capability that the call needs.
        case incapable(ExtensionCapability)
        /// The host is stopping.
        case stopping
    }

    /// What happened.
    public let reason: Reason
    /// The last lines that the extension wrote on its stderr.
    public let standardErrorTail: String
    /// Whether the call was sent, so that the extension may have carried it out.
    public let wasSent: Bool

    /// A failure.
    public init(reason: Reason, standardErrorTail: String = "", wasSent: Bool) {
        self.reason = reason
        self.standardErrorTail = standardErrorTail
        self.wasSent = wasSent
    }
}

extension ExtensionFailure.Reason {
    /// The process ended.
    init(_ status: ExitStatus, explanation: String? = nil) {
        self =
            switch status {
            case .code(let code): .exited(code: code, signal: nil, explanation: explanation)
            case .signal(let number): .exited(code: nil, signal: number, explanation: explanation)
            }
    }

    /// The same reason; a timeout gets an explanation unless it has one.
    func explained(_ explanation: @autoclosure () -> String?) -> ExtensionFailure.Reason {
        guard case .timedOut(let method, let milliseconds, nil) = self else { return self }
        return .timedOut(method: method, milliseconds: milliseconds, explanation: explanation())
    }
}

extension ExtensionFailure.Reason: CustomStringConvertible {
    /// The end of a sentence whose subject is the extension.
    public var description: String {
        switch self {
        case .cannotStart(let text): "could not be started: \(text)"
        case .exited(let code?, _, let explanation):
            "exited with code \(code)" + (explanation.map { ": \($0)" } ?? "")
        case .exited(_, let signal?, let explanation):
            "was ended by signal \(signal)" + (explanation.map { ": \($0)" } ?? "")
        case .exited(nil, nil, _): "exited"
        case .timedOut(let method, let milliseconds, let explanation):
            "did not answer \(method) within \(milliseconds) ms" + (explanation.map { ": \($0)" } ?? "")
        case .refused(let error): "refused: \(error.message)"
        case .badReply(let text): "gave an answer that the contract does not allow: \(text)"
        case .misbehaved(let text): text
        case .busy(let waiting): "has \(waiting) calls waiting already"
        case .unavailable(let faults, let milliseconds):
            "failed too often, \(faults) \(faults == 1 ? "time" : "times") lately; it is started again after \(milliseconds) ms"
        case .incapable(let capability):
            "does not declare the capability \(capability.rawValue), so nothing was sent to it"
        case .stopping: "is stopping with the host"
        }
    }
}
