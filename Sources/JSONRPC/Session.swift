public import JSON

/// One connection that speaks JSON-RPC 2.0: a message is a line, or follows a header with its length.
///
/// A session does no input or output. Its owner passes the bytes that it read to
/// ``consume(_:)``, writes ``output`` when it can, and answers each call now or
/// later. Both sides may call: a response is matched with the request that was
/// sent with ``request(_:params:completion:)``.
///
/// - Important: Not thread-safe; owned by the thread that reads.
public final class Session {
    /// An event for the log that no answer tells the peer.
    public enum Report {
        /// A notification failed.
        case failedNotification(Call, RPCError)
        /// A response that answers no request of ours; dropped.
        case strayResponse(id: JSON)
        /// An invalid message; with the start of its line if that is not JSON-RPC at all.
        case invalidMessage(RPCError, line: String?)
    }

    /// The bytes to be written to the peer; whole messages.
    @exclusivity(unchecked) public var output = ByteQueue()

    /// The number of bytes that wait to be written.
    ///
    /// Cheaper than `output.count` in another module, where the compiler checks the access.
    public var outputCount: Int { output.count }

    /// Whether output is dropped because the peer is gone.
    @exclusivity(unchecked) public var isPeerGone = false {
        didSet { if isPeerGone { output.removeAll() } }
    }

    /// Receives the messages in their order; the members of a batch one by one.
    ///
    /// The host's connections set it: their peers decide when a message is handled. Without it, ``handle(_:)`` gets each at once.
    @exclusivity(unchecked) public var onMessage: ((Incoming) -> Void)?

    /// Receives each call that ``handle(_:)`` is given.
    public var onCall: (Call) -> Void = { $0.answer(.failure(.methodNotFound($0.method))) }

    /// Receives events for the log.
    public var report: (Report) -> Void = { _ in }

    /// Whether invalid lines are answered with an error of id null; the lines that an
    /// extension prints by mistake are only reported.
    public let answersInvalidLines: Bool

    /// Observes the bytes of the connection, if it is recorded.
    @exclusivity(unchecked) public var tap: (any WireTap)?

    /// The list of the peer's messages whose objects are kept as texts.
    @exclusivity(unchecked) public var textList: TextList?

    /// How the messages of both directions are told apart.
    private enum Framing {
        /// The first bytes of the peer decide; they are kept until then.
        case undecided
        case lines, headers
    }

    @exclusivity(unchecked) private var framing: Framing
    private var start: [UInt8] = []
    private var framer: LineFramer
    private var headerFramer: HeaderFramer
    /// Whether messages are written with headers.
    @exclusivity(unchecked) private var writesHeaders = false
    @exclusivity(unchecked) private var split = SplitMessage()
    private let lineLimit: Int
    /// By the bytes of the id: canonically equivalent texts are different ids.
    @exclusivity(unchecked) private var tracked: [[UInt8]: Call] = [:]
    private var requests: [Int64: (Result<JSON, ResponseError>) -> Void] = [:]
    private var nextRequest: Int64 = 1

    /// A session at the start of a stream.
    ///
    /// - Parameters:
    ///   - lineLimit: The greatest length of a line in bytes.
    ///   - answersInvalidLines: Whether a line that is no message gets an error back.
    ///   - acceptsHeaders: Whether a peer whose first bytes are a header is answered with headers too.
    public init(lineLimit: Int, answersInvalidLines: Bool = true, acceptsHeaders: Bool = false) {
        framing = acceptsHeaders ? .undecided : .lines
        headerFramer = HeaderFramer(limit: lineLimit)
        framer = LineFramer(limit: lineLimit)
        self.lineLimit = lineLimit
        self.answersInvalidLines = answersInvalidLines
    }

    // MARK: Reading

    /// The number of bytes of the current line that were read; `Int.max` for a line that is too long.
    public var unfinishedLength: Int {
        switch framing {
        case .undecided: start.count
        case .lines: framer.unfinishedLength
        case .headers: headerFramer.unfinishedLength
        }
    }

    /// Reads bytes of the peer and passes on each message that they complete.
    public func consume(_ chunk: UnsafeRawBufferPointer) {
        guard case .lines = framing else { return consumeStart(chunk) }
        tap?.didRead(chunk)
        framer.consume(chunk, with: Reading(session: self, receive: receiver)) { $0.read($1) }
    }

