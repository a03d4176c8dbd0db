import Foundation
import TestSupport

/// A folder with payloads, in which `pushhost pictures` runs.
struct PicturesRun {
    let folder: String

    /// Runs something in a new folder.
    static func use(_ body: (PicturesRun) throws -> Void) throws {
        try withTemporaryDirectory { try body(PicturesRun(folder: $0)) }
    }

    /// Runs `pictures` with the bundles of this repository, and with temporary files of its own, none of which may be left.
    func pictures(
        _ words: [String],
        bundles: String = "\(repositoryRoot)/plugins",
        environment: [String: String] = [:]
    ) throws -> CommandRun {
        try withTemporaryDirectory { other in
            let run = try CommandRun(
                ["pictures"] + words + ["--plugins", bundles],
                environment: PushRun.environment(other, environment),
                temporaryFolder: "\(other)/tmp",
                directory: folder
            )
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(other)/tmp")
            guard left == [] else { throw TestFailure("pictures left \(left)") }
            return run
        }
    }

    /// Accepts pictures.
    func accept(_ words: [String]) throws -> CommandRun {
        try CommandRun(["pictures", "accept", "--baseline", "accepted"] + words, directory: folder)
    }

    /// Writes a file, and the folders in which it is.
    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    /// Writes a file, and the folders in which it is.
    func write(_ data: Data, to name: String) throws {
        let file = URL(filePath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// Writes a payload that the system shows.
    func writeAlert(_ body: String, to name: String) throws {
        try write(#"{"aps":{"alert":{"title":"Title","body":"\#(body)"}}}"#, to: name)
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }

    /// The files in a folder and in its folders, each with its content.
    func files(in name: String) throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(name)")
        return names.reduce(into: [:]) { files, file in
            files[file] = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)/\(file)"))
        }
    }
}
