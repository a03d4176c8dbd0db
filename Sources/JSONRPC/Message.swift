public import JSON

/// One message from a peer, classified as the specification of JSON-RPC 2.0 demands.
public enum Message {
    /// A request, or a notification if it has no id.
    case request(Request)
    /// The answer to a request of ours; `id` is as the peer wrote it.
    indirect case response(id: JSON, Result<JSON, ResponseError>)
    /// An invalid message: the error that answers it, with its id, or null if none can be read.
    /// `line` is the start of a line that is not a message at all, for a log.
    indirect case invalid(RPCError, id: JSON, line: String? = nil)
    /// The members of a batch: at least one, and none of them a batch.
    case batch([Message])

    /// The maximum number of members of a batch.
    public static let batchLimit = 10_000

    /// Reads a message; an invalid one becomes ``invalid(_:id:line:)``.
    ///
    /// - Parameters:
    ///   - line: The bytes without the line's end.
    ///   - hasHeaders: Whether it followed headers, so that it may have several lines.
    ///   - list: The list whose objects are kept as texts.
    @inline(__always)  // Because a copy is made of what a function returns.
    public init(line: UnsafeRawBufferPointer, hasHeaders: Bool = false, keeping list: TextList? = nil) {
        guard !Message.hasTooManyMembers(line) else {
            self = .invalid(Message.batchTooLong, id: .null, line: String(decoding: line.prefix(200), as: UTF8.self))
            return
        }
        do throws(JSONParseError) {
            switch try JSON.parse(line, Request.names, keeping: list) {
            case .object(let members): self.init(members, allowsNull: hasHeaders)
            case .other(let value):
                self = value.array.map { Message.batch($0, hasHeaders) } ?? Message(value, allowsNull: hasHeaders)
            }
        } catch {
            self = .invalid(Message.explain(error, line, hasHeaders: hasHeaders), id: .null)
        }
        if case .invalid(let error, let id, _) = self {
            self = .invalid(error, id: id, line: String(decoding: line.prefix(200), as: UTF8.self))
        }
    }

    /// Whether it is a request or an answer, or a batch with at least one of them.
    var isValid: Bool {
        switch self {
        case .request, .response: true
        case .invalid: false
        case .batch(let members): members.contains(where: \.isValid)
        }
    }

    /// The shortest request, for advice.
    private static let example = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#

    private static var batchTooLong: RPCError {
        .invalidRequest(reason: "batchTooLong", "a batch holds at most \(batchLimit) members, this one holds more")
    }

    /// Whether a line is an array of more members than a batch may have.
    ///
    /// Found without parsing: the values of a line of empty arrays need forty times its size.
    private static func hasTooManyMembers(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.count > batchLimit, line.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") else { return false }
        var (depth, members, isText, isEscaped) = (0, 1, false, false)
        for byte in line {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ",") where depth == 1:
                members += 1
                if members > batchLimit { return true }
            default: break
            }
        }
        return false
    }

    private static func batch(_ members: JSON.Array, _ allowsNull: Bool) -> Message {
        guard members.isEmpty else { return .batch(members.map { Message($0, allowsNull: allowsNull) }) }
        return .invalid(.invalidRequest(reason: "emptyBatch", "a batch needs at least one member"), id: .null)
    }

    private init(_ value: JSON, allowsNull: Bool) {
        if case .object = value {
            self.init(Members(of: value, Request.names), allowsNull: allowsNull)
        } else {
            self = .invalid(.invalidRequest("a message is an object, this is \(value.typeName)"), id: .null)
        }
    }

    private init(_ members: Members, allowsNull: Bool) {
        self = Message.exception(members, allowsNull: allowsNull) ?? .request(Request(members))
    }

    /// A message that is no valid request: a response, or the error that answers it.
    ///
    /// Params may be null in place of absent where that is allowed, because editors' libraries write them so.
    private static func exception(_ members: Members, allowsNull: Bool) -> Message? {
        guard members.isText("2.0", at: Request.version) else {
            let isOther = ![Request.methodName, Request.result, Request.error].contains(where: members.isPresent)
            let advice = isOther ? "; a request is such as \(example)" : ""
            let text = "the member jsonrpc must be \"2.0\"\(advice)"
            return .invalid(.invalidRequest(reason: "version", text), id: .null)
        }
        if let type = members.type(at: Request.identifier), ![.string, .number, .null].contains(type) {
            let text = "an id is a string, a number or null, this is \(members[Request.identifier]?.typeName ?? "")"
            return .invalid(.invalidRequest(reason: "invalidId", text), id: .null)
        }
        switch members.type(at: Request.methodName) {
        case .string: break
        case nil: return response(Request(members))
        default:
            let text = "method must be a string, this is \(members[Request.methodName]?.typeName ?? "")"
            return .invalid(.invalidRequest(text), id: members[Request.identifier] ?? .null)
        }
        switch members.type(at: Request.parameters) {
        case nil, .container: return nil
        case .null where allowsNull: return nil
        default:
            let text = "params must be an array or an object, this is \(members[Request.parameters]?.typeName ?? "")"
            let error = RPCError(.invalidRequest, reason: "invalidParamsType", text, path: "/params")
            return .invalid(error, id: members[Request.identifier] ?? .null)
        }
    }

    private static func response(_ message: Request) -> Message {
        let id = message.id ?? .null
        switch (message.members[Request.result], message.members[Request.error]) {
        case (let result?, nil): return .response(id: id, .success(result))
        case (nil, let error?): return .response(id: id, .failure(ResponseError(wire: error)))
        case (nil, nil): return .invalid(.invalidRequest("a request needs a method"), id: id)
        case (_?, _?): return .response(id: id, .failure(.malformed("the response has both a result and an error")))
        }
    }

    /// Why a line is not JSON, with advice for common mistakes.
    private static func explain(
        _ error: JSONParseError,
        _ line: UnsafeRawBufferPointer,
        hasHeaders: Bool
    ) -> RPCError {
        if line.starts(with: Array("Content-Length:".utf8), by: { $0 | 0x20 == $1 | 0x20 }) {
            return RPCError(
                .parseError,
                reason: "headerFraming",
                "Parse error: this is a Content-Length header, and this connection began without one; each message is a line"
            )
        }
        let advice: String
        switch error.kind {
        case .incomplete where hasHeaders:
            advice = "the message ends too early; Content-Length must be the number of its bytes"
        case .trailingText where hasHeaders:
            advice = "text follows the message; Content-Length must be the number of its bytes"
        case .incomplete:
            advice = "a message is one line, and this one ends too early; write the message without line breaks"
        case .trailingText: advice = "a line holds one message, and text follows it"
        case .encoding: advice = "messages are UTF-8"
        case .other:
            if case let explained = error.explained(in: line), explained != error { return .parseError(explained) }
            guard let first = line.first(where: { !" \t".utf8.contains($0) }), !"{[".utf8.contains(first) else {
                return .parseError(error)
            }
            advice = "a message is a JSON object, such as \(Message.example)"
        }
        return .parseError(
            JSONParseError(
                error.kind,
                message: "\(advice) (\(error.message))",
                line: error.line,
                column: error.column,
                position: error.position
            )
        )
    }
}

