internal import Foundation

/// The private folder in which a service extension leaves the files that it fetched.
///
/// A file in it lives as long as the notification that shows it, and the folder
/// as long as the host.
package final class AttachmentFolder {
    /// The absolute path, links resolved.
    package let path: String

    /// Makes a folder of a new name that only this user may enter.
    ///
    /// - Throws: Why the folder cannot be made.
    package init() throws(AttachmentError) {
        let parent = FileManager.default.temporaryDirectory.path
        var template = Array("\(parent)/pushhost-attachments-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil, let path = Self.resolved(template) else {
            let text = "cannot make a folder for attachments in \(parent): \(String(cString: strerror(errno)))"
            throw AttachmentError(text: text)
        }
        self.path = path
    }

    /// The path of the file that a URL of an extension names, links resolved.
    ///
    /// - Throws: Why it may not be attached, as the end of a sentence.
    func file(_ url: String) throws(AttachmentError) -> String {
        guard let named = FileURL.path(url) else { throw AttachmentError(text: "is no file: URL") }
        guard let file = Self.resolved(Array(named.utf8CString)) else {
            throw AttachmentError(text: "leads to no file")
        }
        guard file.hasPrefix(path + "/") else {
            throw AttachmentError(text: "leads out of the folder for attachments")
        }
        var status = stat()
        guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw AttachmentError(text: "leads to something that is no file")
        }
        return file
    }

    private static func resolved(_ path: [CChar]) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
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
    package func removeFolder() { try? FileManager.default.removeItem(atPath: path) }
}

/// Why there is no folder for attachments, or why a file cannot be attached.
package struct AttachmentError: Error, Equatable {
    package let text: String
}
