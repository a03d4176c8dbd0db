internal import Contract
internal import JSON
internal import JSONRPC

/// What `$last` and `$1` mean in the requests of a session that was written by hand: the notifications that its
/// `didReceive` calls returned.
///
/// The host does not know these references: a client replaces them before it sends a line.
package struct NotificationReferences {
    /// Why a reference means nothing.
    package struct Problem: Error {
        /// The line, the reference and what is wrong.
        package let description: String
    }

    /// The notifications in the order in which they were returned.
    private var notifications: [JSON] = []
    /// How many calls of `didReceive` are not answered yet, by id.
    private var unanswered: [String: Int] = [:]

    package init() {}

    /// Whether all calls of `didReceive` that were sent are answered.
    package var isSettled: Bool { unanswered.isEmpty }

    /// Whether a line refers to a notification.
    package static func occur(in line: [UInt8]) -> Bool {
        // Few lines have a text that begins with a dollar sign, so few are parsed.
        guard zip(line, line.dropFirst()).contains(where: { $0 == (UInt8(ascii: "\""), UInt8(ascii: "$")) }) else {
            return false
        }
        return messages(line)?.contains { reference(in: $0) != nil } == true
    }

    /// Notes the calls of a line that is sent.
    package mutating func noteSent(_ line: [UInt8]) {
        for id in line.withUnsafeBytes({ JSONRPC.Message(line: $0) }).receivingIDs {
            unanswered[id.description, default: 0] += 1
        }
    }

    /// Notes the answers of a line of the host.
    package mutating func noteReceived(_ line: [UInt8]) {
        for message in Self.messages(line) ?? [] where message["method"] == nil {
            guard let id = message["id"]?.description, let count = unanswered[id] else { continue }
            unanswered[id] = count > 1 ? count - 1 : nil
            let result = message["result"]
            if let notification = result?["notification"] ?? result?["structuredContent"]?["notification"] {
                notifications.append(notification)
            }
        }
    }

    /// The line with notifications in place of its references.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - number: Its number in the file, for the error.
    /// - Returns: The line; the same bytes if it has no reference.
    /// - Throws: Why a reference means nothing.
    package func resolve(_ line: [UInt8], number: Int) throws(Problem) -> [UInt8] {
        guard Self.occur(in: line), let value = Self.value(line) else { return line }
        guard let batch = value.array else { return try resolve(value, number).bytes }
        var members: [JSON] = []
        for member in batch { members.append(try resolve(member, number)) }
        return JSON(members).bytes
    }

    private func resolve(_ message: JSON, _ number: Int) throws(Problem) -> JSON {
        guard let (reference, path) = Self.reference(in: message) else { return message }
        return message.replacing(path[...], by: try notification(reference, number))
    }

    private func notification(_ reference: String, _ number: Int) throws(Problem) -> JSON {
        let count = notifications.count
        let received =
            "\(count == 0 ? "none was" : count == 1 ? "only 1 was" : "only \(count) were") received before it"
        guard reference != "$last" else {
            guard let last = notifications.last else {
                throw Problem(description: "line \(number): $last means the newest notification, but \(received)")
            }
            return last
        }
        guard let index = Int(reference.dropFirst()), index > 0 else {
            throw Problem(description: "line \(number): \(reference) means no notification; the first one is $1")
        }
        guard index <= count else {
            throw Problem(description: "line \(number): \(reference) means notification \(index), but \(received)")
        }
        return notifications[index - 1]
    }

    // MARK: Where a reference is

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func value(_ line: [UInt8]) -> JSON? {
        try? JSON(parsing: line.starts(with: byteOrderMark) ? Array(line.dropFirst(3)) : line)
    }

    private static func messages(_ line: [UInt8]) -> [JSON]? { value(line)?.messages }

    /// The reference in a request and the steps to it: in the parameter `notification`, by name or by position.
    private static func reference(in message: JSON) -> (text: String, path: [MemberStep])? {
        guard let method = message["method"]?.string, let params = message["params"] else { return nil }
        let isTool = method == "tools/call"
        let called = isTool ? params["name"]?.string ?? "" : method
        guard let arguments = isTool ? params["arguments"] : params,
            let step = MemberStep(to: "notification", of: called, in: arguments),
            let text = step.value(in: arguments)?.string,
            text == "$last" || text.wholeMatch(of: /\$[0-9]+/) != nil
        else { return nil }
        return (text, [.member("params")] + (isTool ? [.member("arguments")] : []) + [step])
    }
}

extension JSON {
    /// The value with another one at the end of a path.
    fileprivate func replacing(_ path: ArraySlice<MemberStep>, by value: JSON) -> JSON {
        guard let step = path.first, let old = step.value(in: self) else { return value }
        let new = old.replacing(path.dropFirst(), by: value)
        switch (step, self) {
        case (.member(let name), .object(let object)): return .object(object.setting(name, to: new))
        case (.element(let index), .array(let array)):
            return JSON(array.enumerated().map { $0 == index ? new : $1 })
        default: return self
        }
    }
}

extension JSONRPC.Message {
    /// The ids of the calls of `didReceive`, also as a tool of MCP.
    fileprivate var receivingIDs: [JSON] {
        switch self {
        case .request(let request):
            let isTool = request.method == "tools/call"
            let called = isTool ? request.params?["name"]?.string : request.method
            return called == "didReceive" ? [request.id].compactMap { $0 } : []
        case .batch(let members): return members.flatMap(\.receivingIDs)
        case .response, .invalid: return []
        }
    }
}

/// A step from a value to one inside it.
enum MemberStep {
    case member(String)
    case element(Int)

    /// The names of the parameters of each method of the host, in their order.
    private static let parameters: [String: [String]] = {
        var names: [String: [String]] = [:]
        for method in ContractDocuments.host["methods"]?.array.map({ Array($0) }) ?? [] {
            guard let name = method["name"]?.string else { continue }
            names[name] = (method["params"]?.array.map { Array($0) } ?? []).compactMap { $0["name"]?.string }
        }
        return names
    }()

    /// The step from params to a parameter of a method of the host, which may be given by name or by position; nil if the
    /// method has no such parameter.
    init?(to name: String, of method: String, in params: JSON) {
        if params.object != nil {
            self = .member(name)
        } else if let index = Self.parameters[method]?.firstIndex(of: name) {
            self = .element(index)
        } else {
            return nil
        }
    }

    func value(in json: JSON) -> JSON? {
        switch self {
        case .member(let name): json[name]
        case .element(let index): json[index]
        }
    }
}
