internal import Foundation
internal import Platform

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
    package init() throws(AttachmentError) {
        do throws(SystemError) {
            folder = try TemporaryFolder(prefix: "pushhost-attachments")
        } catch {
            throw AttachmentError(text: "cannot make a folder for attachments in \(TemporaryFolder.parent): \(error)")
        }
    }

    /// The path of the file at a URL from an extension, with links resolved.
    ///
    /// - Throws: Why the file cannot be attached, as a clause whose subject is the URL.
    func file(_ url: String) throws(AttachmentError) -> String {
        guard let named = FileURL.path(url) else { throw AttachmentError(text: "is not a file: URL") }
        guard let file = Paths.resolved(named) else { throw AttachmentError(text: "does not lead to a file") }
        guard Paths.lies(file, in: path) else {
            throw AttachmentError(text: "leads out of the folder for attachments")
        }
        guard FileStamp(of: file)?.kind == .file else {
            throw AttachmentError(text: "leads to something that is not a regular file")
        }
        return file
    }

    // MARK: Removing

    /// Removes the files of notifications that are no longer shown.
    package func remove(_ attachments: [NotificationAttachment]) {
        for attachment in attachments { unlink(attachment.path) }
    }

    /// Removes everything that no notification shows, such as files that a service extension fetched before it failed.
    package func removeAll(except attachments: [NotificationAttachment]) {
        let kept = Set(attachments.map(\.path))
        // A file in a subfolder keeps that subfolder.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            let entry = "\(path)/\(name)"
            guard !kept.contains(where: { $0 == entry || $0.hasPrefix(entry + "/") }) else { continue }
            try? FileManager.default.removeItem(atPath: entry)
        }
    }

    /// Removes the folder with its contents.
    package func removeFolder() { folder.remove() }
}

/// Why there is no folder for attachments, or why a file cannot be attached.
package struct AttachmentError: Error, Equatable {
    package let text: String
}
