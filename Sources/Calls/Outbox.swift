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
/// ends, messages are read and kept, and only calls of free methods are handled.
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
        if case .failure(let error) = result, let id = call.id {
            logger.info("\(call.method.excerpt()) failed: \(error.message)", metadata: ["request": "\(id.excerpt())"])
        }
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

    /// Answers a call with a result that is made when it is sent, after the commit.
    ///
    /// A failed commit turns a save that an extension sent as a notification into a diagnostic of the result. The closure may do what
    /// belongs after the commit, such as ending a presentation, and is called even if the call was cancelled.
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

    /// Sends a notification, after everything that waits for a commit; not if the transaction of the suite is lost.
    package func notify(
        _ session: Session,
        _ method: String,
        dependsOn suite: Suite? = nil,
        _ params: @escaping () -> JSON
    ) {
        if isEmpty && !store.hasTransactions && !isReleasing {
            session.notify(method, params: params())
        } else {
            let suite = suite.flatMap { $0.isInTransaction ? $0 : nil }
            waiting.append(.notification(session, method, params), dependsOn: suite)
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
    ///
    /// Called at the end of an iteration; before that, if too many suites or files are open, and by calls about every suite.
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
        waiting.settle()
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

/// Answers and notifications that wait for a commit, in their order.
struct WaitingReplies {
    private struct Entry {
        /// The suite whose transaction must be committed first.
        var suite: Suite?
        var content: Content
    }

    enum Content {
        /// The written responses to plain calls of a session (``Call/isPlain``), a line each.
        case lines(Session, Range<Int>)
        /// The written response to a call that can be cancelled or is a member of a batch.
        case response(Call, Range<Int>)
        /// An answer without a written response: that to a notification, or an error after a lost transaction.
        case answer(Call, Result<JSON, RPCError>)
        /// An answer whose result is JSON text.
        case text(Call, [UInt8])
        /// An answer that is made after the commit, because its outcome may change the answer.
        case lateAnswer(Call, () -> Result<JSON, RPCError>)
        /// A notification, whose params are made when it is sent.
        case notification(Session, String, () -> JSON)

        /// The session that gets an answer; nil for a notification.
        var session: Session? {
            switch self {
            case .lines(let session, _): session
            case .response(let call, _), .answer(let call, _), .text(let call, _), .lateAnswer(let call, _):
                call.session
            case .notification: nil
            }
        }
    }

    private var entries: [Entry] = []
    /// The session and the suite of the last entry, if it has lines; the next line of both joins it.
    ///
    /// So a client that pipelines saves has one entry in an iteration, and its calls are freed as soon as they ran.
    private var lastLines: (session: ObjectIdentifier, suite: ObjectIdentifier?)?
    /// The text of the responses; thousands may wait for one commit, and values would need far more memory.
    private var responses: [UInt8] = []

    var isEmpty: Bool { entries.isEmpty }

    /// The size in bytes of the written responses.
    var size: Int { responses.count }

    /// The sessions that get an answer.
    var sessions: Set<ObjectIdentifier> { Set(entries.compactMap { $0.content.session.map { ObjectIdentifier($0) } }) }

    /// Whether a session gets an answer.
    func hasAnswer(to session: Session) -> Bool { entries.contains { $0.content.session === session } }

    // MARK: Adding

    /// Adds an answer or a notification.
    mutating func append(_ content: Content, dependsOn suite: Suite? = nil) {
        entries.append(Entry(suite: suite, content: content))
        lastLines = nil
    }

    /// Adds the result of a call, written if it has a response.
    mutating func append(_ result: Result<JSON, RPCError>, to call: Call, dependsOn suite: Suite?) {
        let start = responses.count
        if call.isPlain {
            call.answer(result, into: &responses)
            appendLines(call.session, from: start, suite)
        } else {
            let isWritten = call.writeResponse(result, to: &responses)
            append(isWritten ? .response(call, start..<responses.count) : .answer(call, result), dependsOn: suite)
        }
    }

    /// Adds the result of a plain call that saved a record: the record's id.
    mutating func append(savedAs id: Int64, to call: Call, dependsOn suite: Suite) {
        let start = responses.count
        call.answer(resultWith: "id", id, into: &responses)
        appendLines(call.session, from: start, suite)
    }

    /// Adds the response to an invalid message.
    mutating func append(_ response: [UInt8], to session: Session) {
        let start = responses.count
        responses += response
        responses.append(UInt8(ascii: "\n"))
        appendLines(session, from: start, nil)
    }

    /// Adds lines that were just written, to those before them if both need the same commit.
    private mutating func appendLines(_ session: Session, from start: Int, _ suite: Suite?) {
        let lines = (session: ObjectIdentifier(session), suite: suite.map { ObjectIdentifier($0) })
        if let lastLines, lastLines == lines, case .lines(_, let range) = entries[entries.count - 1].content {
            entries[entries.count - 1].content = .lines(session, range.lowerBound..<responses.count)
        } else {
            append(.lines(session, start..<responses.count), dependsOn: suite)
            lastLines = lines
        }
    }

    // MARK: The end of transactions

    /// Notes that no transaction is open: what becomes of the next one of a suite does not concern these replies.
    mutating func settle() {
        lastLines = nil
        for index in entries.indices { entries[index].suite = nil }
    }

    /// Turns every answer that depends on a suite's transaction into an error, and removes its notifications.
    mutating func lose(_ suite: Suite, _ error: RPCError) {
        lastLines = nil
        entries.removeAll { if $0.suite === suite, case .notification = $0.content { true } else { false } }
        for index in entries.indices where entries[index].suite === suite {
            entries[index].suite = nil
            switch entries[index].content {
            case .lines(let session, let range):
                let start = responses.count
                fail(responses[range], error)
                entries[index].content = .lines(session, start..<responses.count)
            case .response(let call, _), .answer(let call, _): entries[index].content = .answer(call, .failure(error))
            case .text, .lateAnswer, .notification: break  // These depend on no transaction.
            }
        }
    }

    /// Appends an error for each of some responses, whose ids are read from their text.
    private mutating func fail(_ lines: ArraySlice<UInt8>, _ error: RPCError) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let id = (try? JSON(parsing: Array(line)))?["id"]
            responses.append(response: .failure(error), id: id ?? .null)
            responses.append(UInt8(ascii: "\n"))
        }
    }

    // MARK: Sending

    /// Sends everything, in order.
    func send() {
        for entry in entries {
            switch entry.content {
            case .lines(let session, let range):
                responses.withUnsafeBytes { session.write(lines: UnsafeRawBufferPointer(rebasing: $0[range])) }
            case .response(let call, let range):
                responses.withUnsafeBytes { call.answer(written: UnsafeRawBufferPointer(rebasing: $0[range])) }
            case .answer(let call, let result): call.answer(result)
            case .text(let call, let text): call.answer(resultText: text)
            case .lateAnswer(let call, let result): call.answer(result())
            case .notification(let session, let method, let params): session.notify(method, params: params())
            }
        }
    }
}
