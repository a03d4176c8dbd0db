internal import AttachmentRules
internal import JSON
package import Platform

/// A file that a notification shows.
package struct AttachedFile: Equatable {
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
    /// - Throws: Why a phone does not attach it.
    func check() throws(AttachmentError) {
        guard let named = AttachmentType(suffix: type) else {
            throw AttachmentError(text: "its type is \(JSON.string(type)); \(Self.typesRule)")
        }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw AttachmentError(text: "its file cannot be read: \(SystemError.last)") }
        defer { close(descriptor) }
        guard let size = FileStamp(of: descriptor)?.size,
            let start = try? Descriptors.readAll(descriptor, limit: AttachmentType.signatureLength)
        else { throw AttachmentError(text: "its file cannot be read") }
        guard size > 0 else { throw AttachmentError(text: "its file is empty") }
        guard let found = AttachmentType(of: start, named: named) else {
            throw AttachmentError(text: "its file begins like none of these types; \(Self.typesRule)")
        }
        guard found.kind == named.kind else {
            throw AttachmentError(text: "its type is \(type), but its file begins like \(found.rawValue)")
        }
        guard size <= found.limit else {
            let limitRule = "a phone attaches \(found.kind) files of at most \(found.limit >> 20) MiB"
            throw AttachmentError(text: "its file has \(size) bytes; \(limitRule)")
        }
    }

    private static let typesRule = "a phone attaches \(AttachmentType.allCases.map(\.rawValue).joined(separator: ", "))"
}

/// The private folder in which service extensions store the files that they fetched.
///
/// A file exists as long as the notification that shows it, and the folder
/// as long as the host.
package final class AttachmentFolder {
    private let folder: TemporaryFolder

    /// The absolute path, with links resolved.
    package var path: String { folder.path }

    /// Creates a folder with a unique name that only this user may enter.
    ///
    /// - Throws: An error if the folder cannot be created.
    package init() throws(SystemError) { folder = try TemporaryFolder(prefix: "pushhost-attachments") }

    /// The path of the file at a URL from an extension, with links resolved.
    ///
    /// - Throws: Why the file cannot be attached.
    func file(_ url: String) throws(AttachmentError) -> String {
        func error(_ predicate: String) -> AttachmentError {
            AttachmentError(text: "its url \(JSON.string(url)) \(predicate)")
        }
        guard let named = FileURL.path(url) else { throw error("is not a file: URL") }
        guard let file = Paths.resolved(named) else { throw error("does not lead to a file") }
        guard Paths.lies(file, in: path) else { throw error("leads out of the folder for attachments") }
        guard FileStamp(of: file)?.kind == .file else { throw error("leads to something that is not a regular file") }
        return file
    }

    // MARK: Removing

    /// Removes the files of notifications that are no longer shown.
    package func remove(_ attachments: [AttachedFile]) {
        // Since its answer an extension may have put a link in the place of a folder on the way to the file.
        guard let open = SharedFolder(path) else { return }
        for attachment in attachments where Paths.lies(attachment.path, in: path) {
            open.removeFile(Substring(attachment.path.utf8.dropFirst(path.utf8.count)))
        }
    }

    /// Removes everything that no notification shows, such as files that a service extension fetched before it failed.
    package func sweep(keeping attachments: [AttachedFile]) {
        let kept = Set(attachments.map(\.path))
        // A file in a subfolder keeps that subfolder.
        SharedFolder(path)?.removeEntries { name in
            let entry = "\(path)/\(name)"
            return !kept.contains { $0 == entry || Paths.lies($0, in: entry) }
        }
    }

    /// Removes the folder with its contents.
    package func removeFolder() { folder.remove() }
}

/// Why a file cannot be attached.
struct AttachmentError: Error, Equatable {
    /// A clause about the attachment, such as "its file is empty".
    let text: String
}
