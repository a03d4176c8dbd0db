internal import JSON
internal import JSONRPC
internal import Logging
internal import Suites

/// The answers and notifications that wait for a commit, in order; and the commit.
///
/// All calls of one iteration of the event loop that change a suite share one transaction of it. An answer is sent
/// when the transactions before it are durable, so a client that has a reply can rely on it. If a transaction is lost, each answer that depends on
/// it becomes an error; answers about other suites do not change.
final class Outbox {
    private struct Entry {
        /// The suite whose transaction must be committed first.
        var suite: Suite?
        var content: Content
        /// The end of its lines in the text of the responses, if it has lines; their start is in the content.
        var end = 0
    }

    private enum Content {
        /// The responses to calls of a session that have nothing but a response, already written, a line each.
        case lines(Session, Int)
        /// A response, already written, to a call that can be cancelled or is a member of a batch.
        case response(Call, Range<Int>)
        case answer(Call, Result<JSON, RPCError>)
        /// An answer whose result is JSON text.
        case text(Call, [UInt8])
        /// The answer to an invalid message.
        case invalidMessage(Session, [UInt8])
        /// An answer that is made after the commit, because its outcome may change the answer.
        case lateAnswer(Call, () -> Result<JSON, RPCError>)
        case notification(Session, String, () -> JSON)
    }

    private let store: SuiteStore
    private let logger: Logger
    @exclusivity(unchecked) private var entries: [Entry] = []
    /// The session and the suite of the last entry, if it has lines; the next line of both joins it.
    ///
    /// So a client that pipelines saves has one entry in an iteration, and its calls are freed as soon as they ran.
    private var lastLines: (session: ObjectIdentifier, suite: ObjectIdentifier?)?
    /// The text of the responses; thousands may wait for one commit, and values would need far more memory.
    @exclusivity(unchecked) private var responses: [UInt8] = []
    /// Whether entries are being sent; what they publish is sent after them.
    private var isReleasing = false

    /// Called when the transaction of a suite is durable, or lost for a reason.
    var onTransactionEnd: (SuiteName, SuiteError?) -> Void = { _, _ in }

    init(_ store: SuiteStore, _ logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The size in bytes of the responses that wait.
    var count: Int { responses.count }

    /// Whether no answer or notification waits.
    var isEmpty: Bool { entries.isEmpty }

    // MARK: Adding

    /// Answers a call: at once, unless an earlier answer waits or the suite has an open transaction.
    ///
    /// An answer about a suite with an open transaction is sent after the commit.
    func finish(_ call: Call, _ result: Result<JSON, RPCError>, dependsOn suite: Suite? = nil) {
        let suite = suite.flatMap { $0.isInTransaction ? $0 : nil }
        guard !entries.isEmpty || suite != nil else { return call.answer(result) }
        let start = responses.count
        if call.isPlain {
            call.answer(result, into: &responses)
            appendLines(call.session, start..<responses.count, suite)
        } else {
            let isWritten = call.writeResponse(result, to: &responses)
            append(isWritten ? .response(call, start..<responses.count) : .answer(call, result), dependsOn: suite)
        }
    }

    /// Answers a call that saved a record, with the record's id.
    func finish(_ call: Call, savedAs id: Int64, dependsOn suite: Suite?) {
        guard let suite, suite.isInTransaction, call.isPlain else {
            return finish(call, .success(["id": .integer(id)]), dependsOn: suite)
        }
        let start = responses.count
        call.answer(resultWith: "id", id, into: &responses)
        appendLines(call.session, start..<responses.count, suite)
    }

    private func append(_ content: Content, dependsOn suite: Suite? = nil) {
        entries.append(Entry(suite: suite, content: content))
        lastLines = nil
    }

    private func appendLines(_ session: Session, _ range: Range<Int>, _ suite: Suite?) {
        let lines = (session: ObjectIdentifier(session), suite: suite.map { ObjectIdentifier($0) })
        if let lastLines, lastLines == lines {
            entries[entries.count - 1].end = range.upperBound
        } else {
            append(.lines(session, range.lowerBound), dependsOn: suite)
            entries[entries.count - 1].end = range.upperBound
            lastLines = lines
        }
    }

    /// Answers a call with a result that is JSON text and depends on no open transaction.
    func finish(_ call: Call, resultText text: [UInt8]) {
        if entries.isEmpty { call.answer(resultText: text) } else { append(.text(call, text)) }
    }

    /// Answers a call with a result that is made after the commit, because a failed commit adds a diagnostic to it.
    func finishLate(_ call: Call, _ result: @escaping () -> Result<JSON, RPCError>) {
        append(.lateAnswer(call, result))
    }

    /// Answers an invalid message, in order, because only the order shows the client which line it was.
    func answerInvalid(_ message: InvalidMessage) {
        message.answer { [self] session, response in
            if entries.isEmpty {
                session.write { $0.append(contentsOf: response) }
            } else {
                append(.invalidMessage(session, response))
            }
        }
    }

    /// Sends a notification, after everything that waits for a commit.
    func notify(_ session: Session, _ method: String, _ params: @escaping () -> JSON) {
        if entries.isEmpty && !store.hasTransactions && !isReleasing {
            session.notify(method, params: params())
        } else {
            append(.notification(session, method, params))
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
        lastLines = nil
        for index in entries.indices where entries[index].suite === suite {
            entries[index].suite = nil
            switch entries[index].content {
            case .lines(let session, let start):
                entries[index].content = .lines(session, responses.count)
                fail(responses[start..<entries[index].end], error)
                entries[index].end = responses.count
            case .response(let call, _), .answer(let call, _): entries[index].content = .answer(call, .failure(error))
            case .text, .invalidMessage, .lateAnswer, .notification: break
            }
        }
        onTransactionEnd(suite.name, .transactionLost(text))
    }

    /// Appends an error for each of some responses, whose ids are read from their text.
    private func fail(_ lines: ArraySlice<UInt8>, _ error: RPCError) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let id = (try? JSON(parsing: Array(line)))?["id"]
            responses.append(response: .failure(error), id: id ?? .null)
            responses.append(UInt8(ascii: "\n"))
        }
    }

    /// Sends everything, in order.
    func release() {
        isReleasing = true
        while !entries.isEmpty {
            let (leaving, responses) = (entries, responses)
            (entries, self.responses, lastLines) = ([], [], nil)
            for entry in leaving {
                switch entry.content {
                case .lines(let session, let start):
                    responses.withUnsafeBytes {
                        session.write(lines: UnsafeRawBufferPointer(rebasing: $0[start..<entry.end]))
                    }
                case .response(let call, let range):
                    responses.withUnsafeBytes { call.answer(written: UnsafeRawBufferPointer(rebasing: $0[range])) }
                case .answer(let call, let result): call.answer(result)
                case .text(let call, let text): call.answer(resultText: text)
                case .invalidMessage(let session, let response): session.write { $0.append(contentsOf: response) }
                case .lateAnswer(let call, let result): call.answer(result())
                case .notification(let session, let method, let params): session.notify(method, params: params())
                }
            }
        }
        isReleasing = false
    }
}
