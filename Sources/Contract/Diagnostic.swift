package import JSON
package import JSONRPC

/// What is wrong without being an error: the call succeeds, and its reply carries the diagnostic.
package struct Diagnostic: Equatable {
    /// The stable word that programs compare.
    package let reason: String
    /// A sentence for people.
    package let message: String
    /// A JSON Pointer into the request.
    package let path: String?
    /// The reason of the error behind it, if there is one.
    package let cause: String?

    package init(_ reason: String, _ message: String, path: String? = nil, cause: String? = nil) {
        self.reason = reason
        self.message = message
        self.path = path
        self.cause = cause
    }

    /// The diagnostic on the wire.
    package var json: JSON {
        var members: [(String, JSON)] = [("reason", .string(reason)), ("message", .string(message))]
        if let path { members.append(("path", .string(path))) }
        if let cause { members.append(("cause", .string(cause))) }
        return .object(JSON.Object(members))
    }
}

extension Diagnostic {
    /// Reads the member `diagnostics` of an extension's reply.
    ///
    /// - Parameters:
    ///   - json: The member; nil if it is absent.
    ///   - place: Maps a path in the extension's request to one in the client's; nil if there is no such place.
    /// - Returns: The diagnostics.
    /// - Throws: How the member violates the contract.
    package static func list(
        _ json: JSON?,
        place: (String) -> String? = { _ in nil }
    ) throws(ReplyError) -> [Diagnostic] {
        guard let json else { return [] }
        guard let array = json.array else { throw ReplyError("diagnostics must be an array") }
        var diagnostics: [Diagnostic] = []
        for value in array {
            guard let reason = value["reason"]?.string, let message = value["message"]?.string else {
                throw ReplyError("each of diagnostics needs the strings reason and message")
            }
            diagnostics.append(Diagnostic(reason, message, path: value["path"]?.string.flatMap(place)))
        }
        return diagnostics
    }
}

extension RPCError {
    /// The same error with the diagnostics that the reply would have had.
    package func with(_ diagnostics: [Diagnostic]) -> RPCError {
        guard !diagnostics.isEmpty, let data = data?.object else { return self }
        let whole = data.setting("diagnostics", to: JSON(diagnostics.map(\.json)))
        return RPCError(code: code, message: message, data: .object(whole))
    }
}
