package import JSON
package import JSONRPC

/// A problem that does not fail the call: the reply contains it, or the error of another problem does.
package struct Diagnostic: Equatable {
    /// The stable identifier for programs.
    package let reason: String
    /// What is wrong, for people.
    package let problem: String
    /// What to do about it; nil if nothing is known that is special to it.
    package let advice: String?
    /// A JSON Pointer into the request; nil if the problem has no place in it.
    package let path: String?
    /// The reason of the error behind it, if there is one.
    package let cause: String?

    package init(
        _ reason: String,
        _ problem: String,
        advice: String? = nil,
        path: String? = nil,
        cause: String? = nil
    ) {
        self.reason = reason
        self.problem = problem
        self.advice = advice
        self.path = path
        self.cause = cause
    }

    /// The whole sentence.
    package var message: String { advice.map { "\(problem); \($0)" } ?? problem }

    /// The diagnostic on the wire.
    package var json: JSON {
        JSON(present: [
            "reason": .string(reason), "message": .string(message), "path": path.map(JSON.string),
            "cause": cause.map(JSON.string),
        ])
    }
}

extension Diagnostic {
    /// Reads the member `diagnostics` of an extension's reply, or another one of that form.
    ///
    /// The place maps a path in the extension's request to one in the client's; nil if there is no such path. Without it, all
    /// paths are dropped.
    ///
    /// - Throws: How the member violates the contract.
    package static func list(
        _ json: JSON?,
        member: String = "diagnostics",
        place: (String) -> String? = { _ in nil }
    ) throws(ReplyError) -> [Diagnostic] {
        guard let json else { return [] }
        let whole = JSON.Object([(member, json)])
        var diagnostics: [Diagnostic] = []
        for entry in try MemberReader(reply: .object(whole)).objects(member) ?? [] {
            diagnostics.append(
                Diagnostic(
                    try entry.required("reason", .string),
                    try entry.required("message", .string),
                    path: entry.object["path"]?.string.flatMap(place)
                )
            )
        }
        return diagnostics
    }

    /// The diagnostic for a member of the object at a path that is ignored because its value is wrong.
    package static func ignored(_ error: MemberError, in path: String) -> Diagnostic {
        Diagnostic("ignoredMember", "\(error.text(whole: "the value")) and is ignored", path: path + error.pointer)
    }
}

extension RPCError {
    /// The same error, whose data also has the diagnostics that the result would have had; an error without an object as
    /// its data stays as it is.
    package func with(_ diagnostics: [Diagnostic]) -> RPCError {
        guard !diagnostics.isEmpty, let data = data?.object else { return self }
        let whole = data.setting("diagnostics", to: JSON(diagnostics.map(\.json)))
        return RPCError(code: code, message: message, data: .object(whole))
    }
}

/// How an extension's reply violates the contract.
package struct ReplyError: Error {
    /// What is wrong; it stands after "gave an answer that the contract does not allow: ".
    package let text: String

    package init(_ text: String) { self.text = text }
}

extension MemberReader<ReplyError> {
    /// Reads the result of a call of an extension.
    ///
    /// - Throws: A ``ReplyError`` for a value that is not an object; the reader also throws it, with the path of the wrong
    ///   value in the result.
    package init(reply value: JSON) throws(ReplyError) {
        try self.init(value) { ReplyError($0.text(whole: "the result")) }
    }
}
