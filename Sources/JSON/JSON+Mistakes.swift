extension JSONParseError {
    /// The same error in the author's terms and at the place of the mistake, if it is a common one.
    ///
    /// - Parameter text: The text that was parsed.
    /// - Returns: The error, whose column and position count up to the first character of the mistake; unchanged if the
    ///   mistake is another one.
    public func explained(in text: UnsafeRawBufferPointer) -> JSONParseError {
        // A longer text is no author's, and the search would keep a host busy.
        guard text.count <= 1 << 20, !message.contains("NUL byte"), !message.hasPrefix("maximum parsing depth"),
            let (message, offset) = JSONMistake(self, in: text).finding
        else { return self }
        let place = TextPlace(of: offset, in: text)
        return JSONParseError(
            kind,
            message: message,
            line: place.line,
            column: text.isEmpty ? 0 : place.column,
            position: min(offset + 1, text.count)
        )
    }
}

/// Names a common mistake of authors in a text that is not JSON.
private struct JSONMistake {
    typealias Token = JSONTokens.Token
    typealias Finding = (message: String, offset: Int)

    /// Quotation marks of word processors, and the one that a wide keyboard writes.
    private static let curly = ["“", "”", "„", "‟", "‘", "’", "‚", "«", "»", "＂"]
    /// What other languages call a literal, in small letters.
    private static let literals = [
        "true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null",
        "yes": "true", "no": "false",
    ]

    private let error: JSONParseError
    private let text: UnsafeRawBufferPointer
    /// The token at which the parser stopped; nil at the end of the text.
    private var failing: Token?
    private var previous: Token?
    /// Whether the previous token is the name of a member.
    private var isAfterName = false
    /// The offsets of the brackets that are open there.
    private var open: [Int] = []

    init(_ error: JSONParseError, in text: UnsafeRawBufferPointer) {
        (self.error, self.text) = (error, text)
        var tokens = JSONTokens(text)
        while let token = tokens.next() {
            // The parser stops behind the token, or within it.
            guard token.kind != .string(isClosed: false),
                token.range.upperBound < error.position || error.position == 0
            else {
                failing = token
                break
            }
            take(token)
        }
        // If the text ends too early, the parser stops at the end of its last token, which is right.
        if error.kind == .incomplete, let last = failing, last.kind != .string(isClosed: false) {
            take(last)
            failing = nil
        }
    }

    private mutating func take(_ token: Token) {
        isAfterName = isNamePlace && isString(token)
        if token.kind == .open { open.append(token.range.lowerBound) }
        if token.kind == .close { _ = open.popLast() }
        previous = token
    }

    /// What to tell the author; nil if the mistake is not a common one.
    var finding: Finding? {
        if let finding = encoding { return finding }
        guard let failing else { return end }
        let start = failing.range.lowerBound
        if let finding = quotationMark(failing) { return finding }
        switch failing.kind {
        case .comment: return ("JSON has no comments; remove it", start)
        case .comma: return comma(start)
        case .close: return closing(start)
        case .other: return character(start)
        case .string(isClosed: false): return ("the string is not closed on its line; close it with \"", start)
        case .string(isClosed: true) where error.message.hasPrefix("control character"):
            let name = text[place] == UInt8(ascii: "\t") ? "tab" : "control character"
            return ("a string contains no \(name); write \\n for a line break and \\t for a tab", place)
        case .string(isClosed: true) where error.message.hasPrefix("invalid escape"):
            let start = text[..<place].lastIndex(of: UInt8(ascii: "\\")) ?? place
            return ("a backslash begins an escape such as \\n, and this is none; write \\\\ for a backslash", start)
        case .word, .string, .open: return missing(failing) ?? (failing.kind == .word ? word(failing) : nil)
        case .colon: return nil
        }
    }

    /// The offset behind what the parser read.
    private var place: Int { min(error.position, text.count - 1) }

    private func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

    private func isString(_ token: Token) -> Bool { if case .string = token.kind { true } else { false } }

    private var isInObject: Bool { open.last.map { text[$0] == UInt8(ascii: "{") } ?? false }

