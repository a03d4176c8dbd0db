import Foundation
import TestSupport

/// A run of the program with a command that is a client.
struct ExtensionsRun {
    let status: ChildProcess.Status
    let output: String
    let standardError: String

    /// Runs the program with its own temporary folder, which must be empty afterwards.
    init(_ arguments: [String], environment own: [String: String] = [:]) throws {
        (status, output, standardError) = try withTemporaryDirectory { temporary in
            var environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
            environment["TMPDIR"] = temporary
            let process = try ChildProcess(
                try hostCommand(unchecked: "a command is a client and starts its host")[0],
                arguments,
                environment: environment
            )
            process.closeInput()
            let output = try process.readToEnd()
            let status = try process.wait()
            let left = try FileManager.default.contentsOfDirectory(atPath: temporary)
            guard left == [] else { throw TestFailure("the command left \(left)") }
            return (status, output, process.standardError)
        }
    }
}
