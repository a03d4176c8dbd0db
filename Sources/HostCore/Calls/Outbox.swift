internal import JSON
internal import JSONRPC
internal import Suites

/// What may leave only after the commit, in the order in which it became ready.
///
/// An answer waits while one before it does, so replies that depend on no suite
/// keep their place too. When a suite's transaction is lost, each answer that
/// depended on it becomes an error; those of other suites stand.
struct Outbox {
    private struct Entry {
        /// The suite on whose transaction it depends.
        var suite: Suite?
        var content: Content
    }

    private enum Content {
        /// A response, written already.
        case response(Call, Range<Int>)
        case answer(Call, Result<JSON, RPCError>)
        /// An answer whose result is text already.
        case text(Call, [UInt8])
        /// The answer to a line that is no message.
        case refusal(Session, [UInt8])
        /// An answer that is made when it leaves, because the commit may change it.
        case lateAnswer(Call, () -> Result<JSON, RPCError>)
        case notification(Session, String, () -> JSON)
    }

    private var entries: [Entry] = []
    /// The responses: thousands may wait for one commit, and as values they would fill the caches.
    private var responses: [UInt8] = []

    /// The size of the responses that wait, in bytes.
    var count: Int { responses.count }

    /// Whether nothing waits.
    var isEmpty: Bool { entries.isEmpty }

    /// Answers a call: at once when nothing before it waits and no open transaction matters to it.
    mutating func answer(_ call: Call, _ result: Result<JSON, RPCError>, dependsOn suite: Suite? = nil) {
        if entries.isEmpty && suite == nil {
            call.answer(result)
        } else {
            let start = responses.count
            let isWritten = call.writeResponse(result, to: &responses)
            let content = isWritten ? Content.response(call, start..<responses.count) : .answer(call, result)
            entries.append(Entry(suite: suite, content: content))
        }
    }

    /// Answers a call with a result that is JSON text already and depends on no open transaction.
    mutating func answer(_ call: Call, resultText text: [UInt8]) {
        if entries.isEmpty { call.answer(resultText: text) } else { entries.append(Entry(content: .text(call, text))) }
    }

    /// Answers a line that is no message, in its place: only that tells whoever sent it which one.
    mutating func refuse(_ response: [UInt8], _ session: Session) {
        if entries.isEmpty {
            session.writeLine(response)
        } else {
            entries.append(Entry(content: .refusal(session, response)))
        }
    }

    /// Answers a call with what is true when the answer leaves.
    mutating func answerLate(_ call: Call, _ result: @escaping () -> Result<JSON, RPCError>) {
        entries.append(Entry(content: .lateAnswer(call, result)))
    }

    /// Tells a client, in its place.
    mutating func notify(_ session: Session, _ method: String, _ params: @escaping () -> JSON) {
        entries.append(Entry(content: .notification(session, method, params)))
    }

    /// Turns every answer that depends on a suite's lost transaction into an error.
    mutating func fail(_ suite: Suite, with error: RPCError) {
        for index in entries.indices where entries[index].suite === suite {
            entries[index].suite = nil
            switch entries[index].content {
            case .response(let call, _), .answer(let call, _): entries[index].content = .answer(call, .failure(error))
            case .text, .refusal, .lateAnswer, .notification: break
            }
        }
    }

    /// Lets everything leave, in order.
    func release() {
        for entry in entries {
            switch entry.content {
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
}
