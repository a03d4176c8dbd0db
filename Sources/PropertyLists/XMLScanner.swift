internal import Platform

/// Scans the tokens of an XML property list in UTF-8: tags, texts and everything between elements.
struct XMLScanner {
    /// A tag that begins an element.
    struct Tag {
        let element: XMLElement
        /// Whether it also ends the element, as `<dict/>` does.
        let isEmpty: Bool
    }

    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    /// The line of the current position.
    var line: Int { line(at: position) }

    /// The line of a position; counted only when an error needs it.
    func line(at place: Int) -> Int {
        var line = 1
        var previous: UInt8 = 0
        for byte in bytes.prefix(place) {
            // CR LF is one line break.
            if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") && previous != UInt8(ascii: "\r") { line += 1 }
            previous = byte
        }
        return line
    }

    // MARK: Tokens

    /// Whether the text comes next.
    func isNext(_ text: StaticString) -> Bool {
        guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
        for place in 0..<text.utf8CodeUnitCount where bytes[position + place] != text.utf8Start[place] { return false }
        return true
    }

    /// Skips the text if it comes next; returns whether it did.
    mutating func consume(_ text: StaticString) -> Bool {
        guard isNext(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x9...0xD).contains(byte) && byte != 0xB }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    /// Skips everything up to and including the text.
    private mutating func skip(past text: StaticString, _ what: String) throws(PropertyListError) {
        let start = position
        while !consume(text) {
            guard !isAtEnd else { throw PropertyListError("\(what) has no end", at: .line(line(at: start))) }
            position += 1
        }
    }

    /// Skips white space, comments, processing instructions and the document type.
    mutating func skipBetweenElements() throws(PropertyListError) {
        while true {
            skipSpace()
            if consume("<!--") {
                try skip(past: "-->", "a comment")
            } else if consume("<?") {
                try skip(past: "?>", "a processing instruction")
            } else if consume("<!DOCTYPE") {
                try skipDocumentType()
            } else {
                break
            }
        }
        guard isAtEnd || bytes[position] == UInt8(ascii: "<") else {
            throw PropertyListError("text stands where an element must begin")
        }
    }

    private mutating func skipDocumentType() throws(PropertyListError) {
        while !isAtEnd {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: ">"): return
            case UInt8(ascii: "\""): try skip(past: "\"", "a quoted text of the DOCTYPE")
            case UInt8(ascii: "'"): try skip(past: "'", "a quoted text of the DOCTYPE")
            case UInt8(ascii: "["):
                throw PropertyListError("the DOCTYPE has declarations of its own, which property lists do not have")
            default: break
            }
        }
        throw PropertyListError("the DOCTYPE has no end")
    }

    // MARK: Tags

    /// Reads a tag that begins an element, and skips its attributes.
    mutating func openTag() throws(PropertyListError) -> Tag {
        position += 1
        let name = name()
        while !isAtEnd, bytes[position] != UInt8(ascii: ">") {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { try skip(past: "\"", "an attribute") }
            if byte == UInt8(ascii: "'") { try skip(past: "'", "an attribute") }
        }
        guard !isAtEnd else { throw PropertyListError("the tag <\(name) has no end") }
        guard let element = XMLElement(rawValue: name) else {
            throw PropertyListError("<\(name)> is not an element of a property list")
        }
        position += 1
        return Tag(element: element, isEmpty: bytes[position - 2] == UInt8(ascii: "/"))
    }

    /// Reads the rest of a tag that ends an element, after its slash; returns the name of the element.
    mutating func closeTag() throws(PropertyListError) -> String {
        let name = name()
        skipSpace()
        guard consume(">") else { throw PropertyListError("the close tag </\(name) has no end") }
        return name
    }

    /// Reads the name of a tag, truncated to 40 bytes, more than any valid name has.
    private mutating func name() -> String {
        let start = position
        while position < bytes.count, !Self.isSpace(bytes[position]), !"<>/".utf8.contains(bytes[position]) {
            position += 1
        }
        return String(decoding: bytes[start..<min(position, start + 40)], as: UTF8.self)
    }
}

