internal import JSONRPC
internal import Platform
internal import Suites

/// The commits of suites, or the checkpoints after them, that run beside the event loop.
final class BackgroundCommit {
    enum Step {
        case commit
        case checkpoint
    }

    let step: Step
    let suites: [Suite]
    /// What waits for the end of all.
    var replies: WaitingReplies
    /// The sessions to which an answer is among the replies.
    private let sessions: Set<ObjectIdentifier>
    private let wakeup: Wakeup
    /// The number of suites that have not reported their end.
    private var missing: Int

    /// What began already for some suites, each of which signals its end; nil for no suites.
    init?(_ step: Step, of suites: [Suite], _ wakeup: Wakeup, replies: WaitingReplies = WaitingReplies()) {
        guard !suites.isEmpty else { return nil }
        self.step = step
        self.suites = suites
        self.wakeup = wakeup
        self.replies = replies
        sessions = replies.sessions
        missing = suites.count
    }

    /// Becomes readable when a suite reports its end.
    var descriptor: Int32 { wakeup.descriptor }

    /// Whether an answer to a session is among the replies.
    func concerns(_ session: Session) -> Bool { sessions.contains(ObjectIdentifier(session)) }

    /// Takes the reports that have come.
    ///
    /// - Returns: Whether all have ended.
    func didEnd() -> Bool {
        missing -= wakeup.take()
        return missing == 0
    }
}
