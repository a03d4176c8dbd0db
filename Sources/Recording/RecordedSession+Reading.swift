internal import Contract
internal import Foundation
internal import JSON
internal import Platform

// Reading a session from its file.

extension RecordedSession {
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
