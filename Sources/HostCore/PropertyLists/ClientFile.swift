internal import Foundation
internal import PropertyLists

/// A file that a client names, read or written whole; a relative path starts at the host's working folder.
struct ClientFile {
    /// The greatest size of one in bytes.
    static let limit = 16 << 20

    /// Why it could not be, for people.
    enum Failure: Error {
        case unusable(String)
        case tooLarge
    }

    /// The path as the client named it, for messages.
    let path: String
    /// The path with all links followed.
    let target: String

    // MARK: Reading

    /// The bytes of a property list; of any other file nothing leaves this function.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - folder: The only folder whose files may be read; nil allows any folder.
    /// - Returns: All bytes.
    /// - Throws: Why the file is not read.
    static func read(_ path: String, within folder: String?) throws(Failure) -> [UInt8] {
        // A named pipe without a writer must not stop the host.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unusable("read", path, errno) }
        defer { close(descriptor) }
        guard let target = resolve(path) else { throw unusable("read", path, errno) }
        try check(target, path, within: folder)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unusable("read", path, errno) }
        guard isRegular(status) else {
            throw .unusable("\(path) is \(kind(status)) and not a file; name the property list itself")
        }
        guard status.st_size <= limit else { throw .tooLarge }
        // A file that is not a property list, such as a key or /proc/self/environ, is not read further.
        let head = try bytes(of: descriptor, path, limit: PropertyListFormat.headSize)
        guard head.isEmpty || PropertyListFormat(Data(head)) != nil else {
            throw .unusable("\(path) is no property list: it begins neither as XML nor as the binary form does")
        }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw unusable("read", path, errno) }
        let all = try bytes(of: descriptor, path, limit: limit + 1)
        // It may grow while it is read.
        guard all.count <= limit else { throw .tooLarge }
        return all
    }

    /// The next bytes of a file, at most so many: read into their place, since to copy 16 MiB keeps others waiting.
    private static func bytes(of descriptor: CInt, _ path: String, limit: Int) throws(Failure) -> [UInt8] {
        var code: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit, let start = buffer.baseAddress {
                let read = Foundation.read(descriptor, start + count, limit - count)
                if read < 0, errno == EINTR { continue }
                if read < 0 { code = errno }
                guard read > 0 else { break }
                count += read
            }
        }
        guard code == 0 else { throw unusable("read", path, code) }
        return bytes
    }

    // MARK: Writing

    /// A file to write: a regular one, or one that is not there yet.
    ///
    /// - Parameters:
    ///   - path: The file; a link to one stays a link to it.
    ///   - folder: The only folder whose files may be written; nil allows any folder.
    /// - Throws: Why nothing is written there.
    init(toWrite path: String, within folder: String?) throws(Failure) {
        self.path = path
        var status = stat()
        if stat(path, &status) == 0 {
            guard Self.isRegular(status) else { throw .unusable("\(path) is \(Self.kind(status)); name a file") }
            guard !Self.isOwn(status) else {
                throw .unusable("\(path) is what the host itself reads or writes; name another file")
            }
            guard let target = Self.resolve(path) else { throw Self.unusable("write", path, errno) }
            self.target = target
        } else {
            guard lstat(path, &status) != 0 else {
                throw .unusable("\(path) is a link to nothing; name the file itself")
            }
            let url = URL(fileURLWithPath: path)
            guard let parent = Self.resolve(url.deletingLastPathComponent().path) else {
                throw Self.unusable("write into the folder of", path, errno)
            }
            target = "\(parent == "/" ? "" : parent)/\(url.lastPathComponent)"
        }
        try Self.check(target, path, within: folder)
    }

    // MARK: Places

    /// Throws unless a path without links lies in the folder.
    private static func check(_ target: String, _ path: String, within folder: String?) throws(Failure) {
        guard let folder else { return }
        guard let root = resolve(folder), target.hasPrefix("\(root)/") else {
            let text = "\(path) lies outside the folder of this replay; with --allow-files a replay may use any file"
            throw .unusable(text)
        }
    }

    /// The path with every link followed.
    private static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whether a file is stdin, stdout or stderr of the host.
    private static func isOwn(_ status: stat) -> Bool {
        ([0, 1, 2] as [Int32]).contains { descriptor in
            var own = stat()
            return fstat(descriptor, &own) == 0 && own.st_dev == status.st_dev && own.st_ino == status.st_ino
        }
    }

    static func unusable(_ verb: String, _ path: String, _ code: Int32) -> Failure {
        .unusable("cannot \(verb) \(path): \(String(cString: strerror(code)))")
    }

    private static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

    private static func kind(_ status: stat) -> String {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }
}
