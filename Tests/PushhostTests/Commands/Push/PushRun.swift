import Foundation
import TestSupport

/// A run of `pushhost push` that is not at a terminal.
struct PushRun {
    let status: ChildProcess.Status
    let output: String
    let standardError: String

    /// Runs the command with its own temporary folder, which must be empty afterwards, and its own home.
    ///
    /// - Parameters:
    ///   - arguments: The words after `push`.
    ///   - input: What it reads from stdin.
    ///   - isShort: Whether the word `push` is left out.
    ///   - environment: Variables besides those of the test.
    /// - Throws: That the command left a file behind.
    init(
        _ arguments: [String],
        input: String = "",
        isShort: Bool = false,
        environment: [String: String] = [:]
    ) throws {
        self = try withTemporaryDirectory { temporary in
            let words = isShort ? arguments : ["push"] + arguments
            let run: PushRun
            if input.isEmpty {
                let surroundings = try Self.environment(temporary, environment)
                let command = try CommandRun(words, environment: surroundings, temporaryFolder: "\(temporary)/tmp")
                run = PushRun(status: command.status, output: command.output, standardError: command.standardError)
            } else {
                let process = try Self.start(words, temporary, environment)
                try process.write(input.utf8)
                process.closeInput()
                let output = try process.readToEnd()
                run = PushRun(status: try process.wait(), output: output, standardError: process.standardError)
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(temporary)/tmp")
            guard left == [] else { throw TestFailure("push left \(left)") }
            let data = "\(temporary)/home/.local"
            guard !FileManager.default.fileExists(atPath: data) else { throw TestFailure("push made \(data)") }
            return run
        }
    }

    private init(status: ChildProcess.Status, output: String, standardError: String) {
        (self.status, self.output, self.standardError) = (status, output, standardError)
    }

    static func start(
        _ arguments: [String],
        _ folder: String,
        _ own: [String: String] = [:]
    ) throws -> ChildProcess {
        try ChildProcess(
            try hostCommand(unchecked: "push starts its own host")[0],
            arguments,
            environment: environment(folder, own)
        )
    }

    /// The environment of a run whose home and temporary files are in a folder.
    private static func environment(_ folder: String, _ own: [String: String]) throws -> [String: String] {
        var environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
        for name in ["tmp", "home"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        environment["TMPDIR"] = "\(folder)/tmp"
        environment["HOME"] = "\(folder)/home"
        environment["XDG_DATA_HOME"] = nil
        for bundle in ["match-game", "register"] { _ = try builtProduct(bundle) }
        return environment
    }

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
