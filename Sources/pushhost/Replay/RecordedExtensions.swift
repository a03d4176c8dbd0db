internal import Foundation
internal import HostClient
internal import Recording

/// Bundles that play the recorded extensions of a session, so that it runs without the real ones.
struct RecordedExtensions {
    private let session: RecordedSession
    private let root: String
    private let program: String

    /// Finds the recorded extensions of a session.
    ///
    /// - Parameters:
    ///   - session: A recording.
    ///   - root: The folder of this run.
    ///   - folders: The standard folders.
    /// - Throws: Why the recording has no extensions.
    init(_ session: RecordedSession, root: String, _ folders: StandardFolders) throws(ClientError) {
        guard session.hasExtensions else {
            throw .failed("its extensions are not recorded: it has only requests and replies")
        }
        guard let program = realpath(folders.program, nil) else {
            throw .failed("the file of this program no longer exists")
        }
        defer { free(program) }
        self.program = String(cString: program)
        self.session = session
        self.root = root
    }

    /// Writes the bundles, as they were when the host first read them.
    ///
    /// - Returns: The folders that hold them, one for each bundle, because two bundles may have folders of the same name.
    /// - Throws: Why they cannot be written.
    func write() throws -> [String] {
        var known: Set<String> = []
        let bundles = session.bundles.filter { known.insert($0.identifier).inserted }
        let folders = bundles.indices.map { "\(root)/plugins/\($0)" }
        for (bundle, folder) in zip(bundles, folders) {
            let isStarted = session.lines.contains { $0.peer == bundle.identifier }
            try bundle.write(into: folder, program: isStarted ? program(for: bundle, events: "\(folder)-events") : nil)
        }
        // A host without bundles needs an empty folder, or it would use the standard ones.
        try FileManager.default.createDirectory(atPath: "\(root)/plugins", withIntermediateDirectories: true)
        return folders.isEmpty ? ["\(root)/plugins"] : folders
    }

    /// The script that a bundle's executable consists of; the events of each process are in a file named by its number.
    private func program(for bundle: RecordedBundle, events folder: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let runs = RecordedRun.runs(of: bundle.identifier, in: session)
        for (index, run) in runs.enumerated() { try RecordedEvents.write(run, to: "\(folder)/\(index + 1)") }
        let words = [program, ExtensionPlayerCommand.name, folder, String(runs.count), bundle.identifier]
        let quoted = words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
        return "#!/bin/sh\nexec \(quoted.joined(separator: " "))\n"
    }
}