    /// Reads the end of the stream; a last line without LF counts.
    public func finish() {
        if case .undecided = framing {
            framing = .lines
            start.withUnsafeBytes { consume($0) }
        }
        tap?.didReadEnd()
        let reading = Reading(session: self, receive: receiver)
        framer.finish { reading.read($0) }
        headerFramer.finish { reading.read($0) }
    }

    /// Reads bytes of a peer that writes headers, or that may do so.
    @inline(never)
    private func consumeStart(_ chunk: UnsafeRawBufferPointer) {
        if case .headers = framing {
            let reading = Reading(session: self, receive: receiver)
            return headerFramer.consume(chunk) { reading.read($0) }
        }
        start += chunk
        guard let hasHeaders = HeaderFramer.begins(start) else { return }
        (framing, writesHeaders) = (hasHeaders ? .headers : .lines, hasHeaders)
        start.withUnsafeBytes { consume($0) }
        start = []
    }

    private var receiver: (Incoming) -> Void { if let onMessage { onMessage } else { handle } }

    /// A reading of bytes, and the receiver of its messages, which is found once and not for each of them.
    private struct Reading {
        let session: Session
        let receive: (Incoming) -> Void

        func read(_ event: LineFramer.Event) {
            switch event {
            case .line(let bytes):
                let message = Message(line: bytes, keeping: session.textList)
                if session.split.isOpen {
                    if message.isValid { session.split.end() } else if session.split.takes(bytes) { return }
                }
                pass(message, of: bytes)
            case .tooLong: pass(.invalid(session.lineTooLong, id: .null, line: "…"))
            }
        }

        /// Passes on what follows headers.
        ///
        /// - Returns: False for a message that is not JSON.
        @inline(never)
        func read(_ event: HeaderFramer.Event) -> Bool {
            switch event {
            case .message(let bytes):
                session.tap?.didRead(message: bytes)
                let message = Message(line: bytes, hasHeaders: true)
                var isJSON = true
                if case .invalid(let error, _, _) = message { isJSON = error.code != .parseError }
                pass(message)
                return isJSON
            case .tooLong: pass(.invalid(session.lineTooLong, id: .null, line: "…"))
            case .invalid(let text):
                pass(
                    .invalid(
                        RPCError(.parseError, reason: "headerFraming", "Parse error: \(text)"),
                        id: .null,
                        line: "…"
                    )
                )
            }
            return true
        }

        /// Passes on a message, or each member of a batch.
        // Inlined, because a copy is made of a message that is passed to a function.
        @inline(__always)
        private func pass(
            _ message: consuming Message,
            of line: UnsafeRawBufferPointer? = nil,
            in batch: Batch? = nil,
            _ slot: Int = 0
        ) {
            switch consume message {
            case .request(let request): receive(.call(Call(request, session: session, batch: batch, slot: slot)))
            case .response(let id, let result):
                receive(.response(Response(id: id, result: result, session, batch, slot)))
            case .invalid(let error, let id, let text):
                if let line { session.split.begin(line) }
                receive(.invalid(InvalidMessage(error, id: id, line: text, session, batch, slot)))
            case .batch(let members): passMembers(members)
            }
        }

        private func passMembers(_ members: [Message]) {
            let batch = Batch(count: members.count, session: session)
            for (slot, member) in members.enumerated() { pass(member, in: batch, slot) }
        }
    }

    private var lineTooLong: RPCError {
        RPCError(
            .invalidRequest,
            reason: "lineTooLong",
            "Invalid Request: a line holds at most \(lineLimit) bytes; this one was dropped",
            details: ["limit": JSON(lineLimit)]
        )
    }

    /// Handles a message: passes a call to ``onCall`` and a response to its completion, and answers an invalid message.
    public func handle(_ incoming: Incoming) {
        switch incoming {
        case .call(let call): if let duplicate = call.duplicate { duplicate.answer() } else { onCall(call) }
        case .response(let response): response.complete()
        case .invalid(let message): message.answer()
        }
    }

    /// Removes and returns the completion of a request of ours.
    func completion(of id: JSON) -> ((Result<JSON, ResponseError>) -> Void)? {
        id.integer.flatMap { requests.removeValue(forKey: $0) }
    }

    // MARK: Calls that are answered later

    /// Remembers a call that is answered later, so that it can be cancelled and its id cannot be used twice.
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

