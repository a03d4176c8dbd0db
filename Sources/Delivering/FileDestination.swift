internal import CSystem
internal import Calls
internal import Configuration
internal import Delivery
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites
internal import Synchronization

/// The destination `file`, which appends each record as a line to a file.
///
/// A file that would exceed its size limit is renamed, and a new one is begun. A batch counts as delivered once it is on
/// the disk. Several hosts may write to one file; each locks it while it writes.
final class FileDestination: Destination {
    static let name = "file"

    let name: String = FileDestination.name
    var settingsToHash: String { file.path }
    private let file: DeliveredFile
    private let disk: DiskWork

    init(_ configuration: HostConfiguration, _ disk: DiskWork) {
        file = DeliveredFile(
            path: configuration.delivery.file ?? "\(configuration.dataFolder)/delivered.jsonl",
            mayBeLink: configuration.delivery.file != nil,
            limit: configuration.delivery.fileBytes
        )
        self.disk = disk
    }

    func deliver(_ batch: OutgoingBatch, completion: @escaping (DeliveryOutcome) -> Void) {
        let (lines, path) = (batch.lines, file.path)
        disk.run { [file] in
            Result { () throws(FileError) in try file.append(lines) }
        } completion: { result in
            let reply: Result<DeliveryReply, DeliveryFailure> =
                switch result {
                case .success(true): .success(DeliveryReply(accepting: batch.records.map(\.id)))
                case .success(false):
                    .failure(DeliveryFailure("another host writes to \(path)", mayHaveArrived: false, retryAfter: 50))
                case .failure(let error): .failure(DeliveryFailure(error.text, mayHaveArrived: error.mayBeWritten))
                }
            completion(DeliveryOutcome(reply))
        }
    }

    // MARK: Without records

    func dryRun(
        _ batch: OutgoingBatch,
        _ arguments: Arguments,
        completion: @escaping (Result<DryRunReply, RPCError>) -> Void
    ) {
        let lines = batch.lines.split(separator: UInt8(ascii: "\n")).compactMap { try? JSON(parsing: Array($0)) }
        completion(
            .success(
                DryRunReply([
                    [
                        "method": "append", "url": .string(URL(fileURLWithPath: file.path).absoluteString),
                        "body": JSON(lines),
                    ]
                ])
            )
        )
    }

    func check(_ arguments: Arguments, completion: @escaping (Result<CheckReply, RPCError>) -> Void) {
        completion(.success(state))
    }

    /// Whether lines could be appended now; no file is created.
    private var state: CheckReply {
        guard let error = file.refusedLink ?? OpenFile.obstacle(to: file.path) else {
            return CheckReply(isReachable: true, isAccepted: true, message: "\(file.path) can be written")
        }
        return CheckReply(isReachable: false, isAccepted: false, message: error.text)
    }
}

/// The file of delivered records, to which several hosts may append.
private final class DeliveredFile: Sendable {
    let path: String
    /// Whether the path may be a link: one that an operator named, but not one that somebody put beside the suites.
    let mayBeLink: Bool
    /// The greatest size of a file in bytes.
    let limit: Int64
    /// The file whose name this object has made durable, whoever made the file: who did may have died before that.
    private let named = Mutex<FileStamp.Identity?>(nil)

    /// The path of the file itself: that behind the links, if an operator named one.
    private var place: String {
        var place = path
        // Links in a circle lead to no file, and this is asked only about a file that is open.
        while mayBeLink, let next = try? FileManager.default.destinationOfSymbolicLink(atPath: place) {
            place = next.hasPrefix("/") ? next : "\(Paths.parent(of: place))/\(next)"
        }
        return place
    }

    init(path: String, mayBeLink: Bool, limit: Int64) {
        (self.path, self.mayBeLink, self.limit) = (path, mayBeLink, limit)
    }

    /// Appends the lines of a batch.
    ///
    /// - Returns: Whether they were written; false while another host writes to the file.
    func append(_ lines: [UInt8]) throws(FileError) -> Bool {
        if let error = refusedLink { throw error }
        var file = try OpenFile(path, mayBeLink: mayBeLink)
        guard try file.lock() else { return false }
        // Another host may have renamed the file after it was opened and before it was locked.
        guard file.isAt(path) else { return false }
        try file.removeRemains()
        if file.size > 0, file.size + Int64(lines.count) > limit {
            // What a host that was killed has written or removed at the end may not be on the disk yet.
            try file.sync()
            try renameFullFile()
            file = try OpenFile(path, mayBeLink: mayBeLink)
            guard try file.lock(), file.isAt(path) else { return false }
        }
        try syncName(of: file)
        try file.append(lines)
        return true
    }