    /// Whether the name of a member must follow the previous token.
    private var isNamePlace: Bool { isInObject && (previous?.kind == .open || previous?.kind == .comma) }

    /// Whether the previous token ends a value.
    private var isAfterValue: Bool {
        guard let previous, !isAfterName else { return false }
        return isString(previous) || previous.kind == .word || previous.kind == .close
    }

    /// The bracket at an offset with its line, for a message.
    private func bracket(_ offset: Int) -> String {
        "the \(string(offset..<offset + 1)) of line \(TextPlace(of: offset, in: text).line)"
    }

    // MARK: Bytes

    private var encoding: Finding? {
        let start = Array(text.prefix(4))
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            return ("the text begins with a byte order mark (BOM); save it as UTF-8 without BOM", 0)
        }
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || start.prefix(2).contains(0) {
            return ("the text is UTF-16 or UTF-32; save it as UTF-8", 0)
        }
        if error.kind == .encoding, text.indices.contains(error.position) {
            return ("\(string(of: text[error.position])) is not valid UTF-8; save the text as UTF-8", error.position)
        }
        return nil
    }

    private func string(of byte: UInt8) -> String { "the byte 0x\(String(byte, radix: 16, uppercase: true))" }

    // MARK: Quotation marks

    private func quotationMark(_ failing: Token) -> Finding? {
        if failing.kind == .other {
            let mark = string(failing.range)
            if Self.curly.contains(mark) { return straight(mark, failing.range.lowerBound) }
            guard mark == "'" || mark == "`" else { return nil }
            return ("use double quotes for names and texts", failing.range.lowerBound)
        }
        // A curly mark that was meant to end a string is part of it, and the string ends at the next straight one.
        let isUnclosed = failing.kind == .string(isClosed: false)
        guard isUnclosed || isAfterName || failing.kind == .word, let token = isUnclosed ? failing : previous,
            isString(token)
        else { return nil }
        let content = string(token.range)
        guard let mark = content.firstMatch(of: #/[“”„‟‘’‚«»＂](?=\s*[:,}\]]|\s*$)/#) else { return nil }
        return straight(String(mark.output), token.range.lowerBound + content[..<mark.startIndex].utf8.count)
    }

    private func straight(_ mark: String, _ offset: Int) -> Finding {
        ("\(mark) is a typographic quotation mark; write the straight one: \"", offset)
    }

    // MARK: Tokens

    private func comma(_ start: Int) -> Finding? {
        switch previous?.kind {
        case .comma: ("two commas follow each other; remove one", start)
        case .open: ("no value stands before the comma; remove it", start)
        case .colon: ("the value is missing before the comma", start)
        default: nil
        }
    }

    private func closing(_ start: Int) -> Finding? {
        if error.kind == .trailingText {
            return ("there is one \(string(start..<start + 1)) too many; remove it", start)
        }
        if previous?.kind == .comma, let previous {
            return ("no value follows the last comma; remove it", previous.range.lowerBound)
        }
        if previous?.kind == .colon { return ("the value is missing", start) }
        if isAfterName { return ("the colon and the value are missing", start) }
        guard let open = open.last, isAfterValue else { return nil }
        return ("\(bracket(open)) is closed by \(string(start..<start + 1)); write \(isInObject ? "}" : "]")", start)
    }

    private func character(_ start: Int) -> Finding? {
        switch string(start..<start + 1) {
        case "=" where isAfterName: ("write a colon between a name and its value", start)
        case ";" where isAfterValue: ("write a comma between two values", start)
        default: nil
        }
    }

    /// A value for which a colon or a comma is missing.
    private func missing(_ failing: Token) -> Finding? {
        guard let previous, isAfterName || isAfterValue else { return nil }
        let last = previous.range.upperBound - 1
        if error.kind == .trailingText { return ("text follows the end of the value", failing.range.lowerBound) }
        let excerpt = string(previous.range).excerpt(40)
        if isAfterName { return ("a colon is missing after \(excerpt)", last) }
        if isString(previous), failing.kind == .word, !string(failing.range).contains(#/^(-?[0-9]|true|false|null)/#) {
            return ("the string ends before this; write \\\" for a quotation mark in it", failing.range.lowerBound)
        }
        if previous.kind == .word, previous.range.upperBound == failing.range.lowerBound { return nil }
        return ("a comma is missing after \(excerpt)", last)
    }

    private func word(_ failing: Token) -> Finding? {
        let (word, start) = (string(failing.range), failing.range.lowerBound)
        if isNamePlace { return ("put names in double quotes: write \(JSON.string(word.excerpt(40)))", start) }
        guard previous?.kind == .colon || previous?.kind == .comma || previous?.kind == .open else { return nil }
        if let literal = Self.literals[word.lowercased()] { return ("write \(literal) for \(word)", start) }
        if word.contains(#/^[+-]?(nan|inf|infinity)$/#.ignoresCase()) {
            return ("JSON has no \(word); a number is finite", start)
        }
        if word.contains(#/^[+-]?[.0-9]/#) {
            return error.message.contains("big") || error.message.contains("overflow")
                ? nil : ("\(word.excerpt(40)) is not a JSON number; write it as in 0.5, -1 or 1e3", start)
        }
        return ("put texts in double quotes: write \(JSON.string(word.excerpt(40)))", start)
    }

    private var end: Finding? {
        guard error.kind == .incomplete || previous == nil else { return nil }
        guard let open = open.last else {
            return previous == nil && failing == nil ? ("the text is empty", text.count) : nil
        }
        return ("the text ends too early: \(bracket(open)) is not closed", text.count)
    }
}

