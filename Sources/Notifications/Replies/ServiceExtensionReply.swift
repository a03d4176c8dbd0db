package import Contract
package import JSON
internal import JSONRPC

/// The reply of a service extension: the changed content of a notification.
package struct ServiceExtensionReply {
    /// The maximum size of a change in bytes; limited because each presentation keeps its content.
    package static let limit = 1 << 20

    /// The content after the change; the original if the change is void.
    package private(set) var content: NotificationContent
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
        changing original: NotificationContent,
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

    /// Applies the changed members.
    ///
    /// - Returns: Why the change is void; nil if it is valid.
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

    private static func text(_ name: String) -> WritableKeyPath<NotificationContent, String>? {
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
    ) throws(AttachmentError) -> NotificationAttachment {
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
        let path: String
        do throws(AttachmentError) {
            path = try folder.file(url)
        } catch {
            throw AttachmentError(text: "its url \(JSON.string(url)) \(error.text)")
        }
        let attachment = NotificationAttachment(identifier: identifier, path: path, type: type)
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
                diagnostics.append(Diagnostic(reason, try members.required("message", .string)))
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
