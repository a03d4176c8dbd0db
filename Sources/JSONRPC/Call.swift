public import JSON

/// A request or a notification that a peer sent, until it is answered.
public final class Call {
    private let request: Message.Request

    /// The name of the method.
    public var method: String { request.method }
    /// An array or an object; nil if the call has no params.
    public var params: JSON? { request.params }
    /// The id under which the peer expects the answer; absent in a notification.
    public var id: JSON? { request.id }

    /// The index of the method's name in a list.
    @usableFromInline func methodIndex(in names: Names) -> Int? {
        guard let name = request.methodBytes else { return nil }
        return names.index(of: name)
    }

    /// The params by name or position.
    func members(_ names: Names) -> Members {
        request.members.members(at: Message.Request.parameters, names)
    }

    /// The connection on which the call came and the answer goes back.
    public let session: Session

    /// The batch that the call is a member of, and its place there.
    let batch: Batch?
    let slot: Int

    /// Maps the result before it is written, if the call stands in for another.
    private let translation: Translation?

    /// Maps the result of a call to the result of the call that it stands in for.
    public typealias Translation = (Result<JSON, RPCError>) -> Result<JSON, RPCError>

    /// The progress token of MCP, if the caller supplied one.
    public var progressToken: JSON?

    // Swift checks at run time that accesses to a class's property do not overlap. The properties that every call reads are
    // excepted, here and wherever a call passes: no closure runs while one of them is accessed that accesses it again, and
    // the checks took a twentieth of a ping.

    /// Whether the call was answered; for a notification, whether it is done.
    @exclusivity(unchecked) public private(set) var isAnswered = false

    /// The key under which the session keeps the call while its answer is due later.
    @exclusivity(unchecked) var trackedAs: [UInt8]?

    @exclusivity(unchecked) private var answered: (() -> Void)?

    init(_ request: Message.Request, session: Session, batch: Batch?, slot: Int, translation: Translation? = nil) {
        self.request = request
        self.session = session
        self.batch = batch
        self.slot = slot
        self.translation = translation
    }

    /// Replaces the call by a call of another method, with the same id and the same place in a batch.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: An array or an object; nil for none.
    ///   - translation: Maps the result of the new call to the result of this one.
    /// - Returns: The call to answer instead of this one, whose own answer has no effect any more.
    public func handOver(to method: String, params: JSON?, translation: @escaping Translation) -> Call {
        precondition(!isAnswered && trackedAs == nil, "\(self.method) is handed over too late")
        isAnswered = true
        let request = Message.Request(method: method, params: params, id: id)
        return Call(request, session: session, batch: batch, slot: slot, translation: translation)
    }

    /// Whether the call came in a batch, whose answers are sent together.
    public var isBatchMember: Bool { batch != nil }

    /// Whether nobody waits for the answer.
    public var isNotification: Bool { request.isNotification }

    /// Answers the call.
    ///
    /// Only the first answer has an effect: the work of a cancelled request may end later and answer again.
    ///
    /// - Parameter result: The result or the error; the error of a notification goes to the session's report.
    public func answer(_ result: Result<JSON, RPCError>) {
        guard claimAnswer() else { return }
        guard !isNotification else {
            if case .failure(let error) = result { session.report(.failedNotification(self, error)) }
            batch?.skip(slot)
            return
        }
        if let batch {
            var bytes: [UInt8] = []
            write(result, to: &bytes)
            batch.size += bytes.count
            batch.fill(slot, with: bytes)
        } else {
            session.write { write(result, to: &$0) }
        }
    }

    /// Answers the call with a result that is JSON text; only the first answer has an effect.
    ///
    /// - Parameter text: The result.
    public func answer(resultText text: [UInt8]) {
        guard translation == nil, batch == nil, !isNotification else {
            do throws(JSONParseError) {
                return answer(.success(try JSON(parsing: text)))
            } catch {
                return answer(.failure(.internalError(error)))
            }
        }
        guard claimAnswer() else { return }
        session.write { bytes in
            writeStart(to: &bytes)
            bytes.append(resultText: text)
        }
    }

