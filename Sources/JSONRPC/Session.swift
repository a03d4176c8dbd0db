public import JSON

/// One connection that speaks JSON-RPC 2.0 a line a message: bytes in, calls out, bytes back.
///
/// A session does no input or output of its own. Its owner hands it the bytes
/// it read, writes ``output`` when it can, and answers each call now or later.
/// Both sides may call: requests sent with ``request(_:params:completion:)``
/// are matched with the responses that come back.
///
/// - Important: Not thread-safe; owned by the thread that reads.
public final class Session {
    /// What a peer did that nobody is answered for, for the log.
    public enum Report {
        /// A notification could not be carried out.
        case failedNotification(Call, RPCError)
        /// A response that answers no request of ours; dropped.
        case strayResponse(id: JSON)
        /// A message that cannot be carried out; with the begin of its line where that is no JSON-RPC at all.
        case invalidMessage(RPCError, line: String?)
    }

    /// The bytes that wait to be written to the peer, whole lines.
    public var output = ByteQueue()

    /// Whether what is written is dropped, because the peer is gone.
    public var isPeerGone = false {
        didSet { if isPeerGone { output.removeAll() } }
    }

    /// Takes each call in the order in which they came, batch members too.
    public var onCall: (Call) -> Void = { $0.answer(.failure(.methodNotFound($0.method))) }

    /// Takes what belongs into a log.
    public var report: (Report) -> Void = { _ in }

    /// Takes the answer to a line that is no message, for an owner whose earlier answers have not left yet.
    public var onRefusal: (([UInt8]) -> Void)?

    /// Whether invalid lines are answered with an error of id null; an extension's
    /// stray prints are only reported.
    public let answersInvalidLines: Bool

    /// Sees what comes and goes, where somebody records it.
    public var tap: (any WireTap)?

    private var framer: LineFramer
    private var split = SplitMessage()
    private let lineLimit: Int
    /// By the id's bytes: texts that only look alike are other ids.
    private var tracked: [[UInt8]: Call] = [:]
    private var requests: [Int64: (Result<JSON, ResponseError>) -> Void] = [:]
    private var nextRequest: Int64 = 1

    /// A session at the start of a stream.
    ///
    /// - Parameters:
    ///   - lineLimit: The greatest length of a line in bytes.
    ///   - answersInvalidLines: Whether a line that is no message gets an error back.
    public init(lineLimit: Int, answersInvalidLines: Bool = true) {
        framer = LineFramer(limit: lineLimit)
        self.lineLimit = lineLimit
        self.answersInvalidLines = answersInvalidLines
    }

    // MARK: Reading

    /// How many bytes of a line without an end yet were read.
    public var unfinishedLength: Int { framer.unfinishedLength }

    /// Takes bytes of the peer and carries out each message that they complete.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - deliver: Takes each message instead of ``receive(_:)``, for an owner that holds messages back.
    public func consume(_ chunk: UnsafeRawBufferPointer, deliver: ((Message) -> Void)? = nil) {
        tap?.didRead(chunk)
        framer.consume(chunk) { handle($0, deliver) }
    }

    /// Takes the end of the stream; a last line without LF counts.
    ///
    /// - Parameter deliver: As in ``consume(_:deliver:)``.
    public func finish(deliver: ((Message) -> Void)? = nil) {
        tap?.didReadEnd()
        framer.finish { handle($0, deliver) }
    }

    private func handle(_ event: LineFramer.Event, _ deliver: ((Message) -> Void)?) {
        let message: Message
        switch event {
        case .line(let bytes):
            if split.isOpen, split.takes(bytes) { return }
            message = Message(line: bytes)
            if case .invalid = message { split.begin(bytes) }
        case .tooLong:
            message = .invalid(
                RPCError(
                    .invalidRequest,
                    reason: "lineTooLong",
                    "Invalid Request: a line holds at most \(lineLimit) bytes; this one was dropped",
                    details: ["limit": JSON(lineLimit)]
                ),
                id: .null,
                line: "…"
            )
        }
        if let deliver { deliver(message) } else { receive(message) }
    }

    /// Carries out a message: batch members in order as if they were lines.
    ///
    /// - Parameter message: The message.
    public func receive(_ message: Message) {
        guard case .batch(let members) = message else { return receive(message, batch: nil, slot: 0) }
        let batch = Batch(count: members.count, session: self)
        for (slot, member) in members.enumerated() {
            receive(member, batch: batch, slot: slot)
        }
    }

