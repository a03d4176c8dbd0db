package import Contract
package import JSON
internal import JSONRPC

/// The reply of a content extension to a call about a presentation; absent members change nothing.
package struct ContentExtensionReply {
    /// What happens to the notification; only in the reply to a response.
    package let option: ResponseOption?
    /// The URL for the app to open; only in the reply to a response, with the option `dismissAndForward`.
    package let applicationURL: ApplicationURL?
    package let view: View?
    package let actions: [NotificationAction]?
    package let title: String?
    package let media: MediaControl.Change?
    /// The extension's own diagnostics for the caller.
    package let diagnostics: [Diagnostic]

    /// Reads the result of a call.
    ///
    /// - Parameters:
    ///   - value: The result; null changes nothing.
    ///   - needsOption: Whether the result must have an `option`.
    /// - Throws: An error that describes how the result violates the contract.
    package init(_ value: JSON, needsOption: Bool) throws(ReplyError) {
        let members = try MemberReader(reply: value.isNull ? [:] : value)
        option = needsOption ? try members.required("option", ResponseOption.expected) : nil
        applicationURL = try option.flatMap { option throws(ReplyError) in try Self.url(members, option) }
        view = try Self.view(members.object["view"])
        actions = try members.objects("actions").map { readers throws(ReplyError) in
            try NotificationAction.list(readers)
        }
        title = try members.optional("title", .string)
        media = try members.member("media").map { media throws(ReplyError) in try MediaControl.Change(media) }
        diagnostics = try Diagnostic.list(members.object["diagnostics"])
    }

    private static func url(
        _ members: MemberReader<ReplyError>,
        _ option: ResponseOption
    ) throws(ReplyError) -> ApplicationURL? {
        guard option == .dismissAndForward || members.object["url"] == nil else {
            throw ReplyError("url needs the option dismissAndForward, which opens the app; the option is \(option)")
        }
        return try members.optional("url", ApplicationURL.expected)
    }

    private static func view(_ json: JSON?) throws(ReplyError) -> View? {
        guard let json else { return nil }
        do throws(ViewError) {
            return try View(json)
        } catch {
            throw ReplyError(error.text)
        }
    }
}
