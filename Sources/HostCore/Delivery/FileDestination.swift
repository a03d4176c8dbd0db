internal import CSystem
internal import Delivery
internal import Foundation
internal import JSON
internal import JSONRPC
internal import Platform
internal import Suites

/// The destination `file`, which appends each record as a line to a file.
///
/// A file that would exceed its size limit is renamed, and a new one is begun. A batch counts as delivered once it is on
/// the disk. Several hosts may write to one file; each locks it while it writes.
final class FileDestination: Destination {
    static let name = "file"

    let name: String = FileDestination.name
    let isBlocking = true
    private let path: String
    /// The greatest size of a file in bytes.
    private let limit: Int64

    init(_ configuration: HostConfiguration) {
        path = configuration.delivery.file ?? "\(configuration.dataFolder)/delivered.jsonl"
        limit = configuration.delivery.fileBytes
    }

    func deliver(_ batch: DeliveryBatch, completion: @escaping (DeliveryOutcome) -> Void) {
        let result: Result<DeliveryReply, DeliveryFailure>
        do throws(FileError) {
            result =
                try append(batch.lines)
                ? .success(DeliveryReply(accepting: batch.records.map(\.id)))
                : .failure(DeliveryFailure("another host writes to \(path)", mayHaveArrived: false, retryAfter: 50))
        } catch {
            result = .failure(DeliveryFailure(error.text, mayHaveArrived: error.mayBeWritten))
        }
        completion(DeliveryOutcome(result))
    }

    /// Appends the lines of a batch.
    ///
    /// - Returns: Whether they were written; false while another host writes to the file.
    private func append(_ lines: [UInt8]) throws(FileError) -> Bool {
        var file = try OpenFile(path)
        guard file.lock() else { return false }
        // Another host may have renamed the file after it was opened and before it was locked.
        guard file.isAt(path) else { return false }
        try file.removeIncompleteLine()
        if file.size > 0, file.size + Int64(lines.count) > limit {
            try renameFullFile()
            file = try OpenFile(path)
            guard file.lock(), file.isAt(path) else { return false }
        }
        try file.append(lines)
        return true
    }

    /// Adds the first unused number to the name of the file, as in `delivered.1.jsonl`.
    private func renameFullFile() throws(FileError) {
        let url = URL(fileURLWithPath: path)
        let suffix = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        let stem = url.deletingPathExtension().path
        var number = 1
        while access("\(stem).\(number)\(suffix)", F_OK) == 0 { number += 1 }
        guard rename(path, "\(stem).\(number)\(suffix)") == 0 else { throw FileError("rename", path) }
        try OpenFile.syncFolder(of: path)
    }
}

extension FileDestination: InspectedDestination {
    func dryRun(
        _ batch: DeliveryBatch,
        _ arguments: Arguments,
        completion: @escaping (Result<DryRunReply, RPCError>) -> Void
    ) {
        let lines = batch.lines.split(separator: UInt8(ascii: "\n")).compactMap { try? JSON(parsing: Array($0)) }
        completion(
            .success(
                DryRunReply([
                    [
                        "method": "append", "url": .string(URL(fileURLWithPath: path).absoluteString),
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
        guard let error = OpenFile.obstacle(to: path) else {
            return CheckReply(isReachable: true, isAccepted: true, message: "\(path) can be written")
        }
        return CheckReply(isReachable: false, isAccepted: false, message: error.text)
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

    init(_ path: String) throws(FileError) {
        self.path = path
        let isNew = access(path, F_OK) != 0
        // A pipe or a terminal would keep the host waiting when it is full.
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw FileError("open", path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.notRegular(path)
        }
        if isNew { try Self.syncFolder(of: path) }
    }

    deinit { close(descriptor) }

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
        // The first save creates the folder of the suites.
        if access(folder, F_OK) != 0 {
            return access(Paths.parent(of: folder), W_OK) == 0 ? nil : FileError("open", path)
        }
        return access(folder, W_OK) == 0 ? nil : FileError("create", path)
    }

    private static func notRegular(_ path: String) -> FileError {
        FileError("\(path) is not a regular file; name another one with --deliver-file")
    }

    func lock() -> Bool { csystem_lock(descriptor, 1, 0) == 0 }

    /// Whether the path leads to this file; also updates ``size``.
    func isAt(_ path: String) -> Bool {
        guard let own = FileStamp(of: descriptor), let other = FileStamp(of: path) else { return false }
        size = own.size
        return own.inode == other.inode && own.device == other.device
    }

    /// Removes an incomplete last line, left by a host that died: the batch of the line was never counted as delivered.
    func removeIncompleteLine() throws(FileError) {
        let chunk = 64 << 10
        var buffer = [UInt8](repeating: 0, count: chunk)
        var end = size
        while end > 0 {
            let start = max(0, end - Int64(chunk))
            let count = pread(descriptor, &buffer, Int(end - start), off_t(start))
            guard count == Int(end - start) else { throw FileError("read", path) }
            if let last = buffer[..<count].lastIndex(of: UInt8(ascii: "\n")) {
                end = start + Int64(last) + 1
                break
            }
            end = start
        }
        guard end < size else { return }
        guard try isWrittenByHost(from: end) else {
            throw FileError("\(path) ends within a line that no host wrote; name another file with --deliver-file")
        }
        guard ftruncate(descriptor, off_t(end)) == 0 else { throw FileError("truncate", path) }
        size = end
    }

    /// Whether the bytes at a position begin like a line that a host wrote.
    private func isWrittenByHost(from position: Int64) throws(FileError) -> Bool {
        let start = DeliveryBatch.lineStart
        var buffer = [UInt8](repeating: 0, count: start.count)
        let count = pread(descriptor, &buffer, start.count, off_t(position))
        guard count > 0 else { throw FileError("read", path) }
        return start.starts(with: buffer[..<count])
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
        guard fsync(descriptor) == 0 else { throw FileError("sync", path, mayBeWritten: true) }
        size += Int64(lines.count)
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
