import Foundation
import Synchronization

/// The recordings of the hosts that one test starts.
public final class WireLog: Sendable {
    /// The log of the running test; nil if its suite does not have ``Testing/Trait/wire``.
    @TaskLocal public static var current: WireLog?

    private let folder: String
    private let expectedFiles = Mutex<[String]>([])

    /// Creates a log with a folder of its own.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pushhost-wire-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Returns a new path for the recording of a host; the check fails if that host does not write it.
    func newRecordingPath() -> String {
        expectedFiles.withLock { files in
            files.append("\(folder)/\(files.count + 1).session.jsonl")
            return files[files.count - 1]
        }
    }

    /// Creates a script that executes the host with a recording of its own, for programs that start hosts themselves.
    ///
    /// It does not record the commands that serve no client.
    func recordingScript(for program: String) throws -> String {
        let path = "\(folder)/pushhost"
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        let script = """
            #!/bin/sh
            case "$1" in
            extensions|lsp|preview|replay|help|--help|-h|--version) exec '\(program)' "$@" ;;
            *) exec '\(program)' "$@" --record '\(folder)'/client-$$.session.jsonl ;;
            esac

            """
        try writeExecutable(script, to: path)
        return path
    }

    /// Checks all recordings and returns the findings; removes the recordings unless there are any.
    func close() throws -> [String] {
        let entries = try FileManager.default.contentsOfDirectory(atPath: folder)
        let files = Set(entries.filter { $0.hasSuffix(".jsonl") }.map { "\(folder)/\($0)" })
        let expected = expectedFiles.withLock { $0 }
        var findings = expected.filter { !files.contains($0) }
            .map { "a host was started, but did not write its recording \($0)" }
        for file in files.sorted() {
            let data = try Data(contentsOf: URL(filePath: file))
            // A client that kills its host at once leaves no recording, or one to which nothing was written yet.
            guard !data.isEmpty || expected.contains(file) else { continue }
            findings += try WireCheck.findings(in: data).map { "\(file), \($0)" }
        }
        if findings.isEmpty { try FileManager.default.removeItem(atPath: folder) }
        return findings
    }
}
