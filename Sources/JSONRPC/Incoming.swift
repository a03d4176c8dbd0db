public import JSON

/// A message that a peer sent, ready to be handled, now or later.
public enum Incoming {
    case call(Call)
    indirect case response(Response)
    indirect case invalid(InvalidMessage)
}

/// The answer to a request of ours.
public struct Response {
    /// The id as the peer wrote it.
    public let id: JSON
    private let result: Result<JSON, ResponseError>
    private let session: Session
    private let batch: Batch?
    private let slot: Int

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
    private let batch: Batch?
    private let slot: Int

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
