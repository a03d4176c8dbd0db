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
