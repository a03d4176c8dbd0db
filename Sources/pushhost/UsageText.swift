internal import ArgumentParser

/// The usage of a command as errors and help show it.
enum UsageText {
    private static let columns = 80

    /// Wraps the usage in a text of the parser, which wraps everything else itself.
    static func wrapped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("USAGE: ") || $0.hasPrefix("Usage: ") ? wrapped(line: $0) : String($0) }
            .joined(separator: "\n")
    }

    /// The last lines of an error about a command.
    static func lines(for command: any ParsableCommand.Type) -> String {
        let usage = wrapped("Usage: \(Pushhost.usageString(for: command))")
        let words = words(of: command, in: [Pushhost.self]) ?? ["pushhost"]
        return "\(usage)\n  See '\(words.joined(separator: " ")) --help' for more information."
    }

    private static func wrapped(line: Substring) -> String {
        let indent = String(repeating: " ", count: "Usage: ".count)
        var (lines, current) = ([String](), "")
        for part in parts(of: line) {
            if !current.isEmpty, current.count + 1 + part.count > columns {
                lines.append(current)
                current = indent + part
            } else {
                current += current.isEmpty ? part : " " + part
            }
        }
        return (lines + [current]).joined(separator: "\n")
    }

    /// The words of a usage; an option in brackets and its value are one.
    private static func parts(of line: Substring) -> [String] {
        var parts: [String] = []
        var isOpen = false
        for word in line.split(separator: " ") {
            if isOpen, let last = parts.popLast() {
                parts.append("\(last) \(word)")
            } else {
                parts.append(String(word))
            }
            if word.hasPrefix("["), word.last != "]" { isOpen = true }
            if word.last == "]" { isOpen = false }
        }
        return parts
    }

    /// The words that start a command.
    private static func words(
        of command: any ParsableCommand.Type,
        in path: [any ParsableCommand.Type]
    ) -> [String]? {
        guard let last = path.last else { return nil }
        if last == command { return path.compactMap { $0.configuration.commandName } }
        return last.configuration.subcommands.lazy.compactMap { words(of: command, in: path + [$0]) }.first
    }
}
