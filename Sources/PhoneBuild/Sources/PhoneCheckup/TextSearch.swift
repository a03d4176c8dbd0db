internal import Foundation

/// The text of a source file, searched line by line for what needs no syntax.
struct TextSearch {
    /// The file.
    let path: String
    /// The content.
    let text: String

    /// Reads a file; nil if it is absent.
    init?(_ path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        (self.path, text) = (path, String(decoding: data, as: UTF8.self))
    }

    /// The line with a text, from 1 on, that is not in a comment; nil if there is none.
    func line(of needle: String) -> Int? { lines(with: needle).first?.number }

    /// The names of App Groups, such as `group.com.example.app`, with their lines.
    var groups: [(name: String, line: Int)] {
        lines(with: "\"group.").flatMap { line in
            line.text.matches(of: /"(group\.[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+)"/).map { (String($0.1), line.number) }
        }
    }

    /// The lines with a text before which no comment begins.
    private func lines(with needle: String) -> [(number: Int, text: Substring)] {
        guard text.contains(needle) else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard let range = line.range(of: needle) else { return nil }
            let start = line.drop { $0 == " " || $0 == "\t" }
            let isComment = line[..<range.lowerBound].contains("//") || start.hasPrefix("*") || start.hasPrefix("/*")
            return isComment ? nil : (index + 1, line)
        }
    }

    /// The line of a key in a property list; 0 if it stands nowhere.
    static func line(ofKey key: String, in path: String?) -> Int {
        guard let path, let file = TextSearch(path) else { return 0 }
        return file.line(of: "<key>\(key)</key>") ?? 0
    }
}
