import Foundation
import HostClient
import JSON
import Terminal
import TestSupport

import enum Platform.Paths
import struct Platform.TemporaryFolder

@testable import pushhost

/// A command that ran in this process, with a console and surroundings of its own; the hosts that it starts are real.
struct CommandRun {
    let status: ChildProcess.Status
    let output: String
    let standardError: String

    /// Runs a command line to its end, with a text for its stdin; see ``ChildProcess/command``.
    init(
        _ words: [String],
        input: String = "",
        environment: [String: String] = ProcessInfo.processInfo.environment,
        program: String? = nil,
        temporaryFolder: String = TemporaryFolder.parent,
        directory: String? = nil,
        terminal: Pseudoterminal? = nil,
        outputError: Int32? = nil
    ) throws {
        let command = try ChildProcess.command(
            words,
            environment: environment,
            program: program,
            temporaryFolder: temporaryFolder,
            directory: directory,
            terminal: terminal,
            outputError: outputError
        )
        try self.init(command, input: input, endsInput: terminal == nil)
    }

    /// Waits for the end of a command, or of a process, after it was given a text for its stdin.
    init(_ command: ChildProcess, input: String = "", endsInput: Bool = true) throws {
        // A command that ends without reading its stdin is no failure.
        try? command.write(input.utf8)
        if endsInput { command.closeInput() }
        output = try command.readToEnd()
        status = try command.wait()
        standardError = command.standardError
    }

    /// Runs a command line with a temporary folder that must be empty afterwards.
    static func leavingNothing(
        _ words: [String],
        input: String = "",
        environment: [String: String] = [:]
    ) throws -> CommandRun {
        try withTemporaryDirectory { folder in
            let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let run = try CommandRun(words, input: input, environment: all, temporaryFolder: folder)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            guard left == [] else { throw TestFailure("\(words.joined(separator: " ")) left \(left)") }
            return run
        }
    }

    /// Runs a command about suites with the folders of a workspace.
    init(_ words: [String], _ workspace: Workspace, terminal: Pseudoterminal? = nil) throws {
        try self.init(words + workspace.arguments(), terminal: terminal)
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

extension ChildProcess {
    /// Starts a command on a thread of this process.
    ///
    /// Only what belongs to a process needs one: exit by a signal, closed descriptors, job control, a lock of a file.
    ///
    /// - Parameters:
    ///   - words: The words after the program's name.
    ///   - environment: All variables of the command and its hosts; by default those of the tests.
    ///   - program: The path that starts the program again; by default that of the built one.
    ///   - temporaryFolder: Where the command makes temporary folders.
    ///   - directory: The folder from which relative paths lead; by default that of the tests.
    ///   - terminal: The terminal at stdin, stdout and stderr; nil for none.
    ///   - outputError: The error number with which each write to stdout fails.
    /// - Returns: The command, with which a test talks as with a process.
    /// - Throws: That the program is not built.
    static func command(
        _ words: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        program: String? = nil,
        temporaryFolder: String = TemporaryFolder.parent,
        directory: String? = nil,
        terminal: Pseudoterminal? = nil,
        outputError: Int32? = nil
    ) throws -> ChildProcess {
        let environment = Runtime.environment(environment).merging(["TMPDIR": temporaryFolder]) { $1 }
        let program = try program ?? hostCommand(unchecked: "the command is a client and starts its host")[0]
        let signals = try makePipe()
        let sender = FileHandle(fileDescriptor: signals.writeEnd, closeOnDealloc: true)
        let pipes = terminal == nil ? [try makePipe(), try makePipe()] : []
        let (input, output) = terminal.map { ($0.peer, $0.peer) } ?? (pipes[0].readEnd, pipes[1].writeEnd)
        return try ChildProcess(
            thread: words.first ?? "pushhost",
            input: terminal.map { fcntl($0.keys, F_DUPFD_CLOEXEC, 3) } ?? pipes[0].writeEnd,
            output: terminal?.drawn() ?? pipes[1].readEnd,
            signal: { number in
                var byte = UInt8(number)
                _ = Foundation.write(sender.fileDescriptor, &byte, 1)
            }
        ) { errors in
            var context = CommandContext()
            (context.program, context.variables) = (program, environment)
            (context.input, context.screen) = (input, output)
            context.makeSignals = { SignalSource(descriptor: signals.readEnd) }
            var capabilities = TerminalCapabilities(environment: environment, input: input, output: output)
            if terminal == nil { capabilities.isInteractive = false }
            let error = terminal?.peer ?? errors
            context.console = Console(
                output: { bytes in
                    guard let outputError else { return Foundation.write(output, bytes.baseAddress, bytes.count) }
                    errno = outputError
                    return -1
                },
                error: { Foundation.write(error, $0.baseAddress, $0.count) },
                terminal: capabilities
            )
            defer { for descriptor in Set([input, output, signals.readEnd]) { close(descriptor) } }
            return CommandContext.$current.withValue(context) {
                TemporaryFolder.$parent.withValue(temporaryFolder) {
                    Paths.$ownFolder.withValue(directory) { Pushhost.run(words) }
                }
            }
        }
    }

    /// Reads lines until one contains a text.
    func awaitLine(_ text: String) throws {
        while let line = try readLine() { if line.contains(text) { return } }
        throw TestFailure("\(text) is not printed; \(standardError)")
    }

    /// Waits until stderr contains a text.
    func awaitError(_ text: String) throws {
        try Processes.wait(for: text) { standardError.contains(text) }
    }
}
