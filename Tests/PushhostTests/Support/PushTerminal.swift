import Foundation
import TestSupport

/// A terminal of 100 columns with a command that draws frames.
final class PushTerminal {
    private let command: ChildProcess
    private let terminal: Pseudoterminal?
    /// What was read, with its escape sequences.
    private(set) var output = ""
    /// The frames that were read, as text; the last one may be incomplete.
    private var frames = [""]

    /// Runs a command of this process at the terminal.
    init(_ arguments: [String], _ folder: String, rows: Int = 40, _ own: [String: String] = [:]) throws {
        terminal = try Pseudoterminal(columns: 100, rows: rows)
        command = try ChildProcess.command(
            arguments,
            environment: Self.environment(folder, own),
            temporaryFolder: folder,
            terminal: terminal
        )
    }

    /// Runs the program as a job of the terminal, which a shell in Python continues when it stops.
    init(job arguments: [String], _ folder: String) throws {
        let program = try hostCommand(unchecked: "push starts its own host")[0]
        terminal = nil
        let script = "\(repositoryRoot)/Tests/Fixtures/terminal/terminal.py"
        command = try ChildProcess(
            try Tool.python.path(),
            [script, "100", "40", program] + arguments,
            environment: Self.environment(folder, [:])
        )
    }

    private static func environment(_ folder: String, _ own: [String: String]) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment.merging(
            ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "TMPDIR": folder, "HOME": folder]
        ) { $1 }
        environment["NO_COLOR"] = nil
        return environment.merging(own) { $1 }
    }

    /// Types keys.
    func type(_ keys: String) throws { try command.write(keys.utf8) }

    /// Waits until a frame contains all texts, and returns that frame.
    @discardableResult
    func wait(for texts: String...) throws -> String {
        var fresh = frames[...]
        while true {
            if let frame = fresh.last(where: { frame in texts.allSatisfy(frame.contains) }) { return frame }
            guard let line = try command.readLine() else {
                throw TestFailure("the terminal ended without \(texts):\n\(frames.last ?? output)")
            }
            output += line + "\n"
            let old = frames.count
            for (number, part) in "\(line)\n".components(separatedBy: "\u{1B}[H").enumerated() {
                if number > 0 { frames.append("") }
                frames[frames.count - 1] += part.replacing(#/\u{1B}\[[0-9;?]*[A-Za-z]/#, with: "")
            }
            // Looking at all of them again would be too slow for the deadlines of an extension that draws frame after frame.
            fresh = frames[(old - 1)...]
        }
    }

    /// Forgets the frames so far.
    func forget() { (output, frames) = ("", [""]) }

    /// Sends the command a signal.
    func kill(_ signal: Int32) { command.kill(signal) }

    /// Makes the terminal 40 columns narrower.
    func narrow() {
        terminal?.resize(columns: 60, rows: 40)
        command.kill(SIGWINCH)
    }

    /// Waits for the end of the program.
    ///
    /// - Parameter keys: Keys to type before.
    /// - Returns: The exit code, 128 plus its number for a signal, and the output with its escape sequences.
    /// - Throws: That the program does not end.
    func end(typing keys: String = "") throws -> (code: ChildProcess.Status, output: String) {
        if !keys.isEmpty { try type(keys) }
        output += try command.readToEnd()
        return (try command.wait(), output)
    }
}
