internal import JSON
internal import JSONRPC
internal import Logging
internal import Suites

/// What may leave the host only after the commit, in the order in which it became ready; and the commit.
///
/// All calls of one iteration of the event loop that change a suite share one transaction of it. An answer leaves when
/// the transactions before it are durable, so a reply is a promise. If a transaction is lost, each answer that depends on
/// it becomes an error; answers about other suites stand.
final class Outbox {
    private struct Entry {
        /// The suite on whose transaction it depends.
        var suite: Suite?
        var content: Content
    }

    private enum Content {
        /// A response, already written.
        case response(Call, Range<Int>)
        case answer(Call, Result<JSON, RPCError>)
        /// An answer whose result is JSON text.
        case text(Call, [UInt8])
        /// The answer to a line that is no message.
        case refusal(Session, [UInt8])
        /// An answer that is made when it leaves, because the commit may change it.
        case lateAnswer(Call, () -> Result<JSON, RPCError>)
        case notification(Session, String, () -> JSON)
    }

    private let store: SuiteStore
    private let logger: Logger
    private var entries: [Entry] = []
    /// The responses: thousands may wait for one commit, and as values they would fill the caches.
    private var responses: [UInt8] = []
    /// Whether entries are leaving now; what they publish leaves behind them.
    private var isReleasing = false

    /// Called when the transaction of a suite is durable, or lost for a reason.
    var onTransactionEnd: (SuiteName, SuiteError?) -> Void = { _, _ in }

    init(_ store: SuiteStore, _ logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The size in bytes of the responses that wait.
    var count: Int { responses.count }

    /// Whether nothing waits.
    var isEmpty: Bool { entries.isEmpty }

    // MARK: What leaves

    /// Answers a call of the contract; what it read or wrote in an open transaction leaves after the commit.
    func finish(_ invocation: Invocation, _ result: Result<JSON, RPCError>) {
        finish(invocation.call, result, dependsOn: invocation.suite.flatMap { $0.isInTransaction ? $0 : nil })
    }

    /// Answers a call: at once if nothing before it waits and it depends on no open transaction.
    func finish(_ call: Call, _ result: Result<JSON, RPCError>, dependsOn suite: Suite? = nil) {
        guard !entries.isEmpty || suite != nil else { return call.answer(result) }
        let start = responses.count
        let isWritten = call.writeResponse(result, to: &responses)
        let content = isWritten ? Content.response(call, start..<responses.count) : .answer(call, result)
        entries.append(Entry(suite: suite, content: content))
    }

    /// Answers a call with a result that is JSON text and depends on no open transaction.
    func finish(_ call: Call, resultText text: [UInt8]) {
        if entries.isEmpty { call.answer(resultText: text) } else { entries.append(Entry(content: .text(call, text))) }
    }

    /// Answers a call with what is true after the commit: a save may still fail and leave a diagnostic.
    func finishLate(_ call: Call, _ result: @escaping () -> Result<JSON, RPCError>) {
        entries.append(Entry(content: .lateAnswer(call, result)))
    }

    /// Answers an invalid line, in order: only the order tells the client which line it was.
    func refuse(_ message: InvalidMessage) {
        message.answer { [self] session, response in
            if entries.isEmpty {
                session.writeLine(response)
            } else {
                entries.append(Entry(content: .refusal(session, response)))
            }
        }
    }

    /// Sends a notification, behind what waits for a commit.
    func notify(_ session: Session, _ method: String, _ params: @escaping () -> JSON) {
        if entries.isEmpty && !store.hasTransactions && !isReleasing {
            session.notify(method, params: params())
        } else {
            entries.append(Entry(content: .notification(session, method, params)))
        }
    }

    // MARK: The commit

    /// Makes every open transaction durable.
    func commit() {
        // A lost transaction has nothing to commit and must not be reported as committed.
        for suite in store.drainTransactions() where suite.isInTransaction {
            do {
                try suite.commit()
                suite.checkpoint(isIdle: false)
                onTransactionEnd(suite.name, nil)
            } catch {
                lose(suite, error.text)
            }
        }
    }

    /// Turns every answer that depends on a suite's lost transaction into an error.
    func lose(_ suite: Suite?, _ text: String) {
        guard let suite else { return }
        logger.error("the transaction of \(suite.name) is lost: \(text)")
        let error = RPCError(SuiteError.transactionLost(text), suite: suite.name)
        for index in entries.indices where entries[index].suite === suite {
            entries[index].suite = nil
            switch entries[index].content {
            case .response(let call, _), .answer(let call, _): entries[index].content = .answer(call, .failure(error))
            case .text, .refusal, .lateAnswer, .notification: break
            }
        }
        onTransactionEnd(suite.name, .transactionLost(text))
    }

    /// Lets everything leave, in order.
    func release() {
        isReleasing = true
        while !entries.isEmpty {
            let (leaving, responses) = (entries, responses)
            (entries, self.responses) = ([], [])
            for entry in leaving { Self.release(entry.content, responses) }
        }
        isReleasing = false
    }

    private static func release(_ content: Content, _ responses: [UInt8]) {
        switch content {
        case .response(let call, let range):
            responses.withUnsafeBytes { call.answer(written: UnsafeRawBufferPointer(rebasing: $0[range])) }
        case .answer(let call, let result): call.answer(result)
        case .text(let call, let text): call.answer(resultText: text)
        case .refusal(let session, let response): session.writeLine(response)
        case .lateAnswer(let call, let result): call.answer(result())
        case .notification(let session, let method, let params): session.notify(method, params: params())
        }
    }
}
