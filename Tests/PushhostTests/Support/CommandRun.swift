import Foundation
import HostClient
import Synchronization
import Terminal
import TestSupport

import struct Platform.TemporaryFolder

@testable import pushhost

/// A command that ran in this process, with a console and surroundings of its own; the hosts that it starts are real.
///
/// What a command does with its stdin, with signals or with a terminal's keys needs a process.
struct CommandRun {
    let status: ChildProcess.Status
    let output: String
    let standardError: String

    /// Runs a command line.
    ///
    /// - Parameters:
    ///   - words: The words after the program's name.
    ///   - environment: All variables of the command and its hosts; by default those of the tests.
    ///   - temporaryFolder: Where the command makes temporary folders.
    ///   - terminal: The terminal at stdout and stderr; nil for none.
    ///   - outputError: The error number with which each write to stdout fails.
    /// - Throws: That the program is not built.
    init(
        _ words: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        temporaryFolder: String = TemporaryFolder.parent,
        terminal: TerminalCapabilities? = nil,
        outputError: Int32? = nil
    ) throws {
        let (output, error) = (Received(), Received())
        var context = CommandContext()
        context.console = Console(
            output: { bytes in
                if let outputError {
                    errno = outputError
                    return -1
                }
                return output.append(bytes)
            },
            error: { error.append($0) },
            terminal: terminal ?? .none(environment)
        )
        context.program = try hostCommand(unchecked: "the command is a client and starts its host")[0]
        context.variables = environment.merging(["TMPDIR": temporaryFolder]) { $1 }
        context.makeSignals = { .none }
        let code = CommandContext.$current.withValue(context) {
            TemporaryFolder.$parent.withValue(temporaryFolder) { Pushhost.run(words) }
        }
        status = .code(code)
        (self.output, standardError) = (output.text, error.text)
    }

    /// Runs a command line with a temporary folder that must be empty afterwards.
    static func leavingNothing(_ words: [String], environment: [String: String] = [:]) throws -> CommandRun {
        try withTemporaryDirectory { folder in
            let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let run = try CommandRun(words, environment: all, temporaryFolder: folder)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            guard left == [] else { throw TestFailure("\(words.joined(separator: " ")) left \(left)") }
            return run
        }
    }
}

extension TerminalCapabilities {
    /// A pipe in place of a terminal.
    fileprivate static func none(_ environment: [String: String]) -> TerminalCapabilities {
        var terminal = TerminalCapabilities(environment: environment, input: -1, output: -1)
        terminal.isInteractive = false
        return terminal
    }
}

/// The bytes that a command wrote.
private final class Received: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func append(_ new: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.withLock { $0 += new }
        return new.count
    }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
