internal import Platform
internal import PropertyLists

/// A file that a client names, read or written as a whole; a relative path is resolved in the host's working folder.
struct ClientFile: Sendable {
    /// The greatest size of a file in bytes.
    static let limit = 16 << 20

    /// Why a file cannot be read or written.
    enum Failure: Error {
        /// The reason, as a sentence.
        case unusable(String)
        case tooLarge
    }

    /// The path as the client named it, for messages.
    let path: String
    /// The path with all symbolic links resolved.
    let target: String

    // MARK: Reading

    /// Reads the bytes of a property list, if a folder is given only in that; those of any other file are never returned.
    static func read(_ path: String, within folder: String?) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK, a named pipe without a writer would block the host.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unusable("read", path, .last) }
        defer { close(descriptor) }
        guard let target = Paths.resolved(path) else { throw unusable("read", path, .last) }
        try check(target, path, within: folder)
        guard let stamp = FileStamp(of: descriptor) else { throw unusable("read", path, .last) }
        guard stamp.kind == .file else {
            throw .unusable("\(path) is \(kind(of: path)) and not a file; name the property list itself")
        }
        guard stamp.size <= limit else { throw .tooLarge }
        do throws(PropertyListFile.Failure) {
            return try PropertyListFile.bytes(of: descriptor, limit: limit)
        } catch {
            switch error {
            case .unreadable(let error): throw unusable("read", path, error)
            case .tooLarge: throw .tooLarge
            case .notPropertyList:
                throw .unusable("\(path) is not a property list: it begins neither as XML nor as the binary form does")
            }
        }
    }

    // MARK: Writing

    /// A file to write: a regular file, or one that does not exist yet.
    ///
    /// - Parameters:
    ///   - path: The file; if it is a symbolic link, its target is replaced and the link stays.
    ///   - folder: The only folder whose files may be written; nil allows any folder.
    /// - Throws: Why the file cannot be written.
    init(toWrite path: String, within folder: String?) throws(Failure) {
        self.path = path
        if let stamp = FileStamp(of: path) {
            guard stamp.kind == .file else { throw .unusable("\(path) is \(Self.kind(of: path)); name a file") }
            guard !Self.isStandardStream(stamp) else {
                throw .unusable("\(path) is what the host itself reads or writes; name another file")
            }
            guard let target = Paths.resolved(path) else { throw Self.unusable("write", path, .last) }
            self.target = target
        } else {
            var status = stat()
            guard lstat(path, &status) != 0 else {
                throw .unusable("\(path) is a link to nothing; name the file itself")
            }
            guard let parent = Paths.resolved(Paths.parent(of: path)) else {
                throw Self.unusable("write into the folder of", path, .last)
            }
            target = "\(parent == "/" ? "" : parent)/\(URL(fileURLWithPath: path).lastPathComponent)"
        }
        try Self.check(target, path, within: folder)
    }

    // MARK: Checks

    /// Checks that a resolved path lies in the folder.
    static func check(_ target: String, _ path: String, within folder: String?) throws(Failure) {
        guard let folder else { return }
        guard let root = Paths.resolved(folder), Paths.lies(target, in: root) else {
            throw .unusable(
                "\(path) lies outside \(folder), the only folder whose files this host uses (--files-within); "
                    + "a replay with --allow-files uses any file"
            )
        }
    }

    /// Whether a file is stdin, stdout or stderr of the host.
    private static func isStandardStream(_ stamp: FileStamp) -> Bool {
        ([0, 1, 2] as [Int32]).contains { FileStamp(of: $0)?.identity == stamp.identity }
    }

    static func unusable(_ verb: String, _ path: String, _ error: SystemError) -> Failure {
        .unusable("cannot \(verb) \(path): \(error)")
    }

    /// The kind of a file that is not a regular one, with its article.
    private static func kind(of path: String) -> String {
        var status = stat()
        switch stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0 {
        case S_IFDIR: return "a folder"
        case S_IFIFO: return "a named pipe"
        case S_IFSOCK: return "a socket"
        default: return "a device"
        }
    }

    // MARK: Writing

    /// Replaces the file atomically, and waits for the disk; errors name the path as the client did.
    func replace(with bytes: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try FileReplacement.replace(target, with: bytes)
        } catch {
            throw Self.unusable("write", path, error)
        }
    }
}