    /// Appends the response: the result, translated if the call stands in for another, or an error if the batch is too
    /// large.
    private func write(_ result: Result<JSON, RPCError>, to bytes: inout [UInt8]) {
        writeStart(to: &bytes)
        // An error is small, and says more.
        if let batch, batch.isFull, case .success = result {
            bytes.append(outcome: .failure(Batch.tooLarge))
        } else if let translation {
            bytes.append(outcome: translation(result))
        } else {
            bytes.append(outcome: result)
        }
    }

    /// Appends the response up to its result.
    private func writeStart(to bytes: inout [UInt8]) {
        bytes.append(literal: "{\"jsonrpc\":\"2.0\",\"id\":")
        request.writeID(to: &bytes)
    }

    /// Ends the call without an answer, because the caller waits for none; a later answer has no effect.
    public func abandon() {
        guard claimAnswer() else { return }
        batch?.skip(slot)
    }

    /// Marks the call as answered; false if it was before.
    private func claimAnswer() -> Bool {
        guard !isAnswered else { return false }
        isAnswered = true
        session.untrack(self)
        answered?()
        answered = nil
        return true
    }

    /// Sets a closure that is called once, when the call is answered or abandoned; it replaces an earlier one.
    public func onAnswer(_ body: @escaping () -> Void) { answered = body }

    // MARK: An answer that is sent later

    /// Whether nothing depends on the call but its response: it is no member of a batch, and cannot be cancelled.
    public var isPlain: Bool {
        batch == nil && trackedAs == nil && answered == nil && translation == nil && !isAnswered && !isNotification
    }

    /// Answers a plain call with a line that ``Session/write(lines:)`` sends; nobody needs the call any more.
    ///
    /// - Parameters:
    ///   - result: The result or the error.
    ///   - lines: Where the line is appended.
    public func answer(_ result: Result<JSON, RPCError>, into lines: inout [UInt8]) {
        precondition(isPlain, "the call has more than a response")
        isAnswered = true
        write(result, to: &lines)
        lines.append(UInt8(ascii: "\n"))
    }

    /// Writes the response that ``answer(written:)`` will give.
    ///
    /// Text needs far less memory than a value while it waits.
    ///
    /// - Parameters:
    ///   - result: The result or the error.
    ///   - bytes: Where the response is appended.
    /// - Returns: Whether a response was written; a notification has none.
    public func writeResponse(_ result: Result<JSON, RPCError>, to bytes: inout [UInt8]) -> Bool {
        guard !isNotification else { return false }
        let start = bytes.count
        write(result, to: &bytes)
        batch?.size += bytes.count - start
        return true
    }

    /// Answers the call with what ``writeResponse(_:to:)`` wrote; only the first answer has an effect.
    ///
    /// - Parameter response: The response.
    public func answer(written response: UnsafeRawBufferPointer) {
        guard claimAnswer() else { return }
        if let batch {
            batch.fill(slot, with: Array(response))
        } else {
            session.write { $0.append(contentsOf: response) }
        }
    }
}

extension Call {
    /// Answers a plain call with an object of one integer, which is written without being built.
    ///
    /// - Parameters:
    ///   - name: The name of the member, which needs no escapes.
    ///   - value: The integer.
    ///   - lines: Where the line is appended.
    public func answer(resultWith name: StaticString, _ value: Int64, into lines: inout [UInt8]) {
        precondition(isPlain, "the call has more than a response")
        isAnswered = true
        writeStart(to: &lines)
        lines.append(literal: ",\"result\":{\"")
        lines.append(literal: name)
        lines.append(literal: "\":")
        lines.append(decimal: value)
        lines.append(literal: "}}\n")
    }
}

/// The answers to one batch, written as one array when all members are answered.
final class Batch {
    private let session: Session
    private var answers: [[UInt8]]
    private var missing: Int
    /// The size of the answers that were written, in bytes.
    var size = 0

    /// The size of the answers in bytes above which further ones are errors: the array is kept in memory until all
    /// members are answered.
    private static let limit = 64 << 20

    static let tooLarge = RPCError(
        .internalError,
        reason: "batchReplyTooLarge",
        "Internal error: the batch's answers have more than \(limit) bytes; this call was carried out, ask again alone"
    )

