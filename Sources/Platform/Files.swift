internal import CSystem

/// The attributes that show whether a file was changed or replaced: kind, identity, size and modification time.
package struct FileStamp: Equatable, Sendable {
    /// The kind of file to which a path leads.
    package enum Kind: Sendable {
        /// A regular file.
        case file
        /// A folder.
        case folder
        /// A pipe, a socket or a device.
        case other
    }

    /// What a file is, independent of its path and its content.
    package struct Identity: Equatable, Sendable {
        fileprivate let device: dev_t
        fileprivate let inode: ino_t
    }

    /// The kind of the file.
    package let kind: Kind
    /// Which file it is.
    package let identity: Identity
    /// The size in bytes.
    package let size: Int64
    /// When the content was last changed, in nanoseconds since 1970; the content of a folder is its entries.
    package let modified: Int64

    /// The stamp of a result of `stat(2)` or `fstat(2)`.
    package init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        identity = Identity(device: status.st_dev, inode: status.st_ino)
        size = Int64(status.st_size)
        // A restored backup sets a folder's time of modification, but cannot set the time of its change.
        #if os(Linux)
        let time = kind == .folder ? status.st_ctim : status.st_mtim
        #else
        let time = kind == .folder ? status.st_ctimespec : status.st_mtimespec
        #endif
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The stamp of the file at a path, links followed; `nil` if there is no file.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of an open file; `nil` if the descriptor is not open.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether a further change would change the modification time.
    ///
    /// File systems count time in steps of some milliseconds, so two changes in quick succession can have the same time.
    package var isReliable: Bool { modified < Clock.systemNanoseconds() - 20_000_000 }
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

    /// The whole content of a file, if it has at most so many bytes; links are followed.
    ///
    /// With `awaitsPipes`, a pipe or a device is read to its end too, however long that takes: the user of a command may
    /// name one, as a shell does for `<(…)`.
    ///
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
    /// If it `waits`, somebody may take time to write, in which a signal must be able to end the command.
    ///
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

/// A file that takes the place of whatever file is there once it is complete, so that at any moment either the old file or
/// the whole new one is there.
///
/// The new file has no name until it is complete, so a process that is killed leaves no part of it behind. If the file
/// system does not support unnamed files, it has a temporary name beside the target.
package final class FileReplacement {
    private let target: String
    private let descriptor: Int32
    /// The temporary name, if the file has one.
    private var temporary: String?

    /// Replaces a file and makes that durable; waits for the disk.
    ///
    /// - Parameters:
    ///   - target: The path whose file is replaced; links must be resolved, or the link itself is replaced.
    ///   - bytes: The content of the new file.
    ///   - mode: The permissions of the file; by default only its owner may read it.
    /// - Throws: Why the target was not replaced, or why the new one may be lost with the power.
    package static func replace(_ target: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(SystemError) {
        let file = try FileReplacement(of: target)
        try file.write(bytes)
        try file.finish(mode: mode)
    }

    /// A new empty file, to be completed with ``write(_:)`` and ``finish(mode:)``.
    init(of target: String) throws(SystemError) {
        self.target = target
        let unnamed = csystem_open_unnamed(Paths.parent(of: target), 0o600)
        guard unnamed < 0 else {
            descriptor = unnamed
            return
        }
        var name = Array(Self.sibling(of: target, "XXXXXX").utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw .last }
        temporary = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        // An unfinished file must not stay.
        if let temporary { unlink(temporary) }
    }

    /// Writes the bytes behind those that were written before.
    func write(_ bytes: [UInt8]) throws(SystemError) { try Descriptors.writeAll(bytes[...], to: descriptor) }

    /// Replaces the target by the file and makes that durable.
    func finish(mode: UInt32 = 0o600) throws(SystemError) {
        guard fchmod(descriptor, mode_t(mode)) == 0, fsync(descriptor) == 0 else { throw .last }
        if temporary == nil { try nameFile() }
        if let temporary {
            guard rename(temporary, target) == 0 else { throw .last }
            self.temporary = nil
        }
        try Folders.sync(Paths.parent(of: target))
    }

    /// Gives an unnamed file the target's name, or a temporary one if the target exists, because only a named file can
    /// replace another.
    private func nameFile() throws(SystemError) {
        var code = csystem_name_file(descriptor, target)
        if code == -EEXIST {
            let temporary = Self.sibling(of: target, String(UInt32.random(in: 0...UInt32.max), radix: 36))
            code = csystem_name_file(descriptor, temporary)
            if code == 0 { self.temporary = temporary }
        }
        guard code == 0 else { throw SystemError(-code) }
    }

    /// A path beside the target, because a file can be renamed only within a file system.
    private static func sibling(of target: String, _ suffix: String) -> String {
        let url = URL(fileURLWithPath: target)
        return "\(url.deletingLastPathComponent().path)/.\(url.lastPathComponent).\(suffix)"
    }
}

/// Tells when something in folders changes, without reading them again and again.
///
/// macOS has no such descriptor for whole folders here; the caller then looks again after ``interval``.
package final class FileWatch {
    /// After how many milliseconds to look again; nil if the descriptor tells.
    package let interval: Int64?
    /// Can be read when something has changed; nil if the system has no such descriptor.
    package let descriptor: Int32?

    /// A watch of no folder.
    package init() {
        #if os(Linux)
        let made = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        descriptor = made >= 0 ? made : nil
        #else
        descriptor = nil
        #endif
        interval = descriptor == nil ? 200 : nil
    }

    deinit { if let descriptor { close(descriptor) } }

    /// Watches the names in a folder; one that is watched already, or does not exist, changes nothing.
    package func add(folder: String) {
        #if os(Linux)
        guard let descriptor else { return }
        let changes = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
        inotify_add_watch(descriptor, folder, UInt32(changes))
        #endif
    }

    /// Forgets what it told, so that the descriptor can be waited for again.
    package func reset() {
        guard let descriptor else { return }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while buffer.withUnsafeMutableBytes({ read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
    }
}

/// Numbers by which contents are told apart, the same in every run and on every machine, as Swift's own hashes are not.
package enum Checksum {
    /// The checksum FNV-1a of 64 bits; it finds accidents, not attacks.
    package static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
