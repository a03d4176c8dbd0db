internal import Foundation
internal import HostClient
internal import Recording

/// Bundles whose processes write what the recording has of them, so that a session runs without its extensions.
struct RecordedExtensions {
    private let session: RecordedSession
    private let root: String
    private let program: String

    /// The recorded extensions of a session.
    ///
    /// - Parameters:
    ///   - session: A recording.
    ///   - root: A folder of this run.
    ///   - folders: Where things are.
    /// - Throws: Why there are none.
    init(_ session: RecordedSession, root: String, _ folders: StandardFolders) throws(ClientError) {
        guard session.hasExtensions else {
            throw .failed("its extensions are not recorded: it has requests and replies alone")
        }
        guard let program = realpath(folders.program, nil) else { throw .failed("this program is gone") }
        defer { free(program) }
        self.program = String(cString: program)
        self.session = session
        self.root = root
    }

    /// Writes the bundles, as they were when the host first read them.
    ///
    /// - Returns: The folders that hold them, one each: two bundles may have folders of one name.
    /// - Throws: Why they cannot be written.
    func write() throws -> [String] {
        var known: Set<String> = []
        let bundles = session.bundles.filter { known.insert($0.identifier).inserted }
        let folders = bundles.indices.map { "\(root)/plugins/\($0)" }
        for (bundle, folder) in zip(bundles, folders) {
            let isStarted = session.lines.contains { $0.peer == bundle.identifier }
            try bundle.write(into: folder, program: isStarted ? program(for: bundle, events: "\(folder)-events") : nil)
        }
        // Where none was known there must be none now.
        try FileManager.default.createDirectory(atPath: "\(root)/plugins", withIntermediateDirectories: true)
        return folders.isEmpty ? ["\(root)/plugins"] : folders
    }

    /// What a bundle starts; the events of each of its processes are in a file by its number.
    private func program(for bundle: RecordedBundle, events folder: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let runs = RecordedRun.runs(of: bundle.identifier, in: session)
        for (index, run) in runs.enumerated() { try RecordedEvents.write(run, to: "\(folder)/\(index + 1)") }
        let words = [program, ExtensionPlayerCommand.name, folder, String(runs.count), bundle.identifier]
        let quoted = words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
        return "#!/bin/sh\nexec \(quoted.joined(separator: " "))\n"
    }
}