    var isFull: Bool { size > Batch.limit }

    init(count: Int, session: Session) {
        self.session = session
        answers = Array(repeating: [], count: count)
        missing = count
    }

    func fill(_ slot: Int, with answer: [UInt8]) {
        answers[slot] = answer
        skip(slot)
    }

    /// Counts a member as done that has no answer.
    func skip(_ slot: Int) {
        missing -= 1
        guard missing == 0 else { return }
        // A batch of notifications has no answer.
        guard answers.contains(where: { !$0.isEmpty }) else { return }
        session.write { output in
            var separator = UInt8(ascii: "[")
            for answer in answers where !answer.isEmpty {
                output.append(separator)
                output.append(contentsOf: answer)
                separator = UInt8(ascii: ",")
            }
            output.append(UInt8(ascii: "]"))
        }
    }
}

/// A message that a peer sent, ready to be handled, now or later.
public enum Incoming {
    case call(Call)
    indirect case response(Response)
    indirect case invalid(InvalidMessage)
}

extension Incoming {
    private var place: (batch: Batch?, slot: Int) {
        switch self {
        case .call(let call): (call.batch, call.slot)
        case .response(let response): (response.batch, response.slot)
        case .invalid(let message): (message.batch, message.slot)
        }
    }

    /// Whether the message is a member of a batch, and not the first one.
    public var continuesBatch: Bool { place.batch != nil && place.slot > 0 }

    /// Whether both messages are members of one batch.
    public func isInBatch(of other: Incoming) -> Bool { place.batch != nil && place.batch === other.place.batch }
}

/// The answer to a request of ours.
public struct Response {
    /// The id as the peer wrote it.
    public let id: JSON
    private let result: Result<JSON, ResponseError>
    private let session: Session
    fileprivate let batch: Batch?
    fileprivate let slot: Int

    init(id: JSON, result: Result<JSON, ResponseError>, _ session: Session, _ batch: Batch?, _ slot: Int) {
        self.id = id
        self.result = result
        self.session = session
        self.batch = batch
        self.slot = slot
    }

    /// Calls the completion of the request; a response that answers no request is reported and dropped.
    public func complete() {
        batch?.skip(slot)
        guard let completion = session.completion(of: id) else { return session.report(.strayResponse(id: id)) }
        completion(result)
    }
}

/// A message that cannot be handled, with the error that answers it.
public struct InvalidMessage {
    private let error: RPCError
    private let id: JSON
    private let line: String?
    private let session: Session
    fileprivate let batch: Batch?
    fileprivate let slot: Int

    init(_ error: RPCError, id: JSON, line: String?, _ session: Session, _ batch: Batch?, _ slot: Int) {
        self.error = error
        self.id = id
        self.line = line
        self.session = session
        self.batch = batch
        self.slot = slot
    }

    /// Reports the message and answers it, unless the session leaves invalid lines unanswered.
    ///
    /// - Parameter write: Writes the answer in place of the session, if earlier answers must be sent before it.
    public func answer(through write: ((Session, [UInt8]) -> Void)? = nil) {
        session.report(.invalidMessage(error, line: line))
        guard session.answersInvalidLines else {
            batch?.skip(slot)
            return
        }
        var bytes: [UInt8] = []
        bytes.append(response: .failure(error), id: id)
        if let batch {
            batch.fill(slot, with: bytes)
        } else if let write {
            write(session, bytes)
        } else {
            session.write { $0.append(contentsOf: bytes) }
        }
    }
}

extension Call {
    /// The error for a call whose id is that of another call in flight; nil if its id is free.
    ///
    /// The answer has the id null: with the call's own id, the peer would match it with the first call.
    public var duplicate: InvalidMessage? {
        guard session.trackedCount > 0, let id, session.call(withID: id) != nil else { return nil }
        let error = RPCError(
            .invalidRequest,
            reason: "duplicateId",
            "Invalid Request: a request with the id \(id.excerpt()) is still in flight",
            details: ["id": id]
        )
        return InvalidMessage(error, id: .null, line: nil, session, batch, slot)
    }
}
