package import Contract
package import JSON
package import JSONRPC

/// The reply of a service extension: the changed content of a notification.
package struct ServiceExtensionReply {
    /// The maximum size of a change in bytes; limited because each presentation keeps its content.
    package static let limit = 1 << 20

    /// The content after the change; the original if the change is void.
    package private(set) var content: ReceivedContent
    /// The diagnostics for ignored parts of the change, and the extension's own diagnostics.
    package private(set) var diagnostics: [Diagnostic] = []
    /// Why the change is void, as a clause whose subject is the extension; nil if the change is valid.
    package private(set) var voidReason: String?
    private let author: String

    /// Applies a result of the extension's `didReceive` to the content that it was called with.
    ///
    /// - Parameters:
    ///   - result: The result; null, or a `content` that is absent or null, changes nothing.
    ///   - original: The original content.
    ///   - author: The extension's identifier, for the diagnostics.
    ///   - folder: The folder that must contain the attachments; nil if fetching is not allowed.
    ///   - depth: The maximum nesting depth of the content.
    package init(
        _ result: JSON,
        changing original: ReceivedContent,
        author: String,
        folder: AttachmentFolder?,
        depth: Int
    ) {
        content = original
        self.author = author
        do throws(ReplyError) {
            let members = try MemberReader(reply: result.isNull ? [:] : result)
            readDiagnostics(members.object["diagnostics"])
            if members.object["content"]?.isNull == false {
                voidReason = apply(try members.required("content", .object), folder, depth)
            }
        } catch {
            voidReason = "gave an answer that the contract does not allow: \(error.text)"
        }
        if voidReason != nil { content = original }
    }

    /// Applies the changed members; returns why the change is void, or nil if it is valid.
    private mutating func apply(_ change: JSON.Object, _ folder: AttachmentFolder?, _ depth: Int) -> String? {
        let size = JSON.object(change).bytes.count
        guard size <= Self.limit else { return "gave a content of \(size) bytes; at most \(Self.limit) are allowed" }
        guard JSON.object(change).nests(within: depth) else {
            return "gave a content that nests more than \(depth) deep"
        }
        let members = MemberReader(change, pointer: "/content")
        for (name, _) in change { apply(name, members, folder) }
        return content.hasAlert ? nil : "left title, subtitle and body empty, which voids its change"
    }

    private static func text(_ name: String) -> WritableKeyPath<ReceivedContent, String>? {
        switch name {
        case "title": \.title
        case "subtitle": \.subtitle
        case "body": \.body
        case "categoryIdentifier": \.category
        case "threadIdentifier": \.thread
        default: nil
        }
    }

    private mutating func apply(_ name: String, _ members: MemberReader<MemberError>, _ folder: AttachmentFolder?) {
        if let path = Self.text(name) {
            if let text = valid(members, name, .string) { content[keyPath: path] = text }
        } else if let member = ContentMember.all.first(where: { $0.name == name }) {
            if members.object[name]?.isNull == true {
                content[member] = nil
            } else if let value = valid(members, name, member.expected) {
                content[member] = value
            }
        } else if name == "userInfo" {
            if let object = valid(members, name, .object) { content.userInfo = object }
        } else if name == "attachments" {
            if let array = valid(members, name, .array) { attach(array, folder) }
        } else {
            addDiagnostic("ignoredMember", "content has no member \(JSON.string(name)), so it is ignored")
        }
    }

    private mutating func valid<Value>(
        _ members: MemberReader<MemberError>,
        _ name: String,
        _ expected: ExpectedValue<Value>
    ) -> Value? {
        members.valid(name, expected) { ignore($0) }
    }

    // MARK: Attachments

    private mutating func attach(_ array: JSON.Array, _ folder: AttachmentFolder?) {
        content.attachments = []
        for (index, value) in array.enumerated() {
            do throws(AttachmentError) {
                content.attachments.append(try attachment(value, folder))
            } catch {
                addDiagnostic("ignoredAttachment", "the attachment \(index) is dropped: \(error.text)")
            }
        }
    }

    private func attachment(
        _ value: JSON,
        _ folder: AttachmentFolder?
    ) throws(AttachmentError) -> AttachedFile {
        let members = try MemberReader(value) { AttachmentError(text: $0.text(whole: "it")) }
        let identifier = try members.required("identifier", .string)
        let url = try members.required("url", .string)
        let type = try members.required("type", .nonEmptyString)
        guard !content.attachments.contains(where: { $0.identifier == identifier }) else {
            throw AttachmentError(text: "an earlier one has the identifier \(JSON.string(identifier)) too")
        }
        guard let folder else {
            throw AttachmentError(text: "there is no folder for attachments without --fetch-attachments")
        }
        let attachment = AttachedFile(identifier: identifier, path: try folder.file(url), type: type)
        try attachment.check()
        return attachment
    }

    // MARK: Diagnostics

    private mutating func readDiagnostics(_ value: JSON?) {
        guard let value else { return }
        let members = MemberReader(JSON.Object([("diagnostics", value)]))
        for (index, entry) in (valid(members, "diagnostics", .array) ?? JSON.Array([])).enumerated() {
            do throws(MemberError) {
                let members = try MemberReader(entry, pointer: "/diagnostics/\(index)") { $0 }
                let reason = try members.required("reason", .nonEmptyString)
                diagnostics.append(Diagnostic(reason, try members.required("message", .nonEmptyString)))
            } catch {
                ignore(error)
            }
        }
    }

    private mutating func ignore(_ error: MemberError) {
        addDiagnostic("ignoredMember", "\(error.text(whole: "the result")), so it is ignored")
    }

    private mutating func addDiagnostic(_ reason: String, _ text: String) {
        diagnostics.append(Diagnostic(reason, "\(author): \(text)"))
    }
}

