internal import CSystem
internal import Contract
package import JSON
internal import Platform

/// Writes every line between the host, its client and its extensions to a file, to be replayed.
///
/// A recording consists of JSON lines: a ``RecordingHeader``, then one record for each line, `{"t", "from", "to", "raw"}`,
/// and a few other records. A line is in the file before it leaves the host, so the recording of a killed host lacks only
/// its end.
package final class Recorder {
    /// Why the file cannot be recorded into.
    package struct Problem: Error, CustomStringConvertible {
        /// The file and the reason.
        package let description: String
    }

    /// If more bytes than this wait to be written, they are written at once.
    private static let bufferLimit = 1 << 20

    private let path: String
    private let descriptor: Int32
    private let start = Clock.monotonic()
    @exclusivity(unchecked) private var buffer = RecordText()
    /// The beginning of the next records: a brace and the member `t`.
    @exclusivity(unchecked) private var beginning: [UInt8] = []
    @exclusivity(unchecked) private var secrets = Secrets()
    /// Whether writing failed; nothing more is recorded then.
    @exclusivity(unchecked) private var hasFailed = false
    /// Receives the message that the recording cannot continue.
    package var report: (String) -> Void = { _ in }

    /// Creates a recording, or replaces an older one; a file that is not a recording is never replaced.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - header: Its first line.
    /// - Throws: Why it cannot be written.
    package init(path: String, header: RecordingHeader) throws(Problem) {
        self.path = path
        descriptor = try Self.open(path)
        tick()
        // Written later, when the secrets to hide in it are known.
        buffer.append(header.json.bytes)
        buffer.append(literal: "\n")
    }

    deinit { close(descriptor) }

    private static func open(_ path: String) throws(Problem) -> Int32 {
        func problem(_ text: String) -> Problem { Problem(description: "\(path): \(text)") }
        // Mode 0600, because the file may hold personal data.
        let descriptor = Platform.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw problem(String(cString: strerror(errno))) }
        // The lock is held until the file is closed.
        guard csystem_lock(descriptor, 1, 0) != -EWOULDBLOCK else {
            close(descriptor)
            throw problem("another host records into it; name another file")
        }
        var status = stat()
        fstat(descriptor, &status)
        var first = [UInt8](repeating: 0, count: Self.fileStart.utf8.count)
        let count = first.withUnsafeMutableBytes { Platform.read(descriptor, $0.baseAddress, $0.count) }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        let isOurs = isFile && (status.st_size == 0 || (count > 0 && first.elementsEqual(Self.fileStart.utf8)))
        // An older recording may have another mode.
        guard !isOurs || fchmod(descriptor, 0o600) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw problem("it cannot be made private (mode 0600): \(reason); name another file")
        }
        guard isOurs, ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            close(descriptor)
            throw problem(isFile ? "it is not a recording, and is not replaced; name another file" : "it is not a file")
        }
        return descriptor
    }

    /// The first bytes of every recording.
    private static let fileStart = "{\"session\":"

    // MARK: Records

    /// Hides a secret in every record.
    ///
    /// - Parameters:
    ///   - secret: The secret; one shorter than ``Secrets/leastLength`` is not hidden, because it may be a common word.
    ///   - name: Replaces the secret, in brackets.
    package func hide(_ secret: String, name: String) {
        secrets.add(secret, name: name)
        // The header may hold it, and so may lines from before a reload.
        if let hidden = secrets.hidden(in: buffer.bytes) {
            buffer.removeAll(keeping: 2 * Self.bufferLimit)
            buffer.append(hidden)
        }
    }

    /// The number of bytes at the end of a piece of a line that may be the beginning of a secret.
    func countOfBegunSecret(_ piece: [UInt8]) -> Int { secrets.countOfBegun(atEndOf: piece) }

    /// Records a line.
    ///
    /// - Parameters:
    ///   - line: Its bytes, without LF.
    ///   - endpoints: The members `from` and `to` as text; see ``endpoints(from:to:)``.
    ///   - isPartial: Whether no LF ended it.
    package func record(_ line: UnsafeRawBufferPointer, _ endpoints: [UInt8], isPartial: Bool = false) {
        guard !hasFailed else { return }
        buffer.append(beginning)
        buffer.append(endpoints)
        if let hidden = secrets.hidden(in: line) {
            hidden.withUnsafeBytes { buffer.append(rawMember: $0) }
        } else {
            buffer.append(rawMember: line)
        }
        if isPartial { buffer.append(literal: ",\"partial\":true") }
        endRecord()
    }

    /// Records something other than a line, with its members except the time.
    package func record(_ members: [(String, JSON)]) {
        guard !hasFailed else { return }
        // Without braces, because the time precedes the members.
        let text = Array(JSON.object(JSON.Object(members)).bytes.dropFirst().dropLast())
        buffer.append(beginning)
        buffer.append(text.withUnsafeBytes(secrets.hidden) ?? text)
        endRecord()
    }

    /// The members `from` and `to` of the records of one direction of a connection, as JSON text.
    static func endpoints(from: String, to: String) -> [UInt8] {
        Array("\"from\":\(JSON.string(from)),\"to\":\(JSON.string(to)),".utf8)
    }

    /// Reads the clock for the records that follow; all records of one iteration of the event loop have the same time.
    package func tick() {
        beginning.removeAll(keepingCapacity: true)
        beginning.append(literal: "{\"t\":")
        beginning.append(decimal: Clock.monotonic() - start)
        beginning.append(UInt8(ascii: ","))
    }

    private func endRecord() {
        buffer.append(literal: "}\n")
        if buffer.count > Self.bufferLimit { flush() }
    }

    // MARK: The file

    /// Writes the waiting records to the file.
    package func flush() {
        var rest = buffer.bytes
        while !rest.isEmpty, !hasFailed {
            let count = Platform.write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                hasFailed = true
                report(
                    "the recording \(path) is incomplete from here on, because it cannot be written: \(String(cString: strerror(errno)))"
                )
            }
        }
        buffer.removeAll(keeping: 2 * Self.bufferLimit)
    }

    /// Records the end of the host, which completes the recording.
    package func finish(exitCode: Int32) {
        record([("from", .string(Participant.host)), ("exit", .integer(Int64(exitCode)))])
        flush()
    }
}

