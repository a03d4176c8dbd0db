import Foundation
import TestSupport

/// A run of the program with a command that is a client.
struct ExtensionsRun {
    let status: ChildProcess.Status
    let output: String
    let standardError: String

    /// Runs the program with its own temporary folder, which must be empty afterwards.
    init(_ arguments: [String], environment own: [String: String] = [:]) throws {
        let run = try CommandRun.leavingNothing(arguments, environment: own)
        (status, output, standardError) = (run.status, run.output, run.standardError)
    }
}
