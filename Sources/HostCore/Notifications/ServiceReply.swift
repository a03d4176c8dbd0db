internal import Contract
internal import JSON

/// What a service extension made of a notification.
struct ServiceReply {
    /// The greatest size of a change in bytes: each presentation keeps its content.
    static let limit = 1 << 20

    /// The content after the change; the original where that is void.
    private(set) var content: NotificationContent
    /// What was ignored of the change, and the extension's own remarks.
    private(set) var diagnostics: [Diagnostic] = []
    /// Why the change is void, as the end of a sentence.
    private(set) var problem: String?
    private let author: String

    /// Applies a result of the extension's `didReceive` to the content that it was called with.
    ///
    /// - Parameters:
    ///   - result: The result; null, as a `content` that is absent or null, changes nothing.
    ///   - original: The content.
    ///   - author: The extension's identifier, for the remarks.
    ///   - folder: Where attachments may be; nowhere where fetching is not allowed.
    ///   - depth: How deep the content may nest.
    init(
        _ result: JSON,
        changing original: NotificationContent,
        author: String,
        folder: AttachmentFolder?,
        depth: Int
    ) {
        content = original
        self.author = author
        guard result.object != nil || result.isNull else {
            problem = "gave an answer that the contract does not allow: the result must be an object"
            return
        }
        readDiagnostics(result["diagnostics"])
        problem = apply(result["content"] ?? .null, folder, depth)
        if problem != nil { content = original }
    }

    private mutating func apply(_ change: JSON, _ folder: AttachmentFolder?, _ depth: Int) -> String? {
        guard !change.isNull else { return nil }
        guard case .object(let members) = change else {
            return "gave an answer that the contract does not allow: content must be an object, not \(change.typeName)"
        }
        let size = change.bytes.count
        guard size <= Self.limit else { return "gave a content of \(size) bytes; at most \(Self.limit) are taken" }
        guard change.nests(within: depth) else { return "gave a content that nests more than \(depth) deep" }
        for (name, value) in members { take(name, value, folder) }
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

    private mutating func take(_ name: String, _ value: JSON, _ folder: AttachmentFolder?) {
        if let path = Self.text(name) {
            guard let text = value.string else { return ignore(name, "a string", value) }
            content[keyPath: path] = text
        } else if let member = ContentMember.all.first(where: { $0.name == name }) {
            guard value.isNull || member.takes(value) else { return ignore(name, member.needed, value) }
            content[member] = value.isNull ? nil : value
        } else if name == "userInfo" {
            guard let object = value.object else { return ignore(name, "an object", value) }
            content.userInfo = object
        } else if name == "attachments" {
            guard let array = value.array else { return ignore(name, "an array", value) }
            takeAttachments(array, folder)
        } else {
            remark("content has no member \(JSON.string(name)), so it is ignored")
        }
    }

    // MARK: Attachments

    private mutating func takeAttachments(_ array: JSON.Array, _ folder: AttachmentFolder?) {
        content.attachments = []
        for (index, value) in array.enumerated() {
            do throws(AttachmentProblem) {
                content.attachments.append(try attachment(value, folder))
            } catch {
                let text = "the attachment \(index) is dropped: \(error.text)"
                diagnostics.append(Diagnostic("ignoredAttachment", "\(author): \(text)"))
            }
        }
    }

    private func attachment(
        _ value: JSON,
        _ folder: AttachmentFolder?
    ) throws(AttachmentProblem) -> NotificationAttachment {
        guard let identifier = value["identifier"]?.string, let url = value["url"]?.string,
            let type = value["type"]?.string, !type.isEmpty
        else { throw AttachmentProblem(text: "it needs the strings identifier, url and type") }
        guard !content.attachments.contains(where: { $0.identifier == identifier }) else {
            throw AttachmentProblem(text: "another one has the identifier \(JSON.string(identifier)) too")
        }
        guard let folder else {
            throw AttachmentProblem(text: "there is no folder for attachments without --fetch-attachments")
        }
        do throws(AttachmentProblem) {
            return NotificationAttachment(identifier: identifier, path: try folder.file(url), type: type)
        } catch {
            throw AttachmentProblem(text: "its url \(JSON.string(url)) \(error.text)")
        }
    }

    // MARK: Remarks

    private mutating func readDiagnostics(_ value: JSON?) {
        guard let value else { return }
        guard let array = value.array else { return ignore("diagnostics", "an array", value, of: "the result") }
        for entry in array {
            guard let reason = entry["reason"]?.string, !reason.isEmpty, let message = entry["message"]?.string else {
                remark("an entry of diagnostics lacks the strings reason and message, so it is ignored")
                continue
            }
            diagnostics.append(Diagnostic(reason, message))
        }
    }

    private mutating func ignore(_ name: String, _ needed: String, _ value: JSON, of whole: String = "content") {
        remark("\(name) of \(whole) must be \(needed), it is \(value.typeName), so it is ignored")
    }

    private mutating func remark(_ text: String) {
        diagnostics.append(Diagnostic("ignoredMember", "\(author): \(text)"))
    }
}