/// The text of records that wait to be written.
///
/// A recording copies every byte of a connection, so this must be cheap: it escapes a line in one pass into memory that
/// it manages itself.
private struct RecordText: ~Copyable {
    /// The maximum number of bytes that a byte becomes in ``append(escaping:)``.
    private static let escapeLength = 2

    private var memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init() { memory = .allocate(byteCount: 4 << 10, alignment: 16) }

    deinit { memory.deallocate() }

    /// The text; valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Removes everything, and frees memory beyond the limit, which only a burst needed.
    mutating func removeAll(keeping limit: Int) {
        count = 0
        guard memory.count > limit else { return }
        memory.deallocate()
        memory = .allocate(byteCount: limit, alignment: 16)
    }

    /// Appends bytes as they are.
    mutating func append(_ text: UnsafeRawBufferPointer) {
        reserve(text.count)
        guard let start = text.baseAddress else { return }
        memory.baseAddress?.advanced(by: count).copyMemory(from: start, byteCount: text.count)
        count += text.count
    }

    /// Appends bytes as they are.
    mutating func append(_ text: [UInt8]) { text.withUnsafeBytes { append($0) } }

    /// Appends a literal.
    mutating func append(literal text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the member that holds a line: `raw`, or `base64` if it is not UTF-8.
    mutating func append(rawMember line: UnsafeRawBufferPointer) {
        let start = count
        append(literal: "\"raw\":\"")
        if append(escaping: line) { return append(literal: "\"") }
        count = start
        if let text = String(validating: line, as: UTF8.self) {
            append(literal: "\"raw\":")
            append(JSON.string(text).bytes)
        } else {
            append(literal: "\"base64\":\"")
            append(Array(Data(line).base64EncodedString().utf8))
            append(literal: "\"")
        }
    }

    /// Appends text as it appears between quotes in JSON; written in C, so that debug builds are fast enough too.
    ///
    /// - Returns: Whether it was appended; no if it is not UTF-8 or needs longer escapes.
    private mutating func append(escaping text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
        reserve(Self.escapeLength * text.count)
        let end = memory.baseAddress?.advanced(by: count).assumingMemoryBound(to: UInt8.self)
        var seen: UInt8 = 0
        let length = csystem_quote(first, text.count, end, &seen)
        guard length >= 0, seen < 0x80 || String(validating: text, as: UTF8.self) != nil else { return false }
        count += length
        return true
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > memory.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * (count + more), alignment: 16)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }
}
