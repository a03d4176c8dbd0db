internal import Contract
package import JSON
internal import Platform

/// A recorded session: what the client wrote, and every other recorded line.
package struct RecordedSession {
    /// Why a file is not a session.
    package struct Problem: Error, CustomStringConvertible {
        /// The file, the line, what is wrong and what to do.
        package let description: String
    }

    /// The session's file.
    package let path: String
    /// The file of replies, if the session consists of requests and replies.
    package private(set) var repliesPath: String?
    /// How the host was started; nil if the files have no header.
    package private(set) var header: RecordingHeader?
    /// The exact bytes that the client wrote.
    package private(set) var input: [UInt8] = []
    /// The recorded lines; only the replies if the session consists of requests and replies.
    package private(set) var lines: [WireLine] = []
    /// The exit code of the host; nil if it was killed before it could record one.
    package private(set) var exitCode: Int32?

    /// Whether the host's connections to extensions are recorded too.
    package var hasExtensions: Bool { repliesPath == nil }
    /// Whether nothing is missing at its end.
    package var isComplete: Bool { exitCode != nil || repliesPath != nil }

    /// How to start the host: as the header says, or with a fixed clock and seed if there is none.
    package var settings: RecordingHeader {
        header
            ?? RecordingHeader(arguments: [], start: 1_767_225_600_000, isClockFixed: true, seed: 1, isLockStep: true)
    }

    // MARK: Reading a session from its file

    /// The suffix of the name of a file of replies.
    package static let repliesSuffix = ".replies.jsonl"
    private static let suffix = ".jsonl"
    /// The greatest size of a file in bytes: far more than a day's recording has.
    package static let sizeLimit = 1 << 30

    /// The file of requests to which a file of replies belongs; nil if the path is not that of a file of replies.
    package static func requests(ofReplies path: String) -> String? {
        path.hasSuffix(repliesSuffix) ? path.dropLast(repliesSuffix.count) + suffix : nil
    }

    /// The file of replies beside a file of requests.
    package static func replies(ofRequests path: String) -> String {
        String(path.dropLast(suffix.count)) + repliesSuffix
    }

    /// Reads a session: a recording, or request lines with a file of replies beside them.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mayLackReplies: Whether the file of replies may be missing.
    /// - Throws: Why it is not a session.
    package init(path: String, mayLackReplies: Bool = false) throws(Problem) {
        self.path = path
        let bytes = try Self.bytes(of: path)
        let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
        // A truncated header counts too, so that the error names it.
        let isRecording =
            first.starts(with: "{\"session\":".utf8) || (try? JSON(parsing: Array(first)))?["session"] != nil
        if isRecording { try read(recording: bytes) } else { input = bytes }
        guard input.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw Problem(
                description: "\(path): the client says nothing in it, so there is nothing to replay; record it again"
            )
        }
        if !isRecording { try readReplies(mayBeMissing: mayLackReplies) }
        let (version, own) = (settings.version, ContractDocuments.version)
        guard Self.major(version) == Self.major(own) else {
            throw Problem(
                description:
                    "\(path): it was recorded with version \(version) of the contract, and this program speaks \(own)"
            )
        }
    }

    /// The major version; recordings of different major versions cannot be compared.
    private static func major(_ version: String) -> Int? {
        version.split(separator: ".", omittingEmptySubsequences: false).first.flatMap { Int($0) }
    }

    private static func bytes(of path: String) throws(Problem) -> [UInt8] {
        do throws(NamedFile.Problem) {
            return try NamedFile.contents(at: path, limit: sizeLimit, awaitsPipes: true)
        } catch {
            throw Problem(description: "\(path): \(error.text)")
        }
    }

    // MARK: Request lines and their replies

    private mutating func readReplies(mayBeMissing: Bool) throws(Problem) {
        guard path.hasSuffix(Self.suffix) else {
            throw Problem(
                description:
                    "\(path): it is not a recording, and the name of a file of request lines ends in \(Self.suffix)"
            )
        }
        let replies = Self.replies(ofRequests: path)
        repliesPath = replies
        guard FileManager.default.fileExists(atPath: replies) else {
            if mayBeMissing { return }
            throw Problem(
                description: "\(replies): there is no such file; make it with pushhost replay --update \(path)"
            )
        }
        for (index, line) in try Self.lines(Self.bytes(of: replies)).enumerated() {
            if index == 0, let header = (try? JSON(parsing: line.bytes)).flatMap(RecordingHeader.init) {
                self.header = header
            } else {
                lines.append(
                    WireLine(number: index + 1, from: Participant.host, to: Participant.client, bytes: line.bytes)
                )
            }
        }
        guard mayBeMissing || !lines.isEmpty else {
            throw Problem(description: "\(replies): there is no reply in it; record it again")
        }
    }

    /// The lines of a file; `isWhole` says whether LF ends the line.
    private static func lines(_ bytes: [UInt8]) -> [(bytes: [UInt8], isWhole: Bool)] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { (bytes: Array($0), isWhole: true) }
        // What follows the last LF is a line only if it is not empty.
        if let last = lines.popLast(), !last.bytes.isEmpty { lines.append((last.bytes, false)) }
        return lines
    }

    // MARK: A recording

    private mutating func read(recording bytes: [UInt8]) throws(Problem) {
        for (index, line) in Self.lines(bytes).enumerated() {
            guard let record = try? JSON(parsing: line.bytes) else {
                // The host was killed while it wrote the last line.
                if !line.isWhole { break }
                throw problem(index + 1, "it is not JSON")
            }
            if index == 0 {
                guard let header = RecordingHeader(record) else {
                    throw problem(1, "the header needs version, arguments, clock or started, seed and lockStep")
                }
                self.header = header
            } else {
                try read(record, number: index + 1)
            }
        }
    }

    private mutating func read(_ record: JSON, number: Int) throws(Problem) {
        if let exit = record["exit"]?.integer { exitCode = Int32(truncatingIfNeeded: exit) }
        // Other records, such as those of bundles and of ends, are for people.
        guard let from = record["from"]?.string, let to = record["to"]?.string, record["ended"] == nil else { return }
        guard
            let bytes = record["raw"]?.string.map({ Array($0.utf8) })
                ?? record["base64"]?.string.flatMap({ Data(base64Encoded: $0) }).map({ Array($0) })
        else { throw problem(number, "a line needs raw or base64") }
        let isPartial = record["partial"]?.bool == true
        var line = WireLine(number: number, from: from, to: to, bytes: bytes, isPartial: isPartial)
        line.time = record["t"]?.integer
        lines.append(line)
        guard from == Participant.client else { return }
        input += bytes
        if !isPartial { input.append(UInt8(ascii: "\n")) }
    }

    private func problem(_ number: Int, _ text: String) -> Problem {
        Problem(description: "\(path):\(number): \(text)")
    }
}