/// The reply of a content extension to a call about a presentation; absent members change nothing.
package struct ContentExtensionReply {
    /// What happens to the notification; only in the reply to a response.
    package let option: ResponseOption?
    /// The URL for the app to open; only in the reply to a response, with the option `dismissAndForward`.
    package let applicationURL: ApplicationURL?
    package let view: ViewTree?
    package let actions: [OfferedAction]?
    package let title: String?
    package let media: MediaControl.Change?
    /// The extension's own diagnostics for the caller.
    package let diagnostics: [Diagnostic]

    /// Reads the result of a call; null changes nothing.
    ///
    /// - Throws: How the result violates the contract.
    package init(_ value: JSON, needsOption: Bool) throws(ReplyError) {
        let members = try MemberReader(reply: value.isNull ? [:] : value)
        option = needsOption ? try members.required("option", ResponseOption.expected) : nil
        applicationURL = try option.flatMap { option throws(ReplyError) in try Self.url(members, option) }
        view = try Self.view(members.object["view"])
        actions = try members.objects("actions").map { readers throws(ReplyError) in
            try OfferedAction.list(readers)
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

    private static func view(_ json: JSON?) throws(ReplyError) -> ViewTree? {
        guard let json else { return nil }
        do throws(ViewError) {
            return try ViewTree(json)
        } catch {
            throw ReplyError(error.text)
        }
    }
}

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
    /// The place maps a path in the extension's request to one in the client's; nil if there is no such path.
    ///
    /// - Throws: How the result violates the contract.
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

/// What happens to a notification after a response: Apple's `UNNotificationContentExtensionResponseOption`.
package enum ResponseOption: String, CaseIterable, Sendable {
    case doNotDismiss
    case dismiss
    case dismissAndForward

    /// Apple's name of ``dismissAndForward``; Braze's guide uses the shorter name.
    private static let appleForward = "dismissAndForwardAction"

    /// The expected JSON value.
    package static let expected = ExpectedValue<ResponseOption>(
        "one of \((allCases.map(\.rawValue) + [appleForward]).joined(separator: ", "))"
    ) { value in
        value == .string(appleForward) ? .dismissAndForward : value.string.flatMap(ResponseOption.init)
    }
}
