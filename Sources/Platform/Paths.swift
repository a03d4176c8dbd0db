internal import CSystem

/// Functions on paths.
package enum Paths {
    /// The absolute path with every link followed; `nil` if nothing exists there, with the reason in `errno`.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Where a symbolic link leads, as it is written there; `nil` if there is none, with the reason in `errno`.
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
        path.hasPrefix(folder == "/" ? folder : folder + "/")
    }

    /// The folder of a path's last component; links are not resolved.
    package static func parent(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// The path, beginning at the root.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}

/// Reads files that a payload, a bundle or a user names.
///
/// Such a name can lead to anything: a pipe that nobody writes to, a device, or a file of the kernel whose size is 0 and
/// whose content does not end. So a file is opened once without blocking, is looked at, and is read up to a limit.
package enum NamedFile {
    /// Why a file was not read.
    package enum Problem: Error, Equatable {
        case missing
        /// It is a folder, a pipe, a socket or a device.
        case notRegular(FileStamp.Kind)
        case larger(than: Int)
        /// A signal asked this process to end.
        case interrupted
        case system(SystemError)

        /// A clause for a message, without the path.
        package var text: String {
            switch self {
            case .missing: "there is no such file"
            case .notRegular(.folder): "it is a folder"
            case .notRegular: "it is not a regular file"
            case .larger(let limit): "it has more than \(limit) bytes"
            case .interrupted: "it was not read to its end: interrupted by a signal"
            case .system(let error): "it cannot be read: \(error)"
            }
        }
    }

    /// The content of a file; links are followed.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - limit: The greatest size in bytes that is read.
    ///   - awaitsPipes: Whether a pipe or a device is read to its end too, however long that takes: the user of a command
    ///     may name one, as a shell does for `<(…)`.
    /// - Returns: All bytes.
    /// - Throws: Why the file was not read.
    package static func contents(
        at path: String,
        limit: Int,
        awaitsPipes: Bool = false
    ) throws(Problem) -> [UInt8] {
        let waits = awaitsPipes && FileStamp(of: path)?.kind == .other
        return try opened(path, waits: waits) { descriptor, stamp throws(Problem) in
            guard stamp.size <= limit else { throw .larger(than: limit) }
            return try contents(of: descriptor, limit: limit, waits: waits)
        }
    }

    /// The first bytes of a file, at most a number of them; links are followed.
    ///
    /// - Throws: Why the file was not read.
    package static func beginning(of path: String, count: Int) throws(Problem) -> [UInt8] {
        try opened(path, waits: false) { descriptor, _ throws(Problem) in
            do throws(SystemError) { return try Descriptors.readAll(descriptor, limit: count) } catch {
                throw .system(error)
            }
        }
    }

    private static func opened(
        _ path: String,
        waits: Bool,
        _ read: (Int32, FileStamp) throws(Problem) -> [UInt8]
    ) throws(Problem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .missing : .system(.last) }
        defer { close(descriptor) }
        guard let stamp = FileStamp(of: descriptor) else { throw .system(.last) }
        guard stamp.kind == .file || waits && stamp.kind == .other else { throw .notRegular(stamp.kind) }
        return try read(descriptor, stamp)
    }

    /// What a descriptor gives up to its end, such as that of stdin.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which stays open.
    ///   - limit: The greatest size in bytes that is read.
    ///   - waits: Whether somebody may take time to write, in which a signal must be able to end the command.
    /// - Returns: All bytes.
    /// - Throws: Why they were not read.
    package static func contents(of descriptor: Int32, limit: Int, waits: Bool) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if waits, csystem_await_input(descriptor) == 0 { throw .interrupted }
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || waits && errno == EAGAIN { continue }
            guard count >= 0 else { throw .system(.last) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else { throw .larger(than: limit) }
        }
    }
}
