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
public struct TextPlace: Equatable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int

    /// The place of the byte at an offset.
    init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
        let before = bytes[..<min(offset, bytes.count)]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    }

    /// The place of what a JSON Pointer names: of a member's name, or of an element.
    ///
    /// - Parameters:
    ///   - pointer: The pointer (RFC 6901).
    ///   - text: A JSON text in UTF-8.
    /// - Returns: The place; if only the beginning of the pointer leads to something, of that; nil if nothing does.
    public static func find(_ pointer: String, in text: [UInt8]) -> TextPlace? {
        // An escaped slash contains no slash.
        let steps = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            $0.replacing("~1", with: "/").replacing("~0", with: "~")
        }
        return text.withUnsafeBytes { (bytes) -> TextPlace? in
            var tokens = JSONTokens(bytes)
            guard var token = tokens.next() else { return nil }
            var found: Int?
            for step in steps {
                guard token.kind == .open, let (place, value) = tokens.enter(String(step), of: token, bytes) else {
                    break
                }
                (found, token) = (place, value)
            }
            return found.map { TextPlace(of: $0, in: bytes) }
        }
    }
}

extension JSONTokens {
    /// Goes on to a member or an element of the container whose bracket was read.
    ///
    /// - Returns: The offset of its name or value, and the first token of its value; nil if there is none.
    fileprivate mutating func enter(
        _ step: String,
        of container: Token,
        _ bytes: UnsafeRawBufferPointer
    ) -> (place: Int, value: Token)? {
        let isObject = bytes[container.range.lowerBound] == UInt8(ascii: "{")
        var index = 0
        while let first = next(), first.kind != .close {
            guard isObject else {
                if String(index) == step { return (first.range.lowerBound, first) }
                skip(first)
                index += 1
                guard next()?.kind == .comma else { return nil }
                continue
            }
            let name = (try? JSON(parsing: UnsafeRawBufferPointer(rebasing: bytes[first.range])))?.string
            guard next()?.kind == .colon, let value = next() else { return nil }
            if name == step { return (first.range.lowerBound, value) }
            skip(value)
            // A comma, or the closing bracket.
            guard next()?.kind == .comma else { return nil }
        }
        return nil
    }

    /// Skips the rest of a value whose first token was read.
    private mutating func skip(_ first: Token) {
        var depth = first.kind == .open ? 1 : 0
        while depth > 0, let token = next() {
            if token.kind == .open { depth += 1 }
            if token.kind == .close { depth -= 1 }
        }
    }
}
