/// A text in the language of man(7).
struct RoffText {
    private(set) var text = ""

    /// Adds a request with its arguments.
    mutating func request(_ name: String, _ arguments: [String] = []) {
        let quoted = arguments.map { "\"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" }
        text += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
    }

    /// Keeps spaces as they are, and breaks no word, so that commands can be copied.
    mutating func alignLeft() { text += ".ad l\n.nh\n" }

    mutating func section(_ title: String) { request("SH", [title]) }

    mutating func subsection(_ title: String) { request("SS", [title]) }

    /// Adds running text.
    mutating func text(_ line: String) {
        let line = Self.escaped(line)
        // At the beginning of a line these two start a request.
        text += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
    }

    /// Adds an option or a command with its explanation.
    mutating func item(_ label: String, _ explanation: String) {
        request("TP")
        request("B", [label])
        text(explanation)
    }

    /// Adds a text as the help has it: paragraphs, and indented lines that are kept as they are.
    mutating func discussion(_ lines: String) {
        var isVerbatim = false
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let isIndented = line.hasPrefix("  ")
            if isIndented != isVerbatim {
                request(isIndented ? "RS" : "fi")
                request(isIndented ? "nf" : "RE")
                isVerbatim = isIndented
            }
            if isIndented {
                text(String(line.dropFirst(2)))
            } else if line.isEmpty {
                request("PP")
            } else {
                text(line)
            }
        }
        if isVerbatim {
            request("fi")
            request("RE")
        }
    }

    /// A hyphen is escaped, because an option must be copied with the sign that was typed.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }
}
