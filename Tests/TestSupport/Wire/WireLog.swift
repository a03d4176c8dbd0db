import Foundation
import Synchronization

/// The recordings of the hosts that one test starts.
public final class WireLog: Sendable {
    /// That of the test that runs; nothing where its suite does not carry ``Testing/Trait/wire``.
    @TaskLocal public static var current: WireLog?

    private let folder: String
    private let promised = Mutex<[String]>([])

    /// A log in a folder of its own.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pushhost-wire-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// A place for the recording of a host that is started next, which must then write one.
    func file() -> String {
        promised.withLock { files in
            files.append("\(folder)/\(files.count + 1).session.jsonl")
            return files[files.count - 1]
        }
    }

    /// An executable that becomes the host with a recording of its own, for programs that start hosts themselves.
    ///
    /// A judge, a replay and a page of help serve nobody.
    func executable(of program: String) throws -> String {
        let path = "\(folder)/pushhost"
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        let script = """
            #!/bin/sh
            case "$1" in
            extensions|replay|help|--help|-h|--version) exec '\(program)' "$@" ;;
            *) exec '\(program)' "$@" --record '\(folder)'/client-$$.session.jsonl ;;
            esac

            """
        try writeExecutable(script, to: path)
        return path
    }

    /// What the documents lack of all that was recorded; the recordings stay where there is any such thing.
    func close() throws -> [String] {
        let found = try FileManager.default.contentsOfDirectory(atPath: folder)
        let files = Set(found.filter { $0.hasSuffix(".jsonl") }.map { "\(folder)/\($0)" })
        var findings = promised.withLock { $0 }.filter { !files.contains($0) }
            .map { "a host was started and did not record its wires in \($0)" }
        for file in files.sorted() {
            findings += try WireCheck.findings(in: try Data(contentsOf: URL(filePath: file)))
                .map { "\(file), \($0)" }
        }
        if findings.isEmpty { try FileManager.default.removeItem(atPath: folder) }
        return findings
    }
}