    /// Makes the file's name durable, on which all its lines depend.
    private func syncName(of file: OpenFile) throws(FileError) {
        guard file.identity != named.withLock({ $0 }) else { return }
        do throws(FileError) {
            try OpenFile.syncFolder(of: place)
        } catch {
            // The system may have forgotten that the folder has changed, so that a later sync would not write it. A new
            // file changes it again; one with lines has a durable name, since they come after this sync.
            if file.size == 0 { unlink(place) }
            throw error
        }
        named.withLock { $0 = file.identity }
    }

    /// Why the path is not written to although it could be; nil if it is no link, or one that may be there.
    var refusedLink: FileError? {
        var status = stat()
        guard !mayBeLink, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
        return FileError("\(path) is a link; remove it, or name the file to which it leads with --deliver-file")
    }

    /// Adds the first unused number to the name of the file, as in `delivered.1.jsonl`.
    private func renameFullFile() throws(FileError) {
        let path = place
        let url = URL(fileURLWithPath: path)
        let suffix = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        let stem = url.deletingPathExtension().path
        var number = 1
        while access("\(stem).\(number)\(suffix)", F_OK) == 0 { number += 1 }
        guard rename(path, "\(stem).\(number)\(suffix)") == 0 else { throw FileError("rename", path) }
        try OpenFile.syncFolder(of: path)
    }
}

/// Why a file cannot be written.
private struct FileError: Error {
    let text: String
    /// Whether lines may be in the file despite the error.
    let mayBeWritten: Bool

    init(_ what: String, _ path: String, number: Int32 = errno, mayBeWritten: Bool = false) {
        text = "cannot \(what) \(path): \(String(cString: strerror(number)))"
        self.mayBeWritten = mayBeWritten
    }

    init(_ text: String) {
        self.text = text
        mayBeWritten = false
    }
}

/// A file that lines are appended to.
private final class OpenFile {
    private let path: String
    private let descriptor: Int32
    private(set) var size: Int64 = 0
    /// Which file it is, once ``isAt(_:)`` was called.
    private(set) var identity: FileStamp.Identity?

    private static let blockSize: Int64 = 64 << 10
    /// The block that was read last to find lines.
    private var block: (start: Int64, bytes: [UInt8]) = (-1, [])

    init(_ path: String, mayBeLink: Bool) throws(FileError) {
        self.path = path
        // A pipe or a terminal would keep the host waiting when it is full.
        let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (mayBeLink ? 0 : O_NOFOLLOW)
        var descriptor = open(path, flags, 0o600)
        // A relay saves nothing, so the data folder may be missing; one that an operator named for the file must exist.
        if descriptor < 0, errno == ENOENT, !mayBeLink, mkdir(Paths.parent(of: path), 0o700) == 0 {
            do throws(FileError) {
                try Self.syncFolder(of: Paths.parent(of: path))
            } catch {
                // As after a failed sync of the file's name.
                rmdir(Paths.parent(of: path))
                throw error
            }
            descriptor = open(path, flags, 0o600)
        }
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw FileError("open", path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.notRegular(path)
        }
    }

    deinit {
        // A process that is being started may have a copy of the descriptor for a moment, which would keep the lock.
        csystem_unlock(descriptor)
        close(descriptor)
    }

