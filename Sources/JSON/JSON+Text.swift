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
            message: "JSON cannot contain a NUL byte",
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

extension JSON {
    /// The value as compact JSON text in UTF-8.
    public var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    /// Appends the value as compact JSON text.
    ///
    /// Jansson would print `0.1` with 17 digits. Here a real has the fewest digits
    /// that read back as the same double, and always a fraction or an exponent.
    /// U+2028 and U+2029 are escaped, because some line readers split at them.
    ///
    /// - Parameter output: The buffer to append to.
    public func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(literal: "null")
        case .bool(let value): output.append(literal: value ? "true" : "false")
        case .integer(let value): output.append(decimal: value)
        case .real(let value): output.append(real: value)
        case .string(var value): value.withUTF8 { output.append(quoting: UnsafeRawBufferPointer($0)) }
        case .array(let value): output.append(value.node)
        case .object(let value): output.append(value.node)
        }
    }

    /// Appends the value as compact JSON text with sorted members, so that equal values have the same text.
    ///
    /// - Parameter output: The buffer to append to.
    public func writeSorted(to output: inout [UInt8]) {
        switch self {
        case .array(let value): output.append(sorted: value.node.pointer)
        case .object(let value): output.append(sorted: value.node.pointer)
        case .null, .bool, .integer, .real, .string: write(to: &output)
        }
    }

    /// The same value with its JSON text cached, so that writing it only copies the text.
    public var keepingText: JSON {
        switch self {
        case .array(let value): .array(Array(node: Node(sharing: value.node.pointer, text: bytes)))
        case .object(let value): .object(Object(node: Node(sharing: value.node.pointer, text: bytes)))
        case .null, .bool, .integer, .real, .string: self
        }
    }

    /// Whether the value is a container with cached JSON text, as ``keepingText`` returns it.
    package var keepsText: Bool {
        switch self {
        case .array(let value): value.node.text != nil
        case .object(let value): value.node.text != nil
        case .null, .bool, .integer, .real, .string: false
        }
    }
}

extension [UInt8] {
    /// Appends the bytes of a string literal.
    ///
    /// - Parameter text: ASCII or UTF-8.
    public mutating func append(literal text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends an integer in decimal digits.
    public mutating func append(decimal value: Int64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var first = digits.count
            var rest = value.magnitude
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 { append(UInt8(ascii: "-")) }
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }

    fileprivate mutating func append(real value: Double) {
        append(contentsOf: value.isFinite ? value.description.utf8 : "null".utf8)
    }

    /// Appends a text in quotes, with the necessary escapes.
    fileprivate mutating func append(quoting text: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        var start = 0
        for (index, byte) in text.enumerated() {
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0xE2
            else { continue }
            if byte == 0xE2 {
                // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
                guard index + 2 < text.count, text[index + 1] == 0x80, text[index + 2] & 0xFE == 0xA8 else { continue }
                append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<index]))
                append(literal: text[index + 2] == 0xA8 ? "\\u2028" : "\\u2029")
                start = index + 3
            } else {
                append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<index]))
                append(escape: byte)
                start = index + 1
            }
        }
        append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escape byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append(literal: "\\\"")
        case UInt8(ascii: "\\"): append(literal: "\\\\")
        case UInt8(ascii: "\n"): append(literal: "\\n")
        case UInt8(ascii: "\r"): append(literal: "\\r")
        case UInt8(ascii: "\t"): append(literal: "\\t")
        default:
            append(literal: "\\u00")
            append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let digit = byte & 0x0F
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    fileprivate mutating func append(_ node: Node) {
        guard let text = node.text else { return append(tree: node.pointer) }
        text.withUnsafeBytes { append(contentsOf: $0) }
    }

    /// Appends a Jansson tree with the members of objects in the order of their names' bytes.
    fileprivate mutating func append(sorted tree: UnsafeMutablePointer<json_t>) {
        switch cjansson_typeof(tree) {
        case JSON_OBJECT:
            var members: [(name: UnsafeRawBufferPointer, value: UnsafeMutablePointer<json_t>)] = []
            var position = json_object_iter(tree)
            while let member = position, let value = json_object_iter_value(member) {
                members.append((bytesOfName(member), value))
                position = json_object_iter_next(tree, member)
            }
            if members.count > 1 { members.sort { $0.name.lexicographicallyPrecedes($1.name) } }
            append(UInt8(ascii: "{"))
            for (index, (name, value)) in members.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(quoting: name)
                append(UInt8(ascii: ":"))
                append(sorted: value)
            }
            append(UInt8(ascii: "}"))
        case JSON_ARRAY:
            append(UInt8(ascii: "["))
            for index in 0..<json_array_size(tree) {
                if index > 0 { append(UInt8(ascii: ",")) }
                if let element = json_array_get(tree, index) { append(sorted: element) }
            }
            append(UInt8(ascii: "]"))
        default: append(tree: tree)
        }
    }

    /// Appends a Jansson tree; it nests at most 2,048 deep, so recursion is safe.
    mutating func append(tree: UnsafeMutablePointer<json_t>) {
        switch cjansson_typeof(tree) {
        case JSON_OBJECT:
            append(UInt8(ascii: "{"))
            var position = json_object_iter(tree)
            var first = true
            while let member = position, let value = json_object_iter_value(member) {
                if !first { append(UInt8(ascii: ",")) }
                first = false
                append(quoting: bytesOfName(member))
                append(UInt8(ascii: ":"))
                append(tree: value)
                position = json_object_iter_next(tree, member)
            }
            append(UInt8(ascii: "}"))
        case JSON_ARRAY:
            append(UInt8(ascii: "["))
            for index in 0..<json_array_size(tree) {
                if index > 0 { append(UInt8(ascii: ",")) }
                if let element = json_array_get(tree, index) { append(tree: element) }
            }
            append(UInt8(ascii: "]"))
        case JSON_STRING:
            append(quoting: UnsafeRawBufferPointer(start: json_string_value(tree), count: json_string_length(tree)))
        case JSON_INTEGER: append(decimal: json_integer_value(tree))
        case JSON_REAL: append(real: json_real_value(tree))
        case JSON_TRUE: append(literal: "true")
        case JSON_FALSE: append(literal: "false")
        // Also the stand-in of a number that JSON lacks.
        default: append(literal: "null")
        }
    }
}

extension String {
    /// The text for use in a message: truncated if it is long, followed by its size.
    ///
    /// - Parameter limit: The maximum number of bytes of UTF-8 that are left of the text; the size is added to them.
    /// - Returns: The text; if it is longer than the limit, its beginning, cut between two Unicode scalars.
    public func excerpt(_ limit: Int = 200) -> String {
        let size = utf8.count
        guard size > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return "\(self[..<end])… (\(size) bytes)"
    }
}

extension JSON {
    /// The value as JSON text for use in a message, truncated if it is long.
    ///
    /// - Parameter limit: As for a text; that of a string does not count its quotes and escapes.
    /// - Returns: The JSON text; of a long string, its excerpt in quotes; of another long value, the excerpt of the JSON
    ///   text, which is not valid JSON.
    public func excerpt(_ limit: Int = 200) -> String {
        guard case .string(let text) = self, text.utf8.count > limit else { return description.excerpt(limit) }
        // Truncated before quoting, since the text may have megabytes.
        return JSON.string(String(text.excerpt(limit))).description
    }
}
