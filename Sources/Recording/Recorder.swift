internal import CSystem
internal import Contract
internal import Foundation
package import JSON
internal import Platform

/// Writes every line between the host, its client and its extensions to a file, to be replayed.
///
/// A recording is JSON lines: a ``RecordingHeader``, then a record a line, `{"t", "from", "to", "raw"}` and a few
/// others. What leaves the host is in the file before: a host that is killed leaves a recording that only has no end.
package final class Recorder {
    /// Why there can be no recording, in a sentence's end.
    package struct Problem: Error, CustomStringConvertible {
        /// File and reason.
        package let description: String
    }

    /// The greatest number of bytes that wait to be written.
    private static let bufferLimit = 1 << 20

    private let path: String
    private let descriptor: Int32
    private let start = Clock.monotonic()
    private var buffer = RecordText()
    /// How a record begins at this moment: its brace and its time.
    private var beginning: [UInt8] = []
    private var secrets = Secrets()
    /// Whether a record could not be written, so that nothing more is.
    private var isBroken = false
    /// Takes the news that the recording cannot go on.
    package var report: (String) -> Void = { _ in }

    /// A recording in a new file, or in the place of an older recording.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - header: Its first line.
    /// - Throws: Why it cannot be written; only a recording is ever replaced.
    package init(path: String, header: RecordingHeader) throws(Problem) {
        self.path = path
        descriptor = try Self.open(path)
        tick()
        // It leaves when secrets are known.
        buffer.append(header.json.bytes)
        buffer.append(literal: "\n")
    }

    deinit { close(descriptor) }

    private static func open(_ path: String) throws(Problem) -> Int32 {
        func problem(_ text: String) -> Problem { Problem(description: "\(path): \(text)") }
        // Data about people may be in it.
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw problem(String(cString: strerror(errno))) }
        // Held as long as the file is open.
        guard csystem_lock(descriptor, 1, 0) != -EWOULDBLOCK else {
            close(descriptor)
            throw problem("another host records into it; name another file")
        }
        var status = stat()
        fstat(descriptor, &status)
        var first = [UInt8](repeating: 0, count: Self.mark.utf8.count)
        let count = first.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        let isOurs = isFile && (status.st_size == 0 || (count > 0 && first.elementsEqual(Self.mark.utf8)))
        // An older one may have another mode.
        guard !isOurs || fchmod(descriptor, 0o600) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw problem("it cannot be made private (mode 0600): \(reason); name another file")
        }
        guard isOurs, ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            close(descriptor)
            throw problem(isFile ? "it is no recording, and is not replaced; name another file" : "it is no file")
        }
        return descriptor
    }

    private static let mark = "{\"session\":"

    // MARK: Records

    /// Hides a secret wherever it stands in a line.
    ///
    /// - Parameters:
    ///   - secret: The secret; a short one is a common word rather, and is left.
    ///   - name: What stands in its place, in brackets.
    package func hide(_ secret: String, name: String) {
        secrets.add(secret, name: name)
        // The header may have it, and lines that came before a reload.
        if let hidden = secrets.hidden(in: buffer.bytes) {
            buffer.removeAll(keeping: 2 * Self.bufferLimit)
            buffer.append(hidden)
        }
    }

    /// How many bytes at the end of a piece of a line may be the beginning of a secret.
    package func countOfBegunSecret(_ piece: [UInt8]) -> Int { secrets.countOfBegun(atEndOf: piece) }

    /// Records a line.
    ///
    /// - Parameters:
    ///   - line: Its bytes, without LF.
    ///   - ends: The members `from` and `to` as text; see ``ends(from:to:)``.
    ///   - isPartial: Whether no LF ended it.
    package func record(_ line: UnsafeRawBufferPointer, _ ends: [UInt8], isPartial: Bool = false) {
        guard !isBroken else { return }
        buffer.append(beginning)
        buffer.append(ends)
        if let hidden = secrets.hidden(in: line) {
            hidden.withUnsafeBytes { buffer.append(rawMember: $0) }
        } else {
            buffer.append(rawMember: line)
        }
        if isPartial { buffer.append(literal: ",\"partial\":true") }
        end()
    }

    /// Records something other than a line.
    ///
    /// - Parameter members: The record's members, but for the time.
    package func record(_ members: [(String, JSON)]) {
        guard !isBroken else { return }
        // Without its braces: the time stands before the members.
        let text = Array(JSON.object(JSON.Object(members)).bytes.dropFirst().dropLast())
        buffer.append(beginning)
        buffer.append(text.withUnsafeBytes(secrets.hidden) ?? text)
        end()
    }

    /// The members that say between whom a line went.
    package static func ends(from: String, to: String) -> [UInt8] {
        Array("\"from\":\(JSON.string(from)),\"to\":\(JSON.string(to)),".utf8)
    }

    /// Reads the clock for the records that follow; those of a turn have one time.
    package func tick() {
        beginning.removeAll(keepingCapacity: true)
        beginning.append(literal: "{\"t\":")
        beginning.append(decimal: Clock.monotonic() - start)
        beginning.append(UInt8(ascii: ","))
    }

    private func end() {
        buffer.append(literal: "}\n")
        if buffer.count > Self.bufferLimit { flush() }
    }

    // MARK: The file

    /// Writes what waits.
    package func flush() {
        var rest = buffer.bytes
        while !rest.isEmpty, !isBroken {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                isBroken = true
                report("the recording \(path) ends here, it cannot be written: \(String(cString: strerror(errno)))")
            }
        }
        buffer.removeAll(keeping: 2 * Self.bufferLimit)
    }

    /// Records the end of the host; the recording is whole then.
    package func finish(exitCode: Int32) {
        record([("from", .string(Participant.host)), ("exit", .integer(Int64(exitCode)))])
        flush()
    }
}
