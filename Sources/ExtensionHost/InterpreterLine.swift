internal import Platform

/// The first line of a script, which names its interpreter.
struct InterpreterLine {
    /// The path of the interpreter.
    let interpreter: String
    /// The program that `env` looks for in `PATH`, if that is the interpreter.
    let programOfEnv: String?
    /// Whether the line ends with CR, which the system takes as part of a name.
    let endsWithCR: Bool

    /// Reads the line; `nil` if the file is no script.
    init?(of path: String) {
        // Linux reads at most 256 bytes of a file's first line.
        guard let start = try? NamedFile.beginning(of: path, count: 256) else { return nil }
        let line = String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard line.hasPrefix("#!") else { return nil }
        let words = line.dropFirst(2).split { $0 == " " || $0 == "\t" }.map(String.init)
        guard let first = words.first else { return nil }
        interpreter = first
        endsWithCR = line.utf8.last == UInt8(ascii: "\r")
        let named = words.dropFirst().drop { $0 == "-S" }.first
        let isName = named.map { !$0.hasPrefix("-") && !$0.contains("=") && !$0.contains("/") } ?? false
        programOfEnv = first.hasSuffix("/env") && isName ? named : nil
    }
}
