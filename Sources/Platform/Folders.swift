internal import Foundation

/// Folders as directories of names.
package enum Folders {
    /// Makes the names in a folder survive a power loss.
    ///
    /// Some file systems cannot sync a folder and report that as an invalid argument, which is not an error here.
    ///
    /// - Throws: Why the folder cannot be opened or synced.
    package static func sync(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last }
    }
}

/// A new private folder for temporary files; the owner removes it.
package struct TemporaryFolder: Sendable {
    /// The folder in which temporary folders are made: `TMPDIR`, or the system's.
    package static var parent: String { FileManager.default.temporaryDirectory.path }

    /// Where the folder is, links resolved.
    package let path: String

    /// Makes a folder that only this user may enter.
    ///
    /// - Parameter prefix: The beginning of its name.
    /// - Throws: Why the folder cannot be made in ``parent``.
    package init(prefix: String) throws(SystemError) {
        var template = Array("\(Self.parent)/\(prefix)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil,
            let path = Paths.resolved(String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
        else { throw .last }
        self.path = path
    }

    /// Removes the folder with everything in it.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
