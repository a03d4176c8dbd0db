internal import CSystem
internal import Foundation
internal import JSON
internal import Platform
internal import Suites

/// The destination `file`: a record a line in a file, which is begun anew past a size.
///
/// A batch counts as there once it is on the disk. Several hosts may write to
/// one file; each holds a lock on it meanwhile.
final class FileDestination {
    /// The file that is written to.
    let path: String
    private let limit: Int64

    init(_ configuration: HostConfiguration) {
        path = configuration.delivery.file ?? "\(configuration.dataFolder)/delivered.jsonl"
        limit = configuration.delivery.fileBytes
    }

    /// Appends a batch.
    func deliver(_ records: [StoredRecord], of delivery: Delivery) -> Result<DeliveryReply, DeliveryFailure> {
        do throws(FileProblem) {
            var lines: [UInt8] = []
            for record in records { record.writeLine(to: &lines, suite: delivery.suite.name, user: delivery.user) }
            guard try append(lines) else {
                return .failure(
                    DeliveryFailure(problem: "another host writes to \(path)", hasLeft: false, retryAfter: 50)
                )
            }
            var reply = DeliveryReply()
            for record in records { reply.verdicts[record.id] = .accepted }
            return .success(reply)
        } catch {
            return .failure(DeliveryFailure(problem: error.text, hasLeft: error.mayBeThere))
        }
    }

    /// - Returns: Whether it was written: not while another host is writing.
    private func append(_ lines: [UInt8]) throws(FileProblem) -> Bool {
        var file = try OpenFile(path)
        guard file.lock() else { return false }
        // Another host may have begun a new file between the opening and the lock.
        guard file.isAt(path) else { return false }
        try file.cutTornLine()
        if file.size > 0, file.size + Int64(lines.count) > limit {
            try setAside()
            file = try OpenFile(path)
            guard file.lock(), file.isAt(path) else { return false }
        }
        try file.append(lines)
        return true
    }

    /// Gives the file the first number that is free, as in `delivered.1.jsonl`.
    private func setAside() throws(FileProblem) {
        let url = URL(fileURLWithPath: path)
        let suffix = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        let stem = url.deletingPathExtension().path
        var number = 1
        while access("\(stem).\(number)\(suffix)", F_OK) == 0 { number += 1 }
        guard rename(path, "\(stem).\(number)\(suffix)") == 0 else { throw FileProblem("rename", path) }
        try OpenFile.syncFolder(of: path)
    }
}

/// What keeps a file from being written.
private struct FileProblem: Error {
    let text: String
    /// Whether what was written may be there all the same.
    let mayBeThere: Bool

    init(_ what: String, _ path: String, number: Int32 = errno, mayBeThere: Bool = false) {
        text = "cannot \(what) \(path): \(String(cString: strerror(number)))"
        self.mayBeThere = mayBeThere
    }

    init(_ text: String) {
        self.text = text
        mayBeThere = false
    }
}

/// A file that lines are appended to.
private final class OpenFile {
    private let path: String
    private let descriptor: Int32
    private(set) var size: Int64 = 0

    init(_ path: String) throws(FileProblem) {
        self.path = path
        let isNew = access(path, F_OK) != 0
        // A pipe or a terminal would keep the host waiting when it is full.
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw FileProblem("open", path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileProblem("\(path) is no regular file; name another one with --deliver-file")
        }
        if isNew { try Self.syncFolder(of: path) }
    }

    deinit { close(descriptor) }

    func lock() -> Bool { csystem_lock(descriptor, 1, 0) == 0 }

    /// Whether the path leads to this file; notes its size.
    func isAt(_ path: String) -> Bool {
        guard let own = FileStamp(of: descriptor), let other = FileStamp(of: path) else { return false }
        size = own.size
        return own.inode == other.inode && own.device == other.device
    }

    /// Cuts off what a host that died wrote of a line: its batch was never said to be there.
    func cutTornLine() throws(FileProblem) {
        let chunk = 64 << 10
        var buffer = [UInt8](repeating: 0, count: chunk)
        var end = size
        while end > 0 {
            let start = max(0, end - Int64(chunk))
            let count = pread(descriptor, &buffer, Int(end - start), off_t(start))
            guard count == Int(end - start) else { throw FileProblem("read", path) }
            if let last = buffer[..<count].lastIndex(of: UInt8(ascii: "\n")) {
                end = start + Int64(last) + 1
                break
            }
            end = start
        }
        guard end < size else { return }
        guard try isOurs(from: end) else {
            throw FileProblem("\(path) ends within a line that no host wrote; name another file with --deliver-file")
        }
        guard ftruncate(descriptor, off_t(end)) == 0 else { throw FileProblem("truncate", path) }
        size = end
    }

    /// Whether the bytes from a place on begin as our lines do.
    private func isOurs(from start: Int64) throws(FileProblem) -> Bool {
        let begin = StoredRecord.lineBegin
        var buffer = [UInt8](repeating: 0, count: begin.count)
        let count = pread(descriptor, &buffer, begin.count, off_t(start))
        guard count > 0 else { throw FileProblem("read", path) }
        return begin.starts(with: buffer[..<count])
    }

    /// Appends lines; on return they are on the disk.
    func append(_ lines: [UInt8]) throws(FileProblem) {
        var written = 0
        while written < lines.count {
            let count = lines[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = errno
                // A part of the batch must not stay: all of it will be written again.
                let isUndone = ftruncate(descriptor, off_t(size)) == 0
                throw FileProblem("write to", path, number: number, mayBeThere: !isUndone)
            }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw FileProblem("sync", path, mayBeThere: true) }
        size += Int64(lines.count)
    }

    /// Makes a new name durable.
    static func syncFolder(of path: String) throws(FileProblem) {
        let folder = Paths.parent(of: path)
        do throws(SystemError) {
            try Folders.sync(folder)
        } catch {
            throw FileProblem("sync", folder, number: error.number)
        }
    }
}

extension StoredRecord {
    /// How each line begins.
    fileprivate static let lineBegin = Array(#"{"suite":"#.utf8)

    /// Appends the record as a line that names its suite.
    fileprivate func writeLine(to bytes: inout [UInt8], suite: SuiteName, user: String?) {
        let start = bytes.count
        write(to: &bytes, user: user)
        var member: [UInt8] = []
        member.append(literal: "\"suite\":")
        JSON.string(suite.text).write(to: &member)
        member.append(UInt8(ascii: ","))
        bytes.insert(contentsOf: member, at: start + 1)
        bytes.append(UInt8(ascii: "\n"))
    }
}
