package import JSON
package import JSONRPC
package import Logging
internal import Platform
package import Suites

/// The answers and notifications that wait for a commit, in order; and the commit.
///
/// All calls of one iteration of the event loop that change a suite share one transaction of it. An answer is sent
/// when the transactions before it are durable, so a client that has a reply can rely on it. If a transaction is lost,
/// each answer that depends on it becomes an error; answers about other suites do not change.
///
/// A commit waits for the disk, so it runs beside the event loop if another client could be served meanwhile. Until it
/// ends, messages are read and kept, and only calls that need no suite are handled.
package final class Outbox {
    private let store: SuiteStore
    private let logger: Logger
    @exclusivity(unchecked) private var waiting = WaitingReplies()
    /// The commits or checkpoints that run beside the event loop.
    @exclusivity(unchecked) private var running: BackgroundCommit?
    /// Wakes the event loop when a commit ends; nil if the system had no descriptors for it.
    private lazy var wakeup = try? Wakeup()
    /// Whether replies are being sent; what they publish is sent after them.
    private var isReleasing = false

    /// Called when the transaction of a suite is durable, or lost for a reason; connected once, since flushes answer here.
    package var onTransactionEnd: ((SuiteName, SuiteError?) -> Void)!

    package init(_ store: SuiteStore, _ logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The size in bytes of the responses that wait.
    var waitingBytes: Int { waiting.size + (running?.replies.size ?? 0) }

    /// Whether no answer or notification waits, and no commit runs.
    package var isEmpty: Bool { waiting.isEmpty && running == nil }

    /// Whether a commit runs beside the event loop.
    package var isCommitting: Bool { running != nil }

    /// Whether an answer to a session waits for a commit that runs.
    package func awaitsCommit(_ session: Session) -> Bool { running?.concerns(session) ?? false }

    /// Whether an answer to a session waits for the next commit.
    package func willAnswer(_ session: Session) -> Bool { waiting.hasAnswer(to: session) }

    // MARK: Adding

    /// Whether an answer to a session must wait behind others.
    private func isBehindOthers(_ session: Session) -> Bool { !waiting.isEmpty || awaitsCommit(session) }

    /// Answers a call: at once, unless an earlier answer waits or the suite has an open transaction.
    ///
    /// An answer about a suite with an open transaction is sent after the commit.
    package func finish(_ call: Call, _ result: Result<JSON, RPCError>, dependsOn suite: Suite? = nil) {
        let suite = suite.flatMap { $0.isInTransaction ? $0 : nil }
        guard suite != nil || isBehindOthers(call.session) else { return call.answer(result) }
        waiting.append(result, to: call, dependsOn: suite)
    }

    /// Answers a call that saved a record, with the record's id.
    package func finish(_ call: Call, savedAs id: Int64, dependsOn suite: Suite?) {
        guard let suite, suite.isInTransaction, call.isPlain else {
            return finish(call, .success(["id": .integer(id)]), dependsOn: suite)
        }
        waiting.append(savedAs: id, to: call, dependsOn: suite)
    }

    /// Answers a call with a result that is JSON text and depends on no open transaction.
    package func finish(_ call: Call, resultText text: [UInt8]) {
        if isBehindOthers(call.session) { waiting.append(.text(call, text)) } else { call.answer(resultText: text) }
    }

    /// Answers a call with a result that is made after the commit, because a failed commit adds a diagnostic to it.
    package func finishLate(_ call: Call, _ result: @escaping () -> Result<JSON, RPCError>) {
        waiting.append(.lateAnswer(call, result))
    }

    /// Answers an invalid message, in order, because only the order shows the client which line it was.
    func answerInvalid(_ message: InvalidMessage) {
        message.answer { [self] session, response in
            if isBehindOthers(session) {
                waiting.append(response, to: session)
            } else {
                session.write { $0.append(contentsOf: response) }
            }
        }
    }

    /// Sends a notification, after everything that waits for a commit.
    package func notify(_ session: Session, _ method: String, _ params: @escaping () -> JSON) {
        if isEmpty && !store.hasTransactions && !isReleasing {
            session.notify(method, params: params())
        } else {
            waiting.append(.notification(session, method, params))
        }
    }

    // MARK: The commit

    /// Makes every open transaction durable, and sends what waited for that.
    ///
    /// - Parameter waits: Whether to wait for the disk; otherwise a commit runs beside the event loop. Called if there is
    ///   something to commit.
    /// - Returns: Whether that is done; false while a commit runs beside the event loop, which ends with ``didWake()``.
    package func advance(waits: () -> Bool) -> Bool {
        guard running == nil else { return false }
        // On a full disk the log is moved into the file before anything else may use its space.
        if store.hasTransactions, let wakeup, !store.isReserveReleased, !waits() {
            begin(wakeup)
            guard running == nil else { return false }
        }
        commit()
        while !waiting.isEmpty {
            let replies = waiting
            waiting = WaitingReplies()
            send(replies)
        }
        return true
    }

    /// Makes every open transaction durable, and waits for the disk.
    package func commit() {
        // A lost transaction has nothing to commit and must not be reported as committed.
        for suite in store.drainTransactions() where suite.isInTransaction {
            do throws(SuiteError) {
                try suite.commit()
                suite.checkpoint(isIdle: false)
                onTransactionEnd(suite.name, nil)
            } catch {
                lose(suite, error.text)
            }
        }
    }

    /// Turns every answer that depends on a suite's lost transaction into an error.
    package func lose(_ suite: Suite?, _ text: String) {
        guard let suite else { return }
        lose(suite, text, &waiting)
    }

    private func lose(_ suite: Suite, _ text: String, _ replies: inout WaitingReplies) {
        logger.error("the transaction of \(suite.name) is lost: \(text)")
        let error = SuiteError.transactionLost(text)
        replies.lose(suite, RPCError(error, suite: suite.name))
        onTransactionEnd(suite.name, error)
    }

    private func send(_ replies: WaitingReplies) {
        isReleasing = true
        replies.send()
        isReleasing = false
    }

    // MARK: Beside the event loop

    /// Becomes readable when ``didWake()`` is to be called; nil if no commit runs.
    package var commitDescriptor: Int32? { running?.descriptor }

    /// Begins to commit every open transaction.
    private func begin(_ wakeup: Wakeup) {
        var suites: [Suite] = []
        for suite in store.drainTransactions() where suite.isInTransaction {
            do throws(SuiteError) {
                guard try suite.beginCommit(onEnd: { wakeup.signal() }) else { continue }
                suites.append(suite)
            } catch {
                lose(suite, error.text)
            }
        }
        running = BackgroundCommit(.commit, of: suites, wakeup, replies: waiting)
        if running != nil { waiting = WaitingReplies() }
    }

    /// Takes note of the commits that ended; when all have, sends what waited for them and begins checkpoints.
    package func didWake() {
        guard let ended = running, ended.didEnd() else { return }
        running = nil
        switch ended.step {
        case .commit:
            for suite in ended.suites {
                do throws(SuiteError) {
                    try suite.finishCommit()
                    onTransactionEnd(suite.name, nil)
                } catch {
                    lose(suite, error.text, &ended.replies)
                }
            }
            send(ended.replies)
            guard let wakeup else { return }
            let large = ended.suites.filter { $0.beginCheckpoint(onEnd: { wakeup.signal() }) }
            running = BackgroundCommit(.checkpoint, of: large, wakeup)
        case .checkpoint: for suite in ended.suites { suite.finishCheckpoint() }
        }
    }
}

/// The commits of suites, or the checkpoints after them, that run beside the event loop.
private final class BackgroundCommit {
    enum Step {
        case commit
        case checkpoint
    }

    let step: Step
    let suites: [Suite]
    /// The replies that wait for the end of all.
    var replies: WaitingReplies
    /// The sessions to which an answer is among the replies.
    private let sessions: Set<ObjectIdentifier>
    private let wakeup: Wakeup
    /// The number of suites that have not reported their end.
    private var missing: Int

    /// A step that began already for some suites, each of which signals its end; nil for no suites.
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