/// Why a request of ours has no result.
public enum ResponseError: Error, CustomStringConvertible {
    /// The peer answered with an error.
    case error(RPCError)
    /// The response does not conform to the specification.
    case malformed(String)

    /// The message for people.
    public var description: String {
        switch self {
        case .error(let error): error.message
        case .malformed(let text): text
        }
    }

    /// Reads the member `error` of a response.
    init(wire value: JSON) {
        if let code = value["code"]?.integer, let message = value["message"]?.string {
            self = .error(RPCError(code: .init(rawValue: Int(code)), message: message, data: value["data"]))
        } else {
            self = .malformed("the response's error has no integer code and string message")
        }
    }
}

extension Message {
    /// A method, its params and the id under which the answer is expected.
    ///
    /// Nothing is copied from the line's tree, which the request keeps alive, until it is asked for.
    public struct Request {
        /// The members that JSON-RPC defines, in the order of the constants below.
        static let names = Names(["jsonrpc", "id", "method", "params", "result", "error"])
        static let version = 0
        static let identifier = 1
        static let methodName = 2
        static let parameters = 3
        static let result = 4
        static let error = 5

        let members: Members

        /// A request, or the members of another message.
        init(_ members: Members) { self.members = members }

        /// A request that no peer sent; a notification if it has no id.
        init(method: String, params: JSON?, id: JSON?) {
            members = Members(of: JSON(present: ["id": id, "method": .string(method), "params": params]), Self.names)
        }

        /// The name of the method.
        public var method: String { methodBytes.map { String(decoding: $0, as: UTF8.self) } ?? "" }

        /// The bytes of the name of the method.
        var methodBytes: UnsafeRawBufferPointer? { members.text(at: Self.methodName) }

        /// An array or an object; nil if there are no params.
        public var params: JSON? { members[Self.parameters] }

        /// Whether there is no id.
        var isNotification: Bool { !members.isPresent(at: Self.identifier) }

        /// A string, a number or null; absent in a notification.
        public var id: JSON? { members[Self.identifier] }

        /// Appends the id as JSON text.
        func writeID(to bytes: inout [UInt8]) { members.write(at: Self.identifier, to: &bytes) }
    }
}

extension [UInt8] {
    /// Appends a response.
    ///
    /// - Parameters:
    ///   - result: The result or the error.
    ///   - id: The id of the request.
    public mutating func append(response result: Result<JSON, RPCError>, id: JSON) {
        append(literal: "{\"jsonrpc\":\"2.0\",\"id\":")
        id.write(to: &self)
        append(outcome: result)
    }

    /// Appends the end of a response, from its result or error on.
    mutating func append(outcome: Result<JSON, RPCError>) {
        switch outcome {
        case .success(let value):
            append(literal: ",\"result\":")
            value.write(to: &self)
        case .failure(let error):
            append(literal: ",\"error\":")
            error.json.write(to: &self)
        }
        append(UInt8(ascii: "}"))
    }

    /// Appends the end of a response with a result that is already JSON text.
    mutating func append(resultText text: [UInt8]) {
        append(literal: ",\"result\":")
        append(contentsOf: text)
        append(UInt8(ascii: "}"))
    }

    /// Appends a request, or a notification if there is no id.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: An object or an array.
    ///   - id: The id under which the answer is expected.
    public mutating func append(request method: String, params: JSON?, id: Int64?) {
        append(request: method, id: id) { params?.write(to: &$0) }
    }

    /// Appends a request, or a notification if there is no id; the closure writes the params, or nothing.
    mutating func append(request method: String, id: Int64?, params: (inout [UInt8]) -> Void) {
        append(literal: "{\"jsonrpc\":\"2.0\"")
        if let id {
            append(literal: ",\"id\":")
            append(decimal: id)
        }
        append(literal: ",\"method\":")
        JSON.string(method).write(to: &self)
        let end = count
        append(literal: ",\"params\":")
        let start = count
        params(&self)
        if count == start { removeLast(start - end) }
        append(UInt8(ascii: "}"))
    }
}