    /// The tracked call with an id.
    public func call(withID id: JSON) -> Call? {
        tracked.isEmpty ? nil : tracked[id.bytes]
    }

    /// The number of tracked calls.
    public var trackedCount: Int { tracked.count }

    // MARK: Writing

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: An object or an array.
    ///   - completion: Called once with the response, or never if the connection ends first.
    /// - Returns: The id of the request.
    @discardableResult
    public func request(
        _ method: String,
        params: JSON?,
        completion: @escaping (Result<JSON, ResponseError>) -> Void
    ) -> Int64 {
        request(method, writtenParams: { params?.write(to: &$0) }, completion: completion)
    }

    /// Sends a request whose params are written as text, so that thousands of values need not be built.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - writtenParams: Appends an object or an array as JSON text.
    ///   - completion: Called once with the response, or never if the connection ends first.
    /// - Returns: The id of the request.
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

    /// Forgets a request; a response to it is reported as stray.
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

    /// Appends whole messages to the output, unless the peer is gone.
    ///
    /// - Parameter lines: One message in each line.
    public func write(lines: UnsafeRawBufferPointer) {
        guard !isPeerGone else { return }
        guard tap == nil, !writesHeaders else {
            for line in lines.split(separator: UInt8(ascii: "\n")) { write { $0.append(contentsOf: line) } }
            return
        }
        output.append { $0.append(contentsOf: lines) }
    }

    /// Appends one message to the output, unless the peer is gone.
    ///
    /// - Parameter body: Appends the message in one line, without its end.
    public func write(_ body: (inout [UInt8]) -> Void) {
        guard !isPeerGone else { return }
        let earlier = output.count
        // The only use of the body, so that it is inlined and copies nothing.
        output.append { bytes in
            let start = bytes.count
            body(&bytes)
            if let tap { bytes.withUnsafeBytes { tap.willWrite(UnsafeRawBufferPointer(rebasing: $0[start...])) } }
            bytes.append(UInt8(ascii: "\n"))
        }
        if writesHeaders { replaceLineEnd(after: earlier) }
    }

    /// Writes a header before the last message, which begins behind a number of waiting bytes, in place of the end of its line.
    @inline(never)
    private func replaceLineEnd(after earlier: Int) {
        let length = output.count - earlier - 1
        output.append { bytes in
            bytes.removeLast()
            bytes.insert(contentsOf: "Content-Length: \(length)\r\n\r\n".utf8, at: bytes.count - length)
        }
    }
}

/// Observes every byte of a connection, in the order in which the session reads and writes them.
///
/// - Important: Called while the session reads or writes; it must not call the session.
public protocol WireTap: AnyObject {
    /// The peer sent bytes, which are handled next; they are valid only during the call.
    func didRead(_ bytes: UnsafeRawBufferPointer)

    /// The peer's stream ended.
    func didReadEnd()

    /// A line without its end waits to be written to the peer; it is valid only during the call.
    func willWrite(_ line: UnsafeRawBufferPointer)
}

extension WireTap {
    /// The peer sent a message that followed headers; its line breaks stand for spaces, so that it is a line.
    func didRead(message: UnsafeRawBufferPointer) {
        let line = message.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 } + [UInt8(ascii: "\n")]
        line.withUnsafeBytes { didRead($0) }
    }
}

/// Bytes to be written: appended at the end, removed from the front.
public struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0

    /// A queue without bytes.
    public init() {}

    /// The number of bytes that wait.
    public var count: Int { bytes.count - start }

    /// Whether no byte waits.
    public var isEmpty: Bool { bytes.count == start }

    /// Lets the closure append bytes; it must keep those of earlier messages.
    ///
    /// - Parameter body: Appends to the array it is given.
    public mutating func append(_ body: (inout [UInt8]) -> Void) {
        body(&bytes)
    }

    /// Lends the bytes that wait to a writer, and removes as many as it wrote.
    ///
    /// - Parameter writer: Returns how many of the bytes it wrote.
    public mutating func drain(_ writer: (UnsafeRawBufferPointer) -> Int) {
        start += bytes.withUnsafeBytes { writer(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        if start == bytes.count {
            // Up to a mebibyte is kept for the next bytes; the memory of a burst is freed.
            bytes.removeAll(keepingCapacity: bytes.count <= 1 << 20)
            start = 0
        } else if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
    }

    /// Drops everything.
    public mutating func removeAll() {
        bytes = []
        start = 0
    }
}