    private func receive(_ message: Message, batch: Batch?, slot: Int) {
        switch message {
        case .request(let request):
            let call = Call(request, session: self, batch: batch, slot: slot)
            if !tracked.isEmpty, let id = request.id, tracked[id.bytes] != nil {
                let error = RPCError(
                    .invalidRequest,
                    reason: "duplicateId",
                    "Invalid Request: a request with the id \(id.excerpt()) is still in flight",
                    details: ["id": id]
                )
                // Under id null: an answer under the id would be taken for that of the first request.
                return refuse(error, id: .null, line: nil, batch, slot)
            }
            onCall(call)
        case .response(let id, let result):
            batch?.skip(slot)
            guard let key = id.integer, let completion = requests.removeValue(forKey: key) else {
                return report(.strayResponse(id: id))
            }
            completion(result)
        case .invalid(let error, let id, let line):
            refuse(error, id: id, line: line, batch, slot)
        case .batch:
            preconditionFailure("a batch holds no batch")
        }
    }

    private func refuse(_ error: RPCError, id: JSON, line: String?, _ batch: Batch?, _ slot: Int) {
        report(.invalidMessage(error, line: line))
        guard answersInvalidLines else {
            batch?.skip(slot)
            return
        }
        var bytes: [UInt8] = []
        bytes.append(response: .failure(error), id: id)
        if let batch {
            batch.fill(slot, with: bytes)
        } else if let onRefusal {
            onRefusal(bytes)
        } else {
            writeLine(bytes)
        }
    }

    // MARK: Calls whose answer comes later

    /// Remembers a call whose answer is due later, so that its id is taken and it can be cancelled.
    ///
    /// - Parameter call: A call of this session.
    public func track(_ call: Call) {
        guard let id = call.id, call.trackedAs == nil, !call.isAnswered else { return }
        let key = id.bytes
        call.trackedAs = key
        tracked[key] = call
    }

    func untrack(_ call: Call) {
        guard let key = call.trackedAs else { return }
        call.trackedAs = nil
        tracked[key] = nil
    }

    /// The tracked call of an id, as the peer wrote it.
    public func call(withID id: JSON) -> Call? {
        tracked.isEmpty ? nil : tracked[id.bytes]
    }

    /// The number of calls whose answer is due later.
    public var trackedCount: Int { tracked.count }

    // MARK: Writing

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: An object or an array.
    ///   - completion: Called once with the answer, or never when the connection ends first.
    /// - Returns: The id under which the answer is expected.
    @discardableResult
    public func request(
        _ method: String,
        params: JSON?,
        completion: @escaping (Result<JSON, ResponseError>) -> Void
    ) -> Int64 {
        request(method, writtenParams: { params?.write(to: &$0) }, completion: completion)
    }

    /// Sends a request whose params are text already, so that thousands of values need not be built to be written.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - writtenParams: Appends an object or an array as JSON text.
    ///   - completion: Called once with the answer, or never when the connection ends first.
    /// - Returns: The id under which the answer is expected.
    @discardableResult
    public func request(
        _ method: String,
        writtenParams: (inout [UInt8]) -> Void,
        completion: @escaping (Result<JSON, ResponseError>) -> Void
    ) -> Int64 {
        let id = nextRequest
        nextRequest += 1
        requests[id] = completion
        write { $0.append(request: method, id: id, params: writtenParams) }
        return id
    }

    /// Gives up a request: its answer will be a stray one.
    ///
    /// - Parameter id: What ``request(_:params:completion:)`` returned.
    public func forget(_ id: Int64) {
        requests[id] = nil
    }

    /// Sends a notification.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: An object or an array.
    public func notify(_ method: String, params: JSON?) {
        write { $0.append(request: method, params: params, id: nil) }
    }

    /// Appends one line to the output.
    ///
    /// - Parameter line: A message, without the line's end.
    public func writeLine(_ line: some Sequence<UInt8>) {
        write { $0.append(contentsOf: line) }
    }

    /// Appends one line to the output.
    func write(_ body: (inout [UInt8]) -> Void) {
        guard !isPeerGone else { return }
        output.append { bytes in
            let start = bytes.count
            body(&bytes)
            if let tap { bytes.withUnsafeBytes { tap.willWrite(UnsafeRawBufferPointer(rebasing: $0[start...])) } }
            bytes.append(UInt8(ascii: "\n"))
        }
    }
}
