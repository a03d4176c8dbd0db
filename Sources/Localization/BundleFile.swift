public import Foundation

/// Reads a file of a bundle so that neither can do the reader harm.
///
/// A bundle is not trusted: its file may be a link that leaves it, a named
/// pipe without a writer, or endless.
public enum BundleFile {
    /// Why a file cannot be read: a sentence's end.
    public struct Failure: Error, Equatable {
        /// The problem and what to do about it.
        public let message: String
    }

    /// A stamp that changes when a file changes.
    struct Stamp: Equatable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - name: The file's path in the bundle.
    ///   - folder: The bundle's folder.
    ///   - limit: The greatest size in bytes.
    /// - Returns: The bytes, or nil if there is no such file.
    /// - Throws: Why a file that is there is not read.
    public static func contents(of name: String, in folder: String, limit: Int) throws(Failure) -> Data? {
        try open(name, in: folder) { descriptor, status throws(Failure) in
            guard status.st_size <= limit else { throw tooLarge(limit) }
            // One byte more than allowed shows a file that grew meanwhile.
            var bytes = Data(count: min(Int(status.st_size), limit) + 1)
            var count = 0
            while count < bytes.count {
                let got = bytes.withUnsafeMutableBytes {
                    read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
                }
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { throw Failure(message: String(cString: strerror(errno))) }
                guard got > 0 else { break }
                count += got
            }
            guard count <= limit else { throw tooLarge(limit) }
            return bytes.prefix(count)
        }
    }

    /// The stamp of a file; nil if the file does not exist or cannot be read.
    static func stamp(of name: String, in folder: String) throws(Failure) -> Stamp? {
        try open(name, in: folder) { _, status throws(Failure) in
            Stamp(
                device: UInt64(status.st_dev),
                inode: UInt64(status.st_ino),
                size: Int64(status.st_size),
                seconds: status.modified.tv_sec,
                nanoseconds: status.modified.tv_nsec
            )
        }
    }

    private static func tooLarge(_ limit: Int) -> Failure {
        Failure(message: "it is larger than \(limit) bytes")
    }

    private static func open<Result>(
        _ name: String,
        in folder: String,
        _ body: (CInt, stat) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let root = resolve(folder), let path = resolve("\(root)/\(name)") else {
            // A link to nowhere is there and leads to nothing.
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) != 0 else { throw Failure(message: "it is a link to nothing") }
            return nil
        }
        guard path.hasPrefix(root == "/" ? "/" : root + "/") else {
            throw Failure(message: "it is a link that leaves the bundle")
        }
        // Not to wait for the writer of a named pipe.
        let descriptor = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Failure(message: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(message: "it is no file")
        }
        return try body(descriptor, status)
    }

    /// The path with every link followed.
    private static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension stat {
    fileprivate var modified: timespec {
        #if os(Linux)
        st_mtim
        #else
        st_mtimespec
        #endif
    }
}
