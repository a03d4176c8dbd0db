internal import JSON
internal import JSONRPC
internal import Suites

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

    // MARK: A lost transaction

    /// Turns every answer that depends on a suite's transaction into an error.
    mutating func lose(_ suite: Suite, _ error: RPCError) {
        lastLines = nil
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
