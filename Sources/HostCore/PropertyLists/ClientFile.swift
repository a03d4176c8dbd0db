internal import Foundation

/// A file that a client names, read or written whole; a relative path starts at the host's working folder.
enum ClientFile {
    /// The greatest size of one in bytes.
    static let limit = 16 << 20

    /// Why it could not be, for people.
    enum Failure: Error {
        case unusable(String)
        case tooLarge
    }

    static func read(_ path: String) throws(Failure) -> [UInt8] {
        // A named pipe without a writer must not stop the host.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unusable("read", path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unusable("read", path, errno) }
        guard isRegular(status) else {
            throw .unusable("\(path) is \(kind(status)) and not a file; name the property list itself")
        }
        guard status.st_size <= limit else { throw .tooLarge }
        let data: Data
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            data = try handle.read(upToCount: limit + 1) ?? Data()
        } catch {
            throw .unusable("cannot read \(path): \(error.localizedDescription)")
        }
        // It may grow while it is read.
        guard data.count <= limit else { throw .tooLarge }
        return [UInt8](data)
    }

    /// A file that is written piece by piece and then put in the place of whatever file is there, so that at any
    /// moment either the old one is there or the new one is there whole.
    final class Replacement {
        /// How many bytes are written and made durable at once.
        private static let piece = 512 << 10

        private let path: String
        private let folder: String
        private var temporary: String?
        private let descriptor: Int32

        init(_ path: String) throws(Failure) {
            var status = stat()
            if lstat(path, &status) == 0, !isRegular(status), status.st_mode & S_IFMT != S_IFLNK {
                throw .unusable("\(path) is \(kind(status)); name a file")
            }
            self.path = path
            let url = URL(fileURLWithPath: path)
            folder = url.deletingLastPathComponent().path
            // Beside the target, since a file can be renamed only within a file system.
            var name = Array("\(folder)/.\(url.lastPathComponent).XXXXXX".utf8CString)
            descriptor = mkstemp(&name)
            guard descriptor >= 0 else { throw unusable("write into the folder of", path, errno) }
            temporary = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
            // What was not finished is not wanted.
            if let temporary { unlink(temporary) }
        }

        /// Writes some of the bytes.
        ///
        /// - Returns: Where the rest begins.
        func write(_ bytes: [UInt8], from start: Int) throws(Failure) -> Int {
            let end = min(bytes.count, start + Self.piece)
            do {
                let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
                try handle.write(contentsOf: bytes[start..<end])
            } catch {
                throw .unusable("cannot write \(path): \(error.localizedDescription)")
            }
            guard fsync(descriptor) == 0 else { throw unusable("write", path, errno) }
            return end
        }

        /// Puts the file in its place.
        func finish() throws(Failure) {
            guard let temporary, fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0, rename(temporary, path) == 0
            else { throw unusable("write", path, errno) }
            self.temporary = nil
            syncFolder(folder)
        }
    }

    /// Makes the new name durable; where a file system cannot, the file is there all the same.
    private static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private static func unusable(_ verb: String, _ path: String, _ code: Int32) -> Failure {
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