/// A line between the host and its client or an extension.
package struct WireLine: Equatable {
    /// The number of the line in the file from which it was read.
    package let number: Int
    package let from: String
    package let to: String
    /// Its bytes without LF.
    package let bytes: [UInt8]
    /// Whether it has no LF at its end.
    package var isPartial = false
    /// In milliseconds since the host started; nil if the session has no times.
    package var time: Int64?

    package init(number: Int, from: String, to: String, bytes: [UInt8], isPartial: Bool = false) {
        self.number = number
        self.from = from
        self.to = to
        self.bytes = bytes
        self.isPartial = isPartial
    }

    /// The line as text, repaired where it is not UTF-8.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The line as a JSON value; nil if it is not JSON.
    package var json: JSON? { try? JSON(parsing: bytes) }

    /// Why the host cannot have written it; nil for a message or a batch, which it can.
    var invalidity: String? {
        guard let json else { return "it is not JSON" }
        let messages = json.messages
        return messages.isEmpty || messages.contains { $0.object == nil } ? "it is not a message" : nil
    }

    /// The participant at the other end of the host's connection.
    package var peer: String { from == Participant.host ? to : from }

    /// Whether it is on a connection, and not text that an extension wrote on its stderr.
    package var isMessage: Bool { to != Participant.standardError }

    package static func == (left: WireLine, right: WireLine) -> Bool {
        left.from == right.from && left.to == right.to && left.bytes == right.bytes
    }
}

extension JSON {
    /// The messages of a line: the members of a batch, or the value itself.
    package var messages: [JSON] { array.map { Swift.Array($0) } ?? [self] }
}
