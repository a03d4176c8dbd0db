internal import AttachmentRules
internal import JSON
internal import Platform

/// A file that a notification shows.
package struct NotificationAttachment: Equatable {
    let identifier: String
    /// The absolute path of the file, with links resolved.
    let path: String
    /// The type of the file as the suffix of its name, such as `png`.
    let type: String

    var json: JSON {
        ["identifier": .string(identifier), "url": .string(FileURL.text(path)), "type": .string(type)]
    }

    /// Checks the file as a phone does after the service extension: its named type, its bytes and its size.
    ///
    /// - Throws: Why a phone does not attach it, as a clause whose subject is the attachment.
    func check() throws(AttachmentError) {
        guard let named = AttachmentType(suffix: type) else {
            throw AttachmentError(text: "its type is \(JSON.string(type)); \(Self.types)")
        }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw AttachmentError(text: "its file cannot be read: \(SystemError.last)") }
        defer { close(descriptor) }
        guard let size = FileStamp(of: descriptor)?.size,
            let start = try? Descriptors.readAll(descriptor, limit: AttachmentType.signatureLength)
        else { throw AttachmentError(text: "its file cannot be read") }
        guard size > 0 else { throw AttachmentError(text: "its file is empty") }
        guard let found = AttachmentType(of: start, named: named) else {
            throw AttachmentError(text: "its file begins like none of these types; \(Self.types)")
        }
        guard found.kind == named.kind else {
            throw AttachmentError(text: "its type is \(type), but its file begins like \(found.rawValue)")
        }
        guard size <= found.limit else {
            let limit = "a phone attaches \(found.kind) files of at most \(found.limit >> 20) MiB"
            throw AttachmentError(text: "its file has \(size) bytes; \(limit)")
        }
    }

    private static let types = "a phone attaches \(AttachmentType.allCases.map(\.rawValue).joined(separator: ", "))"
}
