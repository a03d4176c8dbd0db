public import JSON

/// The error of a response.
public struct RPCError: Error, Equatable, Sendable {
    /// The kind of an error; other codes than those below may occur.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number on the wire.
        public let rawValue: Int

        /// A code of that number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The line is not JSON.
        public static let parseError = Code(rawValue: -32700)
        /// The JSON is not a request.
        public static let invalidRequest = Code(rawValue: -32600)
        /// There is no method of that name.
        public static let methodNotFound = Code(rawValue: -32601)
        /// The params do not fit the method.
        public static let invalidParams = Code(rawValue: -32602)
        /// The callee failed, and the caller is not the cause.
        public static let internalError = Code(rawValue: -32603)
        /// The caller cancelled the request.
        public static let requestCancelled = Code(rawValue: -32800)
    }

    /// The kind of the error.
    public let code: Code
    /// One sentence for people: what is wrong, where, and what to do about it.
    public let message: String
    /// Facts for programs; `reason` identifies the error and never changes.
    public let data: JSON?

    /// An error that a peer sent.
    public init(code: Code, message: String, data: JSON?) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// An error of our own.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - reason: The identifier that programs compare.
    ///   - message: One sentence for people.
    ///   - path: A JSON Pointer into the request to what is wrong.
    ///   - details: Further members of `data`.
    public init(
        _ code: Code,
        reason: String,
        _ message: String,
        path: String? = nil,
        details: KeyValuePairs<String, JSON> = [:]
    ) {
        let members: MemberList = ["reason": .string(reason), "path": path.map(JSON.string)]
        let further = MemberList(details.map { ($0.key, $0.value) })
        self.init(code: code, message: message, data: JSON(present: members + further))
    }

    /// The member `reason` of ``data``, if it has one.
    public var reason: String? { data?["reason"]?.string }
}

extension RPCError: CustomStringConvertible {
    /// A line that is not JSON.
    public static func parseError(_ error: JSONParseError) -> RPCError {
        RPCError(
            .parseError,
            reason: "parseError",
            "Parse error: \(error.message)",
            details: ["line": JSON(error.line), "column": JSON(error.column), "position": JSON(error.position)]
        )
    }

    /// A message that is JSON but not a request.
    public static func invalidRequest(reason: String = "invalidRequest", _ message: String) -> RPCError {
        RPCError(.invalidRequest, reason: reason, "Invalid Request: \(message)")
    }

    /// A method that does not exist.
    ///
    /// - Parameters:
    ///   - method: The name that the caller used.
    ///   - advice: What the caller can do, for example the name that was probably meant.
    /// - Returns: The error.
    public static func methodNotFound(_ method: String, advice: String? = nil) -> RPCError {
        RPCError(
            .methodNotFound,
            reason: "methodNotFound",
            "Method not found: \(method.excerpt())" + (advice.map { "; \($0)" } ?? ""),
            details: ["method": .string(method.excerpt())]
        )
    }

    /// Params that do not fit the method; `path` is a JSON Pointer into the request.
    public static func invalidParams(
        path: String,
        reason: String = "invalidParams",
        _ message: String
    ) -> RPCError {
        RPCError(.invalidParams, reason: reason, "Invalid params: \(message)", path: path)
    }

    /// An internal error of the callee.
    public static func internalError(_ error: any Error) -> RPCError {
        RPCError(.internalError, reason: "internalError", "Internal error: \(error)")
    }

    /// The error itself if it is an `RPCError`, and an internal error otherwise.
    public init(_ error: any Error) {
        self = (error as? RPCError) ?? .internalError(error)
    }

    /// The message, so that an error can be interpolated into a sentence.
    public var description: String { message }

    /// The same error with a longer message.
    public func adding(_ text: String) -> RPCError { RPCError(code: code, message: "\(message); \(text)", data: data) }

    /// The value of a response's `error` member.
    public var json: JSON {
        JSON(present: ["code": JSON(code.rawValue), "message": .string(message), "data": data])
    }
}
