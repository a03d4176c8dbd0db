import Foundation
import TestSupport

/// The command lines that a page shows in its code blocks of the language `console`, with their output.
///
/// A line that starts with `$ ` is a command, and one that starts with `> ` continues it. The other lines are the
/// output of the command before them, stderr included; `…` stands for any text, and a line of it for any lines. A
/// command that is followed by no output may print anything. Every command must exit with 0.
struct PageConsole {
    struct Example {
        var command: String
        var output: [String] = []
    }

    let examples: [Example]

    init(_ page: Page) {
        var examples: [Example] = []
        for line in page.blocks("console").flatMap({
            $0.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        }) {
            if line.hasPrefix("$ ") {
                examples.append(Example(command: String(line.dropFirst(2))))
            } else if line.hasPrefix("> "), let last = examples.indices.last, examples[last].output.isEmpty {
                examples[last].command += "\n" + line.dropFirst(2)
            } else if let last = examples.indices.last {
                examples[last].output.append(String(line))
            }
        }
        self.examples = examples
    }

    /// Runs the commands one after the other in one shell, which starts in a folder, and describes those that do not do
    /// what the page shows.
    func findings(in folder: String, environment: [String: String]) throws -> [String] {
        let shell = try ChildProcess("/bin/bash", environment: environment, directory: folder)
        var findings: [String] = []
        for (index, example) in examples.enumerated() {
            let mark = "end of example \(index) of \(UUID().uuidString)"
            try shell.write("{\n\(example.command)\n} < /dev/null 2>&1; printf '%s %s\\n' '\(mark)' $?\n".utf8)
            var printed: [String] = []
            var code = "none"
            while let line = try shell.readLine() {
                guard let range = line.range(of: "\(mark) ") else {
                    printed.append(line)
                    continue
                }
                // What the command printed last may lack a newline.
                if range.lowerBound > line.startIndex { printed.append(String(line[..<range.lowerBound])) }
                code = String(line[range.upperBound...])
                break
            }
            if code != "0" || !Self.matches(printed, example.output) {
                let text = printed.joined(separator: "\n")
                findings.append("$ \(example.command)\nexited with \(code) and printed\n\(text)")
            }
        }
        return findings
    }

    /// Whether lines are as a page shows them.
    static func matches(_ lines: [String], _ shown: [String]) -> Bool {
        guard !shown.isEmpty else { return true }
        let patterns = shown.map { line in
            guard line != "…" else { return "(?:[^\n]*\n)*?" }
            let parts = line.components(separatedBy: "…").map(NSRegularExpression.escapedPattern(for:))
            return parts.joined(separator: "[^\n]*?") + "\n"
        }
        let text = lines.map { $0 + "\n" }.joined()
        return text.range(of: "^\(patterns.joined())$", options: .regularExpression) == text.startIndex..<text.endIndex
    }
}