extension XMLScanner {
    /// Reads the text of an element with its close tag, and resolves its references.
    mutating func text(of element: XMLElement, _ start: Int) throws(PropertyListError) -> String {
        let first = position
        skipPlain()
        // Most texts contain neither references nor CDATA sections.
        if isNext("</") {
            let text = try string(bytes[first..<position])
            try skipEnd(element, start)
            return text
        }
        var text = Array(bytes[first..<position])
        while !isAtEnd {
            let piece = position
            if consume("&") {
                text += try reference().utf8
            } else if consume("<![CDATA[") {
                let start = position
                while !isNext("]]>") {
                    guard !isAtEnd else { throw PropertyListError("<![CDATA[ has no end", at: .line(line(at: piece))) }
                    position += 1
                }
                text += bytes[start..<position]
                position += 3
            } else if isNext("<") {
                break
            } else {
                skipPlain()
                text += bytes[piece..<position]
            }
        }
        let string = try string(text[...])
        try skipEnd(element, start)
        return string
    }

    /// Reads the text of an element that must not contain references or CDATA sections, such as a number.
    mutating func plainText(of element: XMLElement, _ start: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
        let first = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        let text = bytes[first..<position]
        try skipEnd(element, start)
        return text
    }

    /// Skips characters that begin neither markup nor a reference.
    private mutating func skipPlain() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "<"), bytes[position] != UInt8(ascii: "&") {
            position += 1
        }
    }

    private func string(_ bytes: ArraySlice<UInt8>) throws(PropertyListError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PropertyListError("a text is not UTF-8; save the file as UTF-8")
        }
        return text
    }

    /// Skips the close tag of an element.
    private mutating func skipEnd(_ element: XMLElement, _ start: Int) throws(PropertyListError) {
        guard !isAtEnd else { throw PropertyListError("it ends inside \(place(of: element, start))") }
        guard consume("</") else {
            throw PropertyListError("\(place(of: element, start)) holds markup; a < of its text is written &lt;")
        }
        let name = try closeTag()
        guard name == element.rawValue else {
            let open = place(of: element, start)
            throw PropertyListError("the close tag </\(name)> does not match the open tag \(open)")
        }
    }

    private func place(of element: XMLElement, _ start: Int) -> String {
        "<\(element.rawValue)> of line \(line(at: start))"
    }

    /// Reads a reference whose `&` was already read, and returns its character.
    private mutating func reference() throws(PropertyListError) -> String {
        for (name, text) in [("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'")]
            as [(StaticString, String)] where consume(name)
        {
            return text
        }
        // The greatest character has seven digits, but any number of leading zeros may precede them.
        let rest = bytes[position...].prefix(40)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
            throw PropertyListError("an & begins no character; write &amp;")
        }
        let name = String(decoding: rest[..<end], as: UTF8.self)
        let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard name.hasPrefix("#"), digits.first.map({ $0 != "+" && $0 != "-" }) ?? false,
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number)
        else { throw PropertyListError("&\(name); is not a character; XML has &amp; &lt; &gt; &quot; &apos; and &#…;") }
        position = end + 1
        return String(scalar)
    }
}

extension XMLScanner {
    /// Reads an element that is neither a container nor a key.
    ///
    /// Rejects values that Apple's reader rejects or truncates, since a phone would not read them.
    mutating func scalar(_ tag: Tag, _ start: Int) throws(PropertyListError) -> PropertyListValue {
        if tag.element == .string { return .string(tag.isEmpty ? "" : try text(of: .string, start)) }
        let text = tag.isEmpty ? [] : try plainText(of: tag.element, start)
        let name = tag.element.rawValue
        switch tag.element {
        case .true, .false:
            guard text.isEmpty else { throw wrong("<\(name)> is not empty", start) }
            return .bool(tag.element == .true)
        case .data:
            guard let bytes = Self.data(text) else { throw wrong("<data> holds no base64", start) }
            return .data(bytes)
        default:
            let value =
                switch tag.element {
                case .integer: Self.integer(text)
                case .real: Self.real(text).map { PropertyListValue.real($0) }
                default: Self.date(text).map { PropertyListValue.date($0) }
                }
            guard let value else {
                let needed = ["integer": "of 64 bits", "date": "such as 2026-01-31T12:00:00Z"][name, default: ""]
                let found = String(decoding: text.prefix(40), as: UTF8.self).debugDescription
                let words = ["<\(name)> holds \(found), which is no \(name)", needed]
                throw wrong(words.filter { !$0.isEmpty }.joined(separator: " "), start)
            }
            return value
        }
    }

