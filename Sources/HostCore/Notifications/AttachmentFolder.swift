internal import Foundation

/// The private folder in which a service extension leaves the files that it fetched.
///
/// A file in it lives as long as the notification that shows it, and the folder
/// as long as the host.
final class AttachmentFolder {
    /// Where it is, links resolved.
    let path: String

    /// Makes a folder of a new name that only this user may enter.
    ///
    /// - Throws: Why there is none, in words.
    init() throws(AttachmentProblem) {
        let parent = FileManager.default.temporaryDirectory.path
        var template = Array("\(parent)/pushhost-attachments-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil, let path = Self.real(template) else {
            let text = "no folder for attachments in \(parent): \(String(cString: strerror(errno)))"
            throw AttachmentProblem(text: text)
        }
        self.path = path
    }

    /// The file that a URL of an extension names, links resolved.
    ///
    /// - Throws: Why it may not be attached, as the end of a sentence.
    func file(_ url: String) throws(AttachmentProblem) -> String {
        guard let named = FileURL.path(url) else { throw AttachmentProblem(text: "is no file: URL") }
        guard let file = Self.real(Array(named.utf8CString)) else { throw AttachmentProblem(text: "leads to no file") }
        guard file.hasPrefix(path + "/") else {
            throw AttachmentProblem(text: "leads out of the folder for attachments")
        }
        var status = stat()
        guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw AttachmentProblem(text: "leads to something that is no file")
        }
        return file
    }

    private static func real(_ path: [CChar]) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    // MARK: Removing

    /// Removes the files of what is not shown any more.
    func remove(_ attachments: [NotificationAttachment]) {
        for attachment in attachments { unlink(attachment.path) }
    }

    /// Removes all that no notification shows, such as what was fetched by a service that then failed.
    func sweep(keeping attachments: [NotificationAttachment]) {
        let kept = Set(attachments.map(\.path))
        // A file in a folder of the extension's own keeps that folder.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            let entry = "\(path)/\(name)"
            guard !kept.contains(where: { $0 == entry || $0.hasPrefix(entry + "/") }) else { continue }
            try? FileManager.default.removeItem(atPath: entry)
        }
    }

    /// Removes the folder with all it holds.
    func removeAll() { try? FileManager.default.removeItem(atPath: path) }
}

/// Why there is no folder, or a file is not taken.
struct AttachmentProblem: Error, Equatable {
    let text: String
}
