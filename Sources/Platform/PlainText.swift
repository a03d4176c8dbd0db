/// Makes untrusted text safe for a log, a report or a terminal.
package enum PlainText {
    /// The text on one line, with an escape in place of each character that could end the line, control a terminal or
    /// change the direction of the text beside it.
    package static func escaped(_ text: String) -> String {
        cleaned(text) { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
    }

    /// The text with its line breaks, each line as ``escaped(_:)`` gives it.
    package static func escapedLines(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// The text on one line, with a space in place of each such character.
    package static func spaced(_ text: String) -> String { cleaned(text) { _ in " " } }

    /// The lines of the text, each as ``spaced(_:)`` gives it.
    package static func spacedLines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { spaced(String($0)) }
    }

    private static func cleaned(_ text: String, _ replacement: (Unicode.Scalar) -> String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            if isControl(scalar) { line += replacement(scalar) } else { line.unicodeScalars.append(scalar) }
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Embeddings, overrides and isolates; letters carry their direction without them.
        case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        default: false
        }
    }
}

/// Splits a stream of bytes into lines at LF.
///
/// It is for logs and recordings. The lines of the protocol are split by `LineFramer` of JSONRPC, which also implements the
/// protocol's rules on blank lines, CR, byte order marks and lines that are too long.
package struct LineSplitter {
    private let longest: Int
    /// The beginning of a line whose end has not arrived yet.
    package private(set) var unfinished: [UInt8] = []

    /// A splitter at the start of a stream.
    ///
    /// - Parameter longest: A longer line is split into pieces of this size, which limits the memory for a line without
    ///   end.
    package init(longest: Int = .max) { self.longest = longest }

    /// Consumes the next bytes of the stream.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - body: Receives each line that the bytes complete, without its LF; valid only during the call.
    package mutating func consume(_ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var rest = chunk
        while let start = rest.baseAddress, let end = memchr(start, 0x0A, rest.count) {
            let count = UnsafeRawPointer(end) - start
            let last = cut(UnsafeRawBufferPointer(rebasing: rest[..<count]), body)
            if unfinished.isEmpty {
                body(last)
            } else {
                unfinished.append(contentsOf: last)
                emit(body)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
        }
        unfinished.append(contentsOf: cut(rest, body))
    }

    /// Passes an unfinished line to the body, if there is one.
    ///
    /// - Parameters:
    ///   - kept: The number of its last bytes that stay in the splitter, as the beginning of the next line.
    ///   - body: Receives the line.
    package mutating func finish(keeping kept: Int = 0, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard unfinished.count > kept else { return }
        let rest = Array(unfinished.suffix(kept))
        unfinished.removeLast(rest.count)
        emit(body)
        unfinished = rest
    }

    /// Passes the full pieces of a line that is too long to the body.
    ///
    /// - Returns: The remaining bytes.
    private mutating func cut(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> UnsafeRawBufferPointer {
        var rest = bytes
        while rest.count >= longest - unfinished.count {
            let room = longest - unfinished.count
            unfinished.append(contentsOf: rest[..<room])
            rest = UnsafeRawBufferPointer(rebasing: rest[room...])
            emit(body)
        }
        return rest
    }

    private mutating func emit(_ body: (UnsafeRawBufferPointer) -> Void) {
        // Moved out and back, so that its memory is used for the next line too.
        var line: [UInt8] = []
        swap(&line, &unfinished)
        line.withUnsafeBytes(body)
        line.removeAll(keepingCapacity: true)
        unfinished = line
    }
}

/// The form of suites' names, which is that of App Group identifiers and safe as a file name.
package enum SuiteNameForm {
    /// The rule, for error messages.
    package static let rule = "1 to 128 of A-Z a-z 0-9 . _ - beginning with a letter or a digit"

    /// Whether a text has the form.
    package static func matches(_ text: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        let bytes = text.utf8
        guard let first = bytes.first, isAlphanumeric(first), bytes.count <= 128 else { return false }
        return bytes.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
    }
}