/// The tokens of a text that is or should be JSON.
///
/// Also a text that is not JSON has tokens, so that a mistake can be named.
struct JSONTokens {
    /// A token and where it stands.
    struct Token {
        enum Kind: Equatable {
            case open, close, colon, comma
            /// A string; `isClosed` says whether its quotation mark follows on the same line.
            case string(isClosed: Bool)
            /// A number, a literal, a name without quotation marks.
            case word
            /// JSON has none, but authors write them.
            case comment
            /// A character that begins nothing.
            case other
        }

        let kind: Kind
        /// The offsets of its bytes.
        let range: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next token; nil at the end of the text.
    mutating func next() -> Token? {
        while offset < bytes.count, Self.spaces.contains(bytes[offset]) { offset += 1 }
        guard offset < bytes.count else { return nil }
        let start = offset
        let kind = take()
        return Token(kind: kind, range: start..<offset)
    }

    private static let spaces = Array(" \t\r\n".utf8)
    private static let structure = Array("{}[]:,\"'`/#;=".utf8)

    private mutating func take() -> Token.Kind {
        let first = bytes[offset]
        offset += 1
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .open
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return .close
        case UInt8(ascii: ":"): return .colon
        case UInt8(ascii: ","): return .comma
        case UInt8(ascii: "\""): return .string(isClosed: takeString())
        case UInt8(ascii: "#"):
            takeLine()
            return .comment
        case UInt8(ascii: "/") where offset < bytes.count && "/*".utf8.contains(bytes[offset]):
            takeLine()
            return .comment
        case 0x80...:
            // The rest of a character.
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            return .other
        case let byte where Self.structure.contains(byte): return .other
        default:
            while offset < bytes.count, bytes[offset] < 0x80, !Self.spaces.contains(bytes[offset]),
                !Self.structure.contains(bytes[offset])
            {
                offset += 1
            }
            return .word
        }
    }

    private mutating func takeLine() {
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
    }

    /// Takes a string behind its first quotation mark, up to the second one or the end of the line.
    private mutating func takeString() -> Bool {
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\"), offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
        }
        return false
    }
}

/// A place in a text, as editors count.
public struct TextPlace: Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int

    /// The place of a mistake in a text that is not JSON.
    public init(_ error: JSONParseError) {
        (line, column) = (max(1, error.line), max(1, error.column))
    }

    /// The place of the byte at an offset.
    init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
        let before = bytes[..<min(offset, bytes.count)]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    }
}
