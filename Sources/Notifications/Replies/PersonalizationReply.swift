package import Contract
package import JSON
internal import JSONRPC

/// The reply of a personalization extension: the rendered payload.
package struct PersonalizationReply {
    /// The rendered payload; not to be shown if there is a reason to abort.
    package let payload: JSON.Object
    /// The extension's own diagnostics for the caller.
    package let diagnostics: [Diagnostic]
    /// Why the template aborts the message; nil if it does not.
    package let abort: String?

    /// Reads the result of `personalize`.
    ///
    /// - Parameters:
    ///   - value: The result.
    ///   - place: Maps a path in the extension's request to a path in the client's request; nil if there is none.
    /// - Throws: An error that describes how the result violates the contract.
    package init(_ value: JSON, place: (String) -> String?) throws(ReplyError) {
        let members = try MemberReader(reply: value)
        payload = try members.required("payload", .object)
        diagnostics = try Diagnostic.list(members.object["diagnostics"], place: place)
        abort = try members.optional("abort", .string)
    }
}

/// The reply of a personalization extension that checked templates without rendering them.
package struct TemplateCheckReply {
    /// The findings: mistakes are errors, and diagnostics are warnings.
    package let findings: [PayloadFinding]

    /// Reads the result of `checkTemplates`.
    ///
    /// - Throws: An error that describes how the result violates the contract.
    package init(_ value: JSON) throws(ReplyError) {
        let members = try MemberReader(reply: value)
        var findings: [PayloadFinding] = []
        for (name, level) in [("mistakes", PayloadFinding.Level.error), ("diagnostics", .warning)] {
            findings += try Diagnostic.list(members.object[name], member: name, place: PayloadFinding.path)
                .map { PayloadFinding(ofTemplate: level, $0.reason, path: $0.path, $0.message) }
        }
        self.findings = findings
    }
}
