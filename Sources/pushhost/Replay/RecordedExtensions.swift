internal import Foundation

/// Bundles whose processes say what the recording has of them, so that a session runs where its extensions cannot.
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
    init(_ session: RecordedSession, root: String, _ folders: StandardFolders) throws(SessionRun.Failure) {
        guard session.hasExtensions else {
            throw .broken("its extensions are not recorded: it has requests and replies alone")
        }
        guard let program = realpath(folders.program, nil) else { throw .broken("this program is gone") }
        defer { free(program) }
        self.program = String(cString: program)
        self.session = session
        self.root = root
    }

    /// Writes the bundles.
    ///
    /// - Returns: Their folder.
    /// - Throws: Why they cannot be written.
    func write() throws -> String {
        let plugins = "\(root)/plugins"
        try FileManager.default.createDirectory(atPath: plugins, withIntermediateDirectories: true)
        for bundle in session.bundles {
            let isStarted = session.lines.contains { $0.peer == bundle.identifier }
            try bundle.write(into: plugins, program: isStarted ? script(for: bundle) : nil)
        }
        return plugins
    }

    private func script(for bundle: RecordedBundle) -> String {
        let words = [
            program, StandInCommand.name, session.path, bundle.identifier, "\(root)/starts-of-\(bundle.folder)",
        ]
        let quoted = words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
        return "#!/bin/sh\nexec \(quoted.joined(separator: " "))\n"
    }
}
