internal import AttachmentRules
internal import Foundation
internal import JSON
internal import Platform

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
    package func remove(_ attachments: [AttachedFile]) {
        for attachment in attachments { unlink(attachment.path) }
    }

    /// Removes everything that no notification shows, such as files that a service extension fetched before it failed.
    package func removeAll(except attachments: [AttachedFile]) {
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

/// A picture in a file of this machine.
package struct ImageFile {
    /// Why it cannot be shown, without the path, which may be that of a temporary folder.
    package struct Failure: Error, Equatable {
        package let reason: String
        /// How much was read to find that out.
        package var bytesRead = 0
    }

    /// The maximum size of a file: what a phone accepts as an image.
    package static let sizeLimit = 10 << 20

    /// The media type, such as `image/png`.
    package let type: String
    package let bytes: [UInt8]

    /// Reads the file of a `file:` URL.
    ///
    /// - Throws: Why it cannot be shown.
    package init(url: String) throws(Failure) {
        guard let path = FileURL.path(url) else { throw Failure(reason: "there is no such file") }
        do throws(NamedFile.Problem) {
            bytes = try NamedFile.contents(at: path, limit: Self.sizeLimit)
        } catch {
            switch error {
            case .missing: throw Failure(reason: "there is no such file")
            case .notRegular, .interrupted: throw Failure(reason: "it is not a file")
            case .larger: throw Failure(reason: "the file is larger than 10 MiB")
            case .system: throw Failure(reason: "the file cannot be read")
            }
        }
        guard let type = Self.type(bytes) else {
            throw Failure(reason: "it is not a PNG, JPEG, GIF or WebP image", bytesRead: bytes.count)
        }
        self.type = type
    }

    /// The type that the first bytes of a picture say.
    static func type(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) { return "image/gif" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        return nil
    }
}

/// Converts paths to `file:` URLs (RFC 8089), which name attachments on the wire, and back.
enum FileURL {
    /// The URL of an absolute path.
    static func text(_ path: String) -> String {
        var text = "file://"
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            if isUnencoded(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    /// The absolute path of a `file:` URL on this machine; nil if the text is not such a URL.
    static func path(_ text: String) -> String? {
        let prefixes = ["file:///", "file://localhost/", "file:/"]
        guard let prefix = prefixes.first(where: text.hasPrefix), !text.contains("?"), !text.contains("#"),
            let path = text.dropFirst(prefix.count - 1).removingPercentEncoding,
            !path.hasPrefix("//"), !path.utf8.contains(0)
        else { return nil }
        return path
    }

    /// Whether a character needs no percent-encoding: an unreserved one, or the separator of the parts.
    private static func isUnencoded(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "/": true
        default: false
        }
    }
}