    private func wrong(_ reason: String, _ start: Int) -> PropertyListError {
        PropertyListError(reason, at: .line(line(at: start)))
    }

    // MARK: Values

    /// Parses an integer in decimal digits, or in hexadecimal digits after `0x`, with or without a sign.
    private static func integer(_ text: ArraySlice<UInt8>) -> PropertyListValue? {
        var rest = text
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let isHexadecimal = rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8)
        if isHexadecimal { rest = rest.dropFirst(2) }
        guard let first = rest.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let number = UInt64(String(decoding: rest, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
        else { return nil }
        if isNegative {
            return number <= Int64.min.magnitude ? .integer(Int64(truncatingIfNeeded: 0 &- number)) : nil
        }
        return Int64(exactly: number).map { .integer($0) } ?? .unsigned(number)
    }

    /// Parses a number in decimal notation, or one of the names of infinity and NaN.
    private static func real(_ text: ArraySlice<UInt8>) -> Double? {
        let text = String(decoding: text, as: UTF8.self)
        switch text.lowercased() {
        case "nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default: break
        }
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text)
    }

    /// Parses a date such as `2026-01-31T12:00:00Z` to seconds since 1970.
    ///
    /// Month 13 is January of the next year, as in Apple's reader.
    private static func date(_ text: ArraySlice<UInt8>) -> Double? {
        let isNegative = text.first == UInt8(ascii: "-")
        var rest = isNegative ? text.dropFirst() : text
        /// Parses a number with an allowed count of digits, and the separator after it.
        func number(_ digits: ClosedRange<Int>, before separator: Character) -> Int32? {
            let run = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest[run.endIndex...]
            guard digits.contains(run.count), rest.first == separator.asciiValue else { return nil }
            rest = rest.dropFirst()
            return Int32(String(decoding: run, as: UTF8.self))
        }
        guard let year = number(4...9, before: "-"), let month = number(2...2, before: "-"),
            let day = number(2...2, before: "T"), let hour = number(2...2, before: ":"),
            let minute = number(2...2, before: ":"), let second = number(2...2, before: "Z"), rest.isEmpty
        else { return nil }
        var parts = tm()
        parts.tm_year = (isNegative ? -year : year) - 1_900
        parts.tm_mon = month - 1
        parts.tm_mday = day
        parts.tm_hour = hour
        parts.tm_min = minute
        parts.tm_sec = second
        return Double(timegm(&parts))
    }

    // MARK: Base64

    /// The six bits of a Base64 character; nil for other bytes.
    private static let digits: [UInt8?] = {
        var digits = [UInt8?](repeating: nil, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, byte) in alphabet.utf8.enumerated() { digits[Int(byte)] = UInt8(value) }
        return digits
    }()

    private static func data(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, count, padding) = (0 as UInt32, 0, 0)
        for byte in text where !isSpace(byte) {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let digit = digits[Int(byte)] else { return nil }
            bits = bits << 6 | UInt32(digit)
            count += 1
            guard count.isMultiple(of: 4) else { continue }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
            bytes.append(UInt8(truncatingIfNeeded: bits))
        }
        switch (count % 4, padding) {
        case (0, 0): return bytes
        case (2, 2): return bytes + [UInt8(truncatingIfNeeded: bits >> 4)]
        case (3, 1): return bytes + [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: return nil
        }
    }
}
