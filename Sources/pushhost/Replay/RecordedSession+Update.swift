internal import Contract
internal import Foundation
internal import HostClient
internal import JSON
internal import Platform
internal import Recording

// Updating the file of a session.

extension RecordedSession {
    /// Replaces the recorded lines by those of a replay.
    ///
    /// - Parameters:
    ///   - replayed: The session that was run again.
    ///   - text: Its recording.
    ///   - plugins: The folders of bundles that replaced the recorded ones, if any did.
    /// - Returns: Whether anything changed.
    /// - Throws: Why nothing was written.
    func update(with replayed: RecordedSession, text: Data, plugins: [String]) throws(ClientError) -> Bool {
        let replies = replayed.lines.filter { $0.to == Participant.client }
        guard !replies.isEmpty else { throw .failed("the host wrote nothing to the client, so nothing is recorded") }
        var header = settings
        if !plugins.isEmpty {
            header.arguments =
                header.arguments.filter { !RecordedArguments.namesBundles($0) }
                + RecordedArguments.naming(plugins, fromFolderOf: path)
        }
        header.version = ContractDocuments.version
        header.hasEarlierSuites = false
        var bytes: [UInt8] = []
        if hasExtensions || self.header != nil || !plugins.isEmpty { bytes += header.json.bytes + [UInt8(ascii: "\n")] }
        if hasExtensions {
            bytes += text.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        } else {
            for reply in replies { bytes += reply.bytes + [UInt8(ascii: "\n")] }
        }
        let target = URL(fileURLWithPath: repliesPath ?? path).resolvingSymlinksInPath()
        // A file that would differ only in times is left unchanged.
        if let old = try? NamedFile.contents(at: target.path, limit: Self.sizeLimit),
            Self.withoutTimes(old) == Self.withoutTimes(bytes)
        {
            return false
        }
        do {
            try WholeFile.write(Data(bytes), to: target)
        } catch {
            throw .failed("\(target.path) cannot be written: \(SystemError.text(of: error))")
        }
        return true
    }

    /// The lines of a recording without the times with which its records begin.
    private static func withoutTimes(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.starts(with: #"{"t":"#.utf8) ? line.drop { $0 != UInt8(ascii: ",") } : line
        }
    }
}
