internal import Foundation

/// The text that the compiler prints if it fails.
enum CompilerOutput {
    /// The text without the errors that are there twice.
    ///
    /// The compiler repeats an error for each file that needs the declaration, and an unknown type of an outlet is also
    /// unknown where the copy registers the outlet, in the same line.
    static func withoutRepetitions(_ text: String) -> String {
        // That the module was not made either tells nothing more.
        var known: Set = ["error: emit-module command failed with exit code 1 (use -v to see invocation)\n"]
        var lines: Set<Substring> = []
        var kept: [String] = []
        for group in groups(text.trimmingCharacters(in: .newlines)) where known.insert(group.text).inserted {
            let isGenerated =
                group.text.split(separator: "\n").dropFirst().first?.hasPrefix("PhoneObject.register(") == true
            if let line = group.line {
                guard !(isGenerated && lines.contains(line)) else { continue }
                lines.insert(line)
            }
            kept.append(group.text)
        }
        return kept.joined()
    }

    /// An error with its lines and the notes behind it.
    private struct Group {
        /// The path and the line; nil if it has none.
        let line: Substring?
        var text: String
    }

    private static func groups(_ text: String) -> [Group] {
        var groups: [Group] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let place = line.firstMatch(of: #/^(.+:\d+):\d+: (?:error|warning): /#)?.1
            if place != nil || line.hasPrefix("error: ") || line.hasPrefix("<unknown>:0: ") || groups.isEmpty {
                groups.append(Group(line: place, text: ""))
            }
            groups[groups.count - 1].text += "\(line)\n"
        }
        return groups
    }
}
