import Foundation
import TestSupport

extension CommandRun {
    /// Runs `push` with its own temporary folder, which must be empty afterwards, and its own home.
    ///
    /// - Parameters:
    ///   - arguments: The words after `push`.
    ///   - input: What it reads from stdin.
    ///   - isShort: Whether the word `push` is left out.
    ///   - environment: Variables besides those of the test.
    /// - Returns: What it printed.
    /// - Throws: That the command left a file behind.
    static func push(
        _ arguments: [String],
        input: String = "",
        isShort: Bool = false,
        environment: [String: String] = [:]
    ) throws -> CommandRun {
        try withTemporaryDirectory { folder in
            let run = try CommandRun(
                isShort ? arguments : ["push"] + arguments,
                input: input,
                environment: PushRun.environment(folder, environment),
                temporaryFolder: "\(folder)/tmp"
            )
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/tmp")
            guard left == [] else { throw TestFailure("push left \(left)") }
            let data = "\(folder)/home/.local"
            guard !FileManager.default.fileExists(atPath: data) else { throw TestFailure("push made \(data)") }
            return run
        }
    }

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

/// Commands that run with a folder for their home and their temporary files.
enum PushRun {
    /// Starts a command in this process.
    static func start(_ arguments: [String], _ folder: String) throws -> ChildProcess {
        try ChildProcess.command(arguments, environment: environment(folder), temporaryFolder: "\(folder)/tmp")
    }

    /// Starts the program.
    static func startProgram(_ arguments: [String], _ folder: String, _ own: [String: String] = [:]) throws
        -> ChildProcess
    {
        try ChildProcess(
            try hostCommand(unchecked: "push starts its own host")[0],
            arguments,
            environment: environment(folder, own)
        )
    }

    /// The environment of a run whose home and temporary files are in a folder.
    static func environment(_ folder: String, _ own: [String: String] = [:]) throws -> [String: String] {
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
}
