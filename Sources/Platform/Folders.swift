/// Functions on folders.
package enum Folders {
    /// The names of what is in a folder, sorted.
    ///
    /// - Throws: Why the folder cannot be read, so that nobody takes it for an empty one.
    package static func names(in path: String) throws(SystemError) -> [String] {
        guard let folder = opendir(path) else { throw .last }
        defer { closedir(folder) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
            errno = 0
        }
        guard errno == 0 else { throw .last }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    /// Makes changes of the names in a folder durable.
    ///
    /// Some file systems cannot sync a folder and fail with EINVAL, which is ignored; so is a folder into which the user
    /// may write without being able to read it.
    ///
    /// - Throws: Why the folder cannot be opened or synced.
    package static func sync(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == EACCES { return }
            throw .last
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last }
    }
}

/// A private folder for temporary files, which the owner must remove.
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
