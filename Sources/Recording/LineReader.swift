internal import Contract
internal import JSON
internal import JSONRPC

/// Finds the volatile members of each line of a session; the lines must be read in their order.
struct LineReader {
    /// A message of a line, with its volatile members.
    struct Message {
        let value: JSON
        let volatile: Set<MemberPath>
        /// The method that it calls or answers, if that is known.
        let method: String?
        /// What it is about: for a call its method and subject, for an answer those of its call.
        let label: String
        /// For an answer, the number of the line that holds its call, counted as ``LineReader`` reads them.
        let callLine: Int?
    }

    private struct Caller: Hashable {
        let from: String
        let to: String
        let id: String
    }

    private struct Call {
        let method: String
        /// The name of the tool if the method is `tools/call`; MCP's tools have the names of the contract's methods.
        let tool: String?
        let label: String
        /// The number of the line that holds it.
        let line: Int
    }

    private let volatile: VolatileMembers
    /// The calls that are not answered yet, in order, by caller, callee and id.
    private var calls: [Caller: [Call]] = [:]
    /// Whether the client's lines are between the others; a session of requests and replies has them in a separate file.
    private let isInOrder: Bool
    /// How many lines were read.
    private(set) var count = 0
    private var isAtStart = true

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A reader at the start of a session, whose lines will be read, those of the client too.
    init(_ volatile: VolatileMembers, _ session: RecordedSession) {
        self.volatile = volatile
        isInOrder = session.hasExtensions
        guard !isInOrder else { return }
        for line in session.input.split(separator: UInt8(ascii: "\n")) { noteCalls(ofClient: Array(line)) }
    }

    /// Notes the calls that the host reads as requests; it answers other lines with an error or not at all.
    private mutating func noteCalls(ofClient bytes: [UInt8]) {
        let line = isAtStart && bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        isAtStart = false
        for request in line.withUnsafeBytes({ JSONRPC.Message(line: $0) }).requests {
            noteCall(
                request.method,
                params: request.params,
                id: request.id,
                from: Participant.client,
                to: Participant.host
            )
        }
    }

    private mutating func noteCall(_ method: String, params: JSON?, id: JSON?, from: String, to: String) {
        guard let id else { return }
        let tool = method == "tools/call" ? params?["name"]?.string : nil
        let label = tool.map { MessageLabel.call($0, params?["arguments"]) } ?? MessageLabel.call(method, params)
        let call = Call(method: method, tool: tool, label: label, line: count)
        calls[Caller(from: from, to: to, id: id.description), default: []].append(call)
    }

    /// Removes the call that an answer is for; a call of a later line replaces one that was never answered.
    private mutating func removeAnsweredCall(_ caller: Caller) -> Call? {
        guard let waiting = calls[caller], let last = waiting.last,
            let index = waiting.firstIndex(where: { $0.line == last.line })
        else { return nil }
        return calls[caller]?.remove(at: index)
    }

    /// Drops the call that was refused because another one is in flight under its id.
    private mutating func dropCall(refusedBy error: JSON?, from: String, to: String) {
        guard error?["data"]?["reason"] == "duplicateId", let id = error?["data"]?["id"] else { return }
        let caller = Caller(from: from, to: to, id: id.description)
        guard let count = calls[caller]?.count, count > 1 else { return }
        calls[caller]?.remove(at: isInOrder ? count - 1 : 1)
    }

    /// The messages of the next line; none if it is not JSON, or if the client sent it.
    mutating func read(_ line: WireLine) -> [Message] {
        count += 1
        guard line.from != Participant.client else {
            noteCalls(ofClient: line.bytes)
            return []
        }
        return (line.json?.messages ?? []).map { read($0, from: line.from, to: line.to) }
    }

    private mutating func read(_ message: JSON, from: String, to: String) -> Message {
        if let method = message["method"]?.string {
            noteCall(method, params: message["params"], id: message["id"], from: from, to: to)
            let members =
                switch (from, to) {
                case (Participant.host, Participant.client): volatile.members(ofNotification: method)
                case (Participant.host, _): volatile.members(ofCall: method)
                default: volatile.members(ofHostCall: method)
                }
            let label = MessageLabel.call(method, message["params"])
            return Message(value: message, volatile: members, method: method, label: label, callLine: nil)
        }
        // An error under id null answers a line whose id could not be read.
        let isRefusal = message["id"]?.isNull == true && message["error"] != nil
        let caller = Caller(from: to, to: from, id: message["id"]?.description ?? "")
        if isRefusal { dropCall(refusedBy: message["error"], from: to, to: from) }
        let waiting = isRefusal ? nil : removeAnsweredCall(caller)
        let members =
            if from != Participant.host {
                volatile.everywhere
            } else if let error = message["error"] {
                volatile.members(of: error)
            } else if let tool = waiting?.tool {
                volatile.members(ofToolResultOf: tool)
            } else {
                volatile.members(ofResultOf: waiting?.method)
            }
        return Message(
            value: message,
            volatile: members,
            method: waiting?.tool ?? waiting?.method,
            label: "reply to " + (waiting?.label ?? "an unknown call"),
            callLine: waiting?.line
        )
    }
}

extension JSONRPC.Message {
    /// The requests of a line.
    fileprivate var requests: [Request] {
        switch self {
        case .request(let request): [request]
        case .batch(let members): members.flatMap(\.requests)
        case .response, .invalid: []
        }
    }
}

/// What a message is about, in a few words: its method and the name, key or element that it names.
private enum MessageLabel {
    /// The parameters that say what a call is about.
    private static let subjects = ["name", "key", "field", "element", "actionIdentifier"]

    /// The label of a call or a notification.
    static func call(_ method: String, _ params: JSON?) -> String {
        let values = subjects.lazy.compactMap { name in
            params.flatMap { MemberStep(to: name, of: method, in: $0)?.value(in: $0) }?.string
        }
        return values.first.map { "\(method) \($0)" } ?? method
    }
}
