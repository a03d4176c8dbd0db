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
            throw PropertyListError("<\(name)> is no element of a property list")
        }
        position += 1
        return Tag(element: element, isEmpty: bytes[position - 2] == UInt8(ascii: "/"))
    }

    /// Reads the rest of a tag that ends an element, after its slash.
    ///
    /// - Returns: The element's name.
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
