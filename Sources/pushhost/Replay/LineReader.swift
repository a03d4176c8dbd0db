internal import ExtensionHost
internal import JSON

/// Tells of each line of a session which of its members are volatile, given the lines in their order.
struct LineReader {
    /// One message of a line, and what of it is volatile.
    struct Message {
        let value: JSON
        let volatile: Set<MemberPath>
        /// Which method it calls, or of which it is the answer, where that is known.
        let method: String?
    }

    private struct Caller: Hashable {
        let from: String
        let to: String
        let id: String
    }

    private struct Call {
        let method: String
        /// The tool, where the method calls one: MCP's tools have the names of the contract's methods.
        let tool: String?
    }

    private let volatile: VolatileMembers
    /// The calls that are not answered yet, by who called whom under which id.
    private var calls: [Caller: [Call]] = [:]

    /// A reader at the start of a session.
    ///
    /// - Parameters:
    ///   - volatile: What the contract says.
    ///   - input: What the client wrote; its calls are known from the start, as a plain session has them apart.
    init(_ volatile: VolatileMembers, input: [UInt8]) {
        self.volatile = volatile
        for line in input.split(separator: UInt8(ascii: "\n")) {
            for message in (try? JSON(parsing: Array(line)))?.messages ?? [] {
                note(message, from: WireEnd.client, to: WireEnd.host)
            }
        }
    }

    private mutating func note(_ message: JSON, from: String, to: String) {
        guard let method = message["method"]?.string, let id = message["id"] else { return }
        let tool = method == "tools/call" ? message["params"]?["name"]?.string : nil
        calls[Caller(from: from, to: to, id: id.description), default: []].append(Call(method: method, tool: tool))
    }

    /// The messages of the next line; none where it is no JSON.
    mutating func read(_ line: WireLine) -> [Message] {
        (line.json?.messages ?? []).map { read($0, from: line.from, to: line.to) }
    }

    private mutating func read(_ message: JSON, from: String, to: String) -> Message {
        if let method = message["method"]?.string {
            if from != WireEnd.client { note(message, from: from, to: to) }
            let members =
                switch (from, to) {
                case (WireEnd.host, WireEnd.client): volatile.members(ofNotification: method)
                case (WireEnd.host, _): volatile.members(ofCall: method)
                default: volatile.everywhere
                }
            return Message(value: message, volatile: members, method: method)
        }
        // An error under id null answers a line whose id could not be read.
        let isRefusal = message["id"]?.isNull == true && message["error"] != nil
        let caller = Caller(from: to, to: from, id: message["id"]?.description ?? "")
        let waiting = isRefusal ? nil : calls[caller]?.first
        if waiting != nil { calls[caller]?.removeFirst() }
        let members =
            if from != WireEnd.host {
                volatile.everywhere
            } else if let error = message["error"] {
                volatile.members(of: error)
            } else if let tool = waiting?.tool {
                volatile.members(ofToolResultOf: tool)
            } else {
                volatile.members(ofResultOf: waiting?.method)
            }
        return Message(value: message, volatile: members, method: waiting?.tool ?? waiting?.method)
    }
}
