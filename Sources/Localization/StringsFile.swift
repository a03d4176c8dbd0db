internal import JSON
internal import Platform
internal import PropertyLists

/// A table of texts by key: the contents of a `.strings` file.
///
/// Xcode compiles the text form to a property list, so both forms are read, in
/// UTF-8 or in UTF-16 with a byte order mark.
struct StringsFile {
    let texts: [String: String]

    /// Reads a file's bytes.
    ///
    /// - Throws: The error, with its line if it has one.
    init(_ bytes: [UInt8]) throws(BundleFile.Failure) {
        if PropertyListFormat(bytes) != nil {
            texts = try Self.propertyList(bytes)
        } else {
            var parser = StringsParser(try Self.text(of: bytes))
            texts = try parser.texts()
        }
    }

    /// The strings of a property list; values of other types are ignored.
    private static func propertyList(_ bytes: [UInt8]) throws(BundleFile.Failure) -> [String: String] {
        guard case .dictionary(let members) = try BundleFile.dictionary(bytes) else { return [:] }
        var texts: [String: String] = [:]
        for member in members {
            if case .string(let text) = member.value { texts[member.key] = text }
        }
        return texts
    }

    private static func text(of bytes: [UInt8]) throws(BundleFile.Failure) -> String {
        for (mark, high) in [([0xFE, 0xFF], 0), ([0xFF, 0xFE], 1)] as [([UInt8], Int)] where bytes.starts(with: mark) {
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
                UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high])
            }
            guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
                throw BundleFile.Failure(message: "it begins like UTF-16, but is not valid UTF-16")
            }
            return text
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard let text = String(validating: bytes.dropFirst(bytes.starts(with: mark) ? 3 : 0), as: UTF8.self) else {
            throw BundleFile.Failure(message: "it is neither UTF-8 nor UTF-16 with a byte order mark")
        }
        return text
    }
}

/// Reads the text form of a `.strings` file: `"key" = "text";`, with comments.
///
/// The grammar is that of Foundation's old-style property lists, limited to
/// a dictionary of strings, whose braces may be omitted.
private struct StringsParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var line = 1

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// Parses the texts by key; the last text of a repeated key wins, as on a phone.
    mutating func texts() throws(BundleFile.Failure) -> [String: String] {
        var texts: [String: String] = [:]
        try skip()
        let isBraced = consume("{")
        while true {
            try skip()
            if position == scalars.count {
                if isBraced { throw wrong("the closing } is missing") }
                return texts
            }
            if isBraced, consume("}") {
                try skip()
                guard position == scalars.count else { throw wrong("nothing may follow the closing }") }
                return texts
            }
            let key = try string("a key")
            var end = line
            try skip()
            if consume("=") {
                try skip()
                texts[key] = try string("a text")
                end = line
                try skip()
            } else {
                // A key without a value is its own value.
                texts[key] = key
            }
            // Where the entry ends; the next one may begin many lines later.
            guard consume(";") else { throw wrong("the entry of \"\(key)\" must end with a semicolon", line: end) }
        }
    }

    // MARK: Tokens

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func advance() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        position += 1
        if scalar == "\n" { line += 1 }
        return scalar
    }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    /// Skips white space and comments.
    private mutating func skip() throws(BundleFile.Failure) {
        while let scalar = next {
            if scalar.properties.isWhitespace {
                _ = advance()
            } else if scalars[position...].starts(with: "//".unicodeScalars) {
                while let scalar = next, scalar != "\n", scalar != "\r" { _ = advance() }
            } else if scalars[position...].starts(with: "/*".unicodeScalars) {
                let start = line
                position += 2
                while !scalars[position...].starts(with: "*/".unicodeScalars) {
                    guard advance() != nil else { throw wrong("the comment has no end", line: start) }
                }
                position += 2
            } else {
                return
            }
        }
    }

    mutating func string(_ what: String) throws(BundleFile.Failure) -> String {
        if let quote = next, quote == "\"" || quote == "'" {
            position += 1
            return try quoted(quote)
        }
        let start = position
        while let scalar = next, Self.isBare(scalar) { position += 1 }
        guard position > start else {
            throw wrong(next.map { "\(what) is needed, not \(String($0).debugDescription)" } ?? "\(what) is missing")
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<position])
        return String(text)
    }

    /// Whether a string without quotes may contain the character.
    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            || "_$/:.-".unicodeScalars.contains(scalar)
    }

    private mutating func quoted(_ quote: Unicode.Scalar) throws(BundleFile.Failure) -> String {
        let start = line
        // UTF-16, because \U may stand for one half of a surrogate pair.
        var units: [UInt16] = []
        while let scalar = advance() {
            switch scalar {
            case quote: return String(decoding: units, as: UTF16.self)
            case "\\": units += try escaped(start)
            default: units += Array(UTF16.encode(scalar) ?? UTF16.EncodedScalar())
            }
        }
        throw wrong("the quoted string has no end", line: start)
    }

    private mutating func escaped(_ start: Int) throws(BundleFile.Failure) -> [UInt16] {
        guard let scalar = advance() else { throw wrong("the quoted string has no end", line: start) }
        switch scalar {
        case "a": return [7]
        case "b": return [8]
        case "t": return [9]
        case "n": return [10]
        case "v": return [11]
        case "f": return [12]
        case "r": return [13]
        case "U":
            guard let unit = digits(radix: 16, limit: 4) else { throw wrong("\\U needs up to four hexadecimal digits") }
            return [unit]
        case "0"..."7":
            position -= 1
            return [digits(radix: 8, limit: 3) ?? 0]
        default: return Array(UTF16.encode(scalar) ?? UTF16.EncodedScalar())
        }
    }

    private mutating func digits(radix: Int, limit: Int) -> UInt16? {
        var value: UInt16?
        for _ in 0..<limit {
            guard let scalar = next, let digit = Character(scalar).hexDigitValue, scalar.isASCII, digit < radix
            else { break }
            position += 1
            value = (value ?? 0) * UInt16(radix) + UInt16(digit)
        }
        return value
    }

    private func wrong(_ text: String, line: Int? = nil) -> BundleFile.Failure {
        BundleFile.Failure(message: "line \(line ?? self.line): \(text)", line: line ?? self.line)
    }
}

extension String {
    /// Reads a key or value of a `.strings` file, with its quotes; nil if it has no end, or a mistake in an escape.
    package init?(quotedInStringsFile text: String) {
        var parser = StringsParser(text)
        guard let read = try? parser.string("a text") else { return nil }
        self = read
    }

    /// The text as a key or value of a `.strings` file.
    package var quotedInStringsFile: String {
        "\"\(replacingScalars("\\", with: "\\\\").replacingScalars("\"", with: "\\\"").replacingScalars("\n", with: "\\n"))\""
    }
}
