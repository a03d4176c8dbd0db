import Foundation
import JSON
import TestSupport
import Testing

/// A command about suites that has run.
struct OutboxRun {
    let status: ChildProcess.Status
    let output: String
    let standardError: String

    /// Runs a command with the folders of a workspace.
    init(_ arguments: [String], _ workspace: Workspace, environment: [String: String]? = nil) throws {
        try self.init(command: arguments + workspace.arguments(), environment: environment)
    }

    /// Runs a command that names its folders itself.
    init(command: [String], environment: [String: String]? = nil) throws {
        let run = try CommandRun(command, environment: environment ?? ProcessInfo.processInfo.environment)
        (status, output, standardError) = (run.status, run.output, run.standardError)
    }

    static func start(
        _ arguments: [String],
        _ workspace: Workspace,
        environment: [String: String]? = nil
    ) throws -> ChildProcess {
        let command = try command(arguments, workspace)
        return try ChildProcess(command[0], Array(command.dropFirst()), environment: environment)
    }

    /// The whole command line.
    static func command(_ arguments: [String], _ workspace: Workspace) throws -> [String] {
        try hostCommand(arguments + workspace.arguments(), unchecked: "the command is a client and starts its host")
    }

    /// The lines of JSON that it printed.
    var json: [JSON] {
        get throws { try output.split(separator: "\n").map { try JSON(parsing: String($0)) } }
    }

    /// The lines of the table that it printed, each without repeated spaces.
    var rows: [String] {
        output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    }
}