    /// Why no line can be appended to a file; nil if nothing is known that prevents it.
    ///
    /// No file is created.
    static func obstacle(to path: String) -> FileError? {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return notRegular(path) }
            return access(path, W_OK) == 0 ? nil : FileError("write to", path)
        }
        guard errno == ENOENT else { return FileError("open", path) }
        let folder = Paths.parent(of: path)
        // The first save or delivery creates the folder of the suites.
        if access(folder, F_OK) != 0 {
            return access(Paths.parent(of: folder), W_OK) == 0 ? nil : FileError("open", path)
        }
        return access(folder, W_OK) == 0 ? nil : FileError("create", path)
    }

    private static func notRegular(_ path: String) -> FileError {
        FileError("\(path) is not a regular file; name another one with --deliver-file")
    }

    /// Locks the file for this host.
    ///
    /// - Returns: Whether it is locked; false while another host has it locked.
    func lock() throws(FileError) -> Bool {
        let result = csystem_lock(descriptor, 1, 0)
        guard result == 0 || result == -EWOULDBLOCK else { throw FileError("lock", path, number: -result) }
        return result == 0
    }

    /// Whether the path leads to this file; also updates ``size`` and ``identity``.
    func isAt(_ path: String) -> Bool {
        guard let own = FileStamp(of: descriptor), let other = FileStamp(of: path) else { return false }
        (size, identity) = (own.size, own.identity)
        return own.identity == other.identity
    }

    /// Removes what a batch left at the end that was never counted as delivered, because the host or the system died: an
    /// incomplete line, and lines with zeros, which stand for bytes that did not reach the disk.
    func removeRemains() throws(FileError) {
        var end = size
        while end > 0 {
            let line = try lastLine(before: end)
            if line.isComplete, !line.hasZeros { break }
            guard try isWrittenByHost(from: line.start) else {
                guard !line.isComplete else { break }
                throw FileError("\(path) ends within a line that no host wrote; name another file with --deliver-file")
            }
            end = line.start
        }
        guard end < size else { return }
        // Zeros do not tell who wrote them; the line before them does.
        if end > 0, try read(1, at: end)[0] == 0,
            try !isWrittenByHost(from: try lastLine(before: end).start)
        {
            let text = "\(path) ends with zeros behind a line that no host wrote; name another file with --deliver-file"
            throw FileError(text)
        }
        guard ftruncate(descriptor, off_t(end)) == 0 else { throw FileError("truncate", path) }
        size = end
        block = (-1, [])
    }

    /// The last line before a position: where it begins, whether a newline ends it, and whether zeros are in it.
    private func lastLine(before end: Int64) throws(FileError) -> (start: Int64, isComplete: Bool, hasZeros: Bool) {
        var (start, isComplete, hasZeros) = (end, false, false)
        while start > 0 {
            var (first, bytes) = try block(before: start)
            if start == end, bytes.last == UInt8(ascii: "\n") {
                isComplete = true
                bytes = bytes.dropLast()
            }
            let newline = bytes.lastIndex(of: UInt8(ascii: "\n"))
            hasZeros = hasZeros || bytes[(newline.map { $0 + 1 } ?? bytes.startIndex)...].contains(0)
            if let newline { return (first + Int64(newline) + 1, isComplete, hasZeros) }
            start = first
        }
        return (0, isComplete, hasZeros)
    }

    /// The bytes before a position in the block with the last of them; each block is read once for many lines.
    private func block(before end: Int64) throws(FileError) -> (start: Int64, bytes: ArraySlice<UInt8>) {
        let start = (end - 1) / Self.blockSize * Self.blockSize
        if block.start != start || block.bytes.count < Int(end - start) {
            block = (start, try read(Int(end - start), at: start))
        }
        return (start, block.bytes[..<Int(end - start)])
    }

    private func read(_ count: Int, at position: Int64) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard pread(descriptor, &bytes, count, off_t(position)) == count else { throw FileError("read", path) }
        return bytes
    }

    /// Whether the bytes at a position begin like a line that a host wrote; from a zero on they did not reach the disk.
    private func isWrittenByHost(from position: Int64) throws(FileError) -> Bool {
        let start = OutgoingBatch.lineStart
        let bytes = try read(Int(min(Int64(start.count), size - position)), at: position)
        return start.starts(with: bytes.prefix { $0 != 0 })
    }

    /// Appends lines; on return they are on the disk.
    func append(_ lines: [UInt8]) throws(FileError) {
        var written = 0
        while written < lines.count {
            let count = lines[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = errno
                // No part of the batch may remain, as the whole batch will be written again.
                let isUndone = ftruncate(descriptor, off_t(size)) == 0
                throw FileError("write to", path, number: number, mayBeWritten: !isUndone)
            }
            written += count
        }
        guard fsync(descriptor) == 0 else {
            let number = errno
            // The system may forget these bytes, and a later sync would not write them: the next lines must replace them.
            _ = ftruncate(descriptor, off_t(size))
            throw FileError("sync", path, number: number, mayBeWritten: true)
        }
        size += Int64(lines.count)
    }

    /// Makes the contents durable.
    func sync() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw FileError("sync", path) }
    }

    /// Makes a new name in the folder durable.
    static func syncFolder(of path: String) throws(FileError) {
        let folder = Paths.parent(of: path)
        do throws(SystemError) {
            try Folders.sync(folder)
        } catch {
            throw FileError("sync", folder, number: error.number)
        }
    }
}
