internal import Contract
package import Foundation
package import JSON
internal import Platform

/// A recorded session: what the client wrote, and every other recorded line.
package struct RecordedSession {
    /// Why a file is not a session.
    package struct Problem: Error, CustomStringConvertible {
        /// The file, the line, what is wrong and what to do.
        package let description: String
    }

    /// The end of an extension's process, or of its stdout.
    package struct End {
        package let extensionIdentifier: String
        /// The number of ``lines`` before it.
        package let position: Int
        package let event: RecordedRun.Event
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
    /// The ends of extensions' processes.
    package private(set) var ends: [End] = []
    /// The bundles that the host knew.
    package private(set) var bundles: [RecordedBundle] = []
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
        if let bundle = record["bundle"] {
            guard let bundle = RecordedBundle(bundle) else {
                throw problem(
                    number,
                    "the bundle needs identifier, folder, executable and files, with paths within the folder"
                )
            }
            bundles.append(bundle)
        }
        guard let from = record["from"]?.string else { return }
        if let event = RecordedRun.Event(endOf: record) {
            return ends.append(End(extensionIdentifier: from, position: lines.count, event: event))
        }
        guard let to = record["to"]?.string else { return }
        guard
            let bytes = record["raw"]?.string.map({ Array($0.utf8) })
                ?? record["base64"]?.string.flatMap({ Data(base64Encoded: $0) }).map({ Array($0) })
        else { throw problem(number, "a line needs raw or base64") }
        let isPartial = record["partial"]?.bool == true
        lines.append(WireLine(number: number, from: from, to: to, bytes: bytes, isPartial: isPartial))
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

/// A bundle in a recording: its property lists and localized texts.
package struct RecordedBundle {
    package let identifier: String
    /// The name of its folder.
    package let folder: String
    /// `CFBundleExecutable`.
    package let executable: String
    /// The contents of its files, by path within the folder.
    package let files: [(path: String, content: Data)]

    package init?(_ value: JSON) {
        guard let identifier = value["identifier"]?.string, let folder = value["folder"]?.string,
            let executable = value["executable"]?.string, let files = value["files"]?.object,
            // A path must not lead out of the folder into which the bundle is written.
            ([folder, executable] + files.flatMap { $0.name.split(separator: "/").map(String.init) })
                .allSatisfy({ !["", ".", ".."].contains($0) }),
            !folder.contains("/"), !executable.contains("/")
        else { return nil }
        self.identifier = identifier
        self.folder = folder
        self.executable = executable
        self.files = files.compactMap { path, content in
            let data =
                content.string.map { Data($0.utf8) } ?? content["base64"]?.string.flatMap { Data(base64Encoded: $0) }
            return data.map { (path, $0) }
        }
    }

    /// Writes the bundle into a folder of bundles.
    ///
    /// - Parameters:
    ///   - root: The folder.
    ///   - program: The content of its executable; nil if it is never started.
    /// - Throws: Why a file cannot be written.
    package func write(into root: String, program: String?) throws {
        let manager = FileManager.default
        for (path, content) in files {
            let file = URL(fileURLWithPath: "\(root)/\(folder)/\(path)")
            try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try content.write(to: file)
        }
        guard let program else { return }
        let file = "\(root)/\(folder)/\(executable)"
        try Data(program.utf8).write(to: URL(fileURLWithPath: file))
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }
}

/// What one process of an extension received and wrote, from its start to its end.
package struct RecordedRun {
    /// What happened to the process or what it did.
    package enum Event {
        /// The host sent it a message.
        case received(WireLine)
        /// It wrote a line on stdout.
        case wroteOutput(WireLine)
        /// It wrote a line on stderr.
        case wroteError(WireLine)
        /// It closed its stdout.
        case closedOutput
        /// It exited.
        case exited(Int32)
        /// A signal ended it that the host did not send.
        case killed(Int32)
        /// A signal of the host ended it.
        case stopped

        /// The event of a record about the end of a process or of its stdout; nil for another record.
        package init?(endOf record: JSON) {
            let end = record["ended"]
            if record["closed"] != nil {
                self = .closedOutput
            } else if let code = end?["exitCode"]?.integer {
                self = .exited(Int32(truncatingIfNeeded: code))
            } else if let signal = end?["signal"]?.integer.map({ Int32(truncatingIfNeeded: $0) }) {
                self = end?["stopped"] == true ? .stopped : .killed(signal)
            } else if end != nil {
                self = .stopped
            } else {
                return nil
            }
        }
    }

    package private(set) var events: [Event] = []

    /// The processes of an extension in a recording, in the order of their starts.
    package static func runs(of identifier: String, in session: RecordedSession) -> [RecordedRun] {
        var runs: [RecordedRun] = []
        var ends = session.ends.filter { $0.extensionIdentifier == identifier }[...]
        func appendEnds(before position: Int) {
            while let end = ends.first, end.position <= position {
                ends.removeFirst()
                guard !runs.isEmpty else { continue }
                runs[runs.count - 1].events.append(end.event)
            }
        }
        for (position, line) in session.lines.enumerated() where line.peer == identifier || line.from == identifier {
            appendEnds(before: position)
            // `activate` is the first call to every process.
            if line.from == Participant.host, line.json?["method"]?.string == "activate" { runs.append(RecordedRun()) }
            guard !runs.isEmpty else { continue }
            let event: Event =
                line.from == Participant.host
                ? .received(line) : line.isMessage ? .wroteOutput(line) : .wroteError(line)
            runs[runs.count - 1].events.append(event)
        }
        appendEnds(before: .max)
        return runs
    }
}
