/// Functions on paths.
package enum Paths {
    /// The absolute path with every link followed; `nil` if nothing exists there, with the reason in `errno`.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Where a symbolic link leads, as it is written there; `nil` if there is no link, with the reason in `errno`.
    package static func target(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(path, start, buffer.count)
            guard count >= 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        }
    }

    /// Whether a path lies in a folder; links must be resolved in both.
    package static func lies(_ path: String, in folder: String) -> Bool {
        // By bytes: Swift takes two spellings of a letter for the same, the file system does not.
        path.utf8.starts(with: (folder == "/" ? folder : folder + "/").utf8)
    }

    /// The folder of a path's last component; links are not resolved.
    package static func parent(of path: String) -> String {
        // Foundation asks the file system about each path.
        if path.hasPrefix("/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex,
            let first = path.utf8[slash...].dropFirst().first, first != UInt8(ascii: "."),
            path.utf8[..<slash].last != UInt8(ascii: "/")
        {
            return String(path[..<slash])
        }
        return URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// The folder from which relative paths lead in place of the process's; only for tests, which share their process.
    @TaskLocal package static var ownFolder: String?

    /// The folder from which relative paths lead.
    package static var workingFolder: String { ownFolder ?? FileManager.default.currentDirectoryPath }

    /// The path, beginning at the root.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : workingFolder + "/" + path
    }
}

/// Functions on folders.
package enum Folders {
    /// Visits what is in a folder and in its folders, except hidden files and Python's caches.
    ///
    /// The visitor gets a path, and returns whether to continue. Links to folders are visited, but not followed. A folder
    /// that cannot be read counts as empty.
    package static func walk(_ folder: String, _ visit: (String) -> Bool) {
        var waiting = [folder]
        while let folder = waiting.popLast() {
            for name in (try? names(in: folder)) ?? [] where !name.hasPrefix(".") && name != "__pycache__" {
                let path = "\(folder)/\(name)"
                guard visit(path) else { return }
                if Paths.target(ofLink: path) == nil, FileStamp(of: path)?.kind == .folder { waiting.append(path) }
            }
        }
    }

    /// The names of what is in a folder, sorted.
    ///
    /// - Throws: Why the folder cannot be read, so that nobody takes it for an empty one.
    package static func names(in path: String) throws(SystemError) -> [String] {
        try entries(of: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)).map { String(cString: $0) }.sorted()
    }

    /// The names of what is in an open folder, as the file system spells them; closes the descriptor.
    fileprivate static func entries(of descriptor: Int32) throws(SystemError) -> [[CChar]] {
        guard descriptor >= 0 else { throw .last }
        guard let folder = fdopendir(descriptor) else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        defer { closedir(folder) }
        var names: [[CChar]] = []
        errno = 0
        while let entry = readdir(folder) {
            let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let name = start.assumingMemoryBound(to: CChar.self)
            names.append([CChar](UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
            errno = 0
        }
        guard errno == 0 else { throw .last }
        return names.filter { strcmp($0, ".") != 0 && strcmp($0, "..") != 0 }
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

/// An open folder, to remove what is in it while a program that nobody trusts may write there.
///
/// Such a program may put a link in the place of a folder at any moment, and a path through it would then lead to a file
/// of the user. So each folder is opened in the one above it, and is not if it is a link.
package final class SharedFolder {
    private let descriptor: Int32

    /// Opens a folder; nil if there is none.
    package convenience init?(_ path: String) { self.init(descriptor: open(path, Self.flags)) }

    private init?(descriptor: Int32) {
        self.descriptor = descriptor
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    /// The greatest number of folders in one another that are removed; each one is open meanwhile.
    private static let depth = 64

    private func folder(_ name: UnsafePointer<CChar>) -> SharedFolder? {
        SharedFolder(descriptor: openat(descriptor, name, Self.flags))
    }

    /// Removes a file, or a link itself, at a path from this folder that has no `..`.
    package func removeFile(_ path: Substring) {
        // By bytes: Swift takes a slash and an accent behind it for one letter, the file system does not.
        let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard let last = names.last else { return }
        var folder = self
        for name in names.dropLast() {
            guard let next = folder.folder(name) else { return }
            folder = next
        }
        unlinkat(folder.descriptor, last, 0)
    }

    /// Removes each entry whose name passes, folders with what is in them.
    package func removeEntries(where isRemoved: (String) -> Bool) {
        removeEntries(depth: Self.depth) { isRemoved(String(cString: $0)) }
    }

    private func removeEntries(depth: Int, where isRemoved: ([CChar]) -> Bool) {
        for name in (try? Folders.entries(of: openat(descriptor, ".", Self.flags))) ?? [] where isRemoved(name) {
            // A folder fails with EISDIR or EPERM.
            guard unlinkat(descriptor, name, 0) != 0 else { continue }
            if depth > 0 { folder(name)?.removeEntries(depth: depth - 1) { _ in true } }
            unlinkat(descriptor, name, AT_REMOVEDIR)
        }
    }
}

/// A private folder for temporary files, which the owner must remove.
package struct TemporaryFolder: Sendable {
    /// The folder in which temporary folders are made: `TMPDIR`, or the system's; a test may replace it.
    @TaskLocal package static var parent = FileManager.default.temporaryDirectory.path

    /// Where the folder is, links resolved.
    package let path: String

    /// Makes a folder that only this user may enter, and whose name begins so.
    ///
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
