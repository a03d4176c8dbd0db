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
    ///   - folder: The only folder whose files may be read; nil if every folder's may.
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
        let data: Data
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            // What is no property list, such as a key or /proc/self/environ, is not read on.
            let head = try handle.read(upToCount: PropertyListFormat.headSize) ?? Data()
            guard head.isEmpty || PropertyListFormat(head) != nil else {
                throw Failure.unusable(
                    "\(path) is no property list: it begins neither as XML nor as the binary form does"
                )
            }
            data = try head + (handle.read(upToCount: limit + 1 - head.count) ?? Data())
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unusable("cannot read \(path): \(error.localizedDescription)")
        }
        // It may grow while it is read.
        guard data.count <= limit else { throw .tooLarge }
        return [UInt8](data)
    }

    // MARK: Writing

    /// A file to write: a regular one, or one that is not there yet.
    ///
    /// - Parameters:
    ///   - path: The file; a link to one stays a link to it.
    ///   - folder: The only folder whose files may be written; nil if every folder's may.
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
