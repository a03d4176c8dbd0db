internal import Foundation
internal import Platform

/// The private folder in which a service extension leaves the files that it fetched.
///
/// A file in it lives as long as the notification that shows it, and the folder
/// as long as the host.
package final class AttachmentFolder {
    private let folder: TemporaryFolder

    /// The absolute path, links resolved.
    package var path: String { folder.path }

    /// Makes a folder of a new name that only this user may enter.
    ///
    /// - Throws: Why there is none, in words.
    package init() throws(AttachmentError) {
        do throws(SystemError) {
            folder = try TemporaryFolder(prefix: "pushhost-attachments")
        } catch {
            throw AttachmentError(text: "cannot make a folder for attachments in \(TemporaryFolder.parent): \(error)")
        }
    }

    /// The path of the file that a URL of an extension names, links resolved.
    ///
    /// - Throws: Why it may not be attached, as the end of a sentence.
    func file(_ url: String) throws(AttachmentError) -> String {
        guard let named = FileURL.path(url) else { throw AttachmentError(text: "is no file: URL") }
        guard let file = Paths.resolved(named) else { throw AttachmentError(text: "leads to no file") }
        guard Paths.lies(file, in: path) else {
            throw AttachmentError(text: "leads out of the folder for attachments")
        }
        guard FileStamp(of: file)?.kind == .file else {
            throw AttachmentError(text: "leads to something that is no file")
        }
        return file
    }

    // MARK: Removing

    /// Removes the files of notifications that are no longer shown.
    package func remove(_ attachments: [NotificationAttachment]) {
        for attachment in attachments { unlink(attachment.path) }
    }

    /// Removes everything that no notification shows, such as the files that a service fetched before it failed.
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
