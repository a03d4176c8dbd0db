internal import Foundation
internal import Platform

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
