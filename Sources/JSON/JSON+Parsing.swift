internal import CJansson

/// Why a text is not JSON, and the place of the error.
public struct JSONParseError: Error, Equatable, Sendable {
    /// The kind of error, for callers that give advice.
    public enum Kind: Equatable, Sendable {
        /// The text ends before the value does.
        case incomplete
        /// Something follows the value.
        case trailingText
        /// The bytes are not UTF-8.
        case encoding
        /// Anything else.
        case other
    }

    /// The kind of error.
    public let kind: Kind
    /// What is wrong: Jansson's message, or that of a common mistake.
    public let message: String
    /// The line, from 1.
    public let line: Int
    /// The column of the end of the invalid token, in characters from 0; of a common mistake, its first character's
    /// from 1.
    public let column: Int
    /// The offset of the end of the invalid token, in bytes from 0.
    public let position: Int

    /// An error with its place.
    public init(_ kind: Kind = .other, message: String, line: Int, column: Int, position: Int) {
        self.kind = kind
        self.message = message
        self.line = line
        self.column = column
        self.position = position
    }
}

extension JSONParseError: CustomStringConvertible {
    /// A human-readable message with the place.
    public var description: String { "\(message) (line \(line), column \(column), byte \(position))" }
}

extension JSON {
    /// Parses one JSON value, which may be a scalar; nothing may follow it.
    ///
    /// A repeated member name, bytes that are not UTF-8, U+0000 in a member's
    /// name, nesting deeper than 2,048, an integer that needs more than 64 bits and a real
    /// beyond the range of a double are errors. U+0000 in a string is allowed. The bytes are
    /// copied, so they may change after the call.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(JSONParseError) {
        let tree = try JSON.parseTree(bytes)
        defer { json_decref(tree) }
        self.init(sharing: tree)
    }

    /// Parses one JSON value; the caller owns the returned reference.
    static func parseTree(
        _ bytes: UnsafeRawBufferPointer
    ) throws(JSONParseError) -> UnsafeMutablePointer<json_t> {
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL)
        var failure = json_error_t()
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
            throw JSONParseError(message: "the text is empty", line: 1, column: 0, position: 0)
        }
        guard let tree = json_loadb(start, bytes.count, flags, &failure) else {
            throw JSONParseError(failure)
        }
        // Jansson ignores a NUL byte after a number, `true`, `false` or `null`; no JSON text contains that byte.
        if let place = memchr(start, 0, bytes.count) {
            json_decref(tree)
            throw JSONParseError(nulAt: UnsafeRawPointer(place) - UnsafeRawPointer(start), in: bytes)
        }
        return tree
    }

    /// Parses one JSON value from bytes.
    public init(parsing bytes: [UInt8]) throws(JSONParseError) {
        // `withUnsafeBytes` does not support typed throws.
        let result = bytes.withUnsafeBytes { text in Result { () throws(JSONParseError) in try JSON(parsing: text) } }
        self = try result.get()
    }

    /// Parses one JSON value from a text.
    public init(parsing text: String) throws(JSONParseError) {
        try self.init(parsing: Swift.Array(text.utf8))
    }

    /// Parses one JSON value that a person wrote: the error of a common mistake names it, at its place.
    ///
    /// What the mistake is costs a second look at the text, so what programs wrote is better parsed without.
    public init(authored bytes: [UInt8]) throws(JSONParseError) {
        do throws(JSONParseError) {
            try self.init(parsing: bytes)
        } catch {
            throw bytes.withUnsafeBytes { error.explained(in: $0) }
        }
    }

    /// Parses one JSON value from a text that a person wrote.
    public init(authored text: String) throws(JSONParseError) {
        try self.init(authored: Swift.Array(text.utf8))
    }
}

extension JSONParseError {
    fileprivate init(nulAt offset: Int, in bytes: UnsafeRawBufferPointer) {
        let before = bytes[..<offset]
        let line = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        self.init(
            message: "a NUL byte is no part of JSON",
            line: line.count,
            column: line.last.map { String(decoding: $0, as: UTF8.self).unicodeScalars.count } ?? 0,
            position: offset
        )
    }

    init(_ failure: json_error_t) {
        kind =
            switch withUnsafePointer(to: failure, json_error_code) {
            case json_error_premature_end_of_input: .incomplete
            case json_error_end_of_input_expected: .trailingText
            case json_error_invalid_utf8: .encoding
            default: .other
            }
        message = withUnsafeBytes(of: failure.text) { text in
            // The last byte of the text is Jansson's error code, after a zero byte.
            String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
        line = max(1, Int(failure.line))
        column = max(0, Int(failure.column))
        position = max(0, Int(failure.position))
    }
}
