import Foundation
import TestSupport

/// A program in a pseudo-terminal of 100 columns, with `python3` as the terminal.
final class PushTerminal {
    private let process: ChildProcess
    /// The frames that were read, without escape sequences; the last one may be incomplete.
    private(set) var output = ""

    init(_ arguments: [String], _ folder: String, rows: Int = 40, _ own: [String: String] = [:]) throws {
        let python = try Tool.python.path()
        var environment = ProcessInfo.processInfo.environment.merging(
            ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "TMPDIR": folder, "HOME": folder]
        ) { $1 }
        environment["NO_COLOR"] = nil
        environment.merge(own) { $1 }
        let program = try hostCommand(unchecked: "push starts its own host")[0]
        let script = "\(repositoryRoot)/Tests/Fixtures/terminal/terminal.py"
        process = try ChildProcess(
            python,
            [script, "100", "\(rows)", program] + arguments,
            environment: environment
        )
    }

    /// Types keys.
    func type(_ keys: String) throws { try process.write(keys.utf8) }

    /// Waits until a frame contains all texts, and returns that frame.
    @discardableResult
    func wait(for texts: String...) throws -> String {
        while true {
            if let frame = frames.last(where: { frame in texts.allSatisfy(frame.contains) }) { return frame }
            guard let line = try process.readLine() else {
                throw TestFailure("the terminal ended without \(texts):\n\(frames.last ?? output)")
            }
            output += line + "\n"
        }
    }

    /// Forgets the frames so far.
    func forget() { output = "" }

    /// The frames that were drawn, as text.
    private var frames: [String] {
        output.components(separatedBy: "\u{1B}[H").map { $0.replacing(#/\u{1B}\[[0-9;?]*[A-Za-z]/#, with: "") }
    }

    /// Sends the terminal's program, or the terminal itself, a signal.
    func kill(_ signal: Int32) { process.kill(signal) }

    /// Waits for the end of the program.
    ///
    /// - Parameter keys: Keys to type before.
    /// - Returns: The exit code, 128 plus its number for a signal, and the output with its escape sequences.
    /// - Throws: That the program does not end.
    func end(typing keys: String = "") throws -> (code: ChildProcess.Status, output: String) {
        if !keys.isEmpty { try type(keys) }
        output += try process.readToEnd()
        return (try process.wait(), output)
    }
}
