/// Reads the XML form as Apple's reader does: it skips a document type, never loads anything from outside the file, and
/// resolves only the five predefined entities and character references.
struct XMLPropertyListReader {
    /// An element whose close tag was not read yet, and the position of its open tag.
    private struct Open {
        let element: XMLElement
        let start: Int
    }

    private var text: XMLText
    private var scanner = XMLScanner()
    private var assembly: PropertyListAssembly
    private var open: [Open] = []

    init(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
        text = try XMLText(bytes)
        assembly = PropertyListAssembly(limits: limits, size: bytes.count, readsUIDs: true)
    }

    /// The value, if it is complete.
    var value: PropertyListValue? { open.isEmpty ? assembly.root : nil }

    /// Reads one more value or the end of a container, or converts a part of the file to UTF-8.
    mutating func step() throws(PropertyListError) {
        do throws(PropertyListError) {
            guard text.isComplete else {
                try text.convert()
                if text.isComplete { scanner = XMLScanner(text.removeBytes()) }
                return
            }
            try read()
        } catch {
            throw error.placed(at: .line(scanner.line))
        }
    }

    private mutating func read() throws(PropertyListError) {
        try scanner.skipBetweenElements()
        guard !scanner.isAtEnd else { throw ended() }
        let start = scanner.position
        if scanner.consume("</") { return try close(start) }
        let tag = try scanner.openTag()
        switch tag.element {
        case .plist:
            guard open.isEmpty else { throw wrong("<plist> stands inside \(place(of: open.count - 1))", start) }
            guard !tag.isEmpty else { throw wrong("<plist/> is empty", start) }
            open.append(Open(element: .plist, start: start))
        case .key:
            guard assembly.needsKey else { throw wrong(misplacedKey(), start) }
            let key = tag.isEmpty ? "" : try scanner.text(of: .key, start)
            try assembly.count(bytes: key.utf8.count)
            assembly.add(key: key)
        case .array, .dict:
            try checkValue(tag.element, start)
            try assembly.open(isDictionary: tag.element == .dict)
            if tag.isEmpty { assembly.close() } else { open.append(Open(element: tag.element, start: start)) }
        default:
            try checkValue(tag.element, start)
            let value = try scanner.scalar(tag, start)
            switch value {
            case .string(let text): try assembly.count(bytes: text.utf8.count)
            case .data(let bytes): try assembly.count(bytes: bytes.count)
            default: break
            }
            try assembly.add(value)
        }
    }

    private mutating func close(_ start: Int) throws(PropertyListError) {
        let name = try scanner.closeTag()
        guard let last = open.last else { throw wrong("</\(name)> ends nothing", start) }
        guard last.element.rawValue == name else {
            throw wrong("the close tag </\(name)> does not match the open tag \(place(of: open.count - 1))", start)
        }
        guard last.element != .plist || assembly.root != nil else { throw wrong("<plist> is empty", start) }
        if let key = assembly.key, last.element == .dict { throw wrong("the key \(quoted(key)) has no value", start) }
        open.removeLast()
        if last.element != .plist { assembly.close() }
    }

    /// Throws if a value is not allowed at the current position.
    private func checkValue(_ element: XMLElement, _ start: Int) throws(PropertyListError) {
        guard assembly.root == nil else {
            throw wrong("there is a second value, <\(element.rawValue)>, and a property list has one", start)
        }
        guard !assembly.needsKey else {
            throw wrong("<\(element.rawValue)> has no <key> before it in \(place(of: open.count - 1))", start)
        }
    }

    // MARK: Messages

    private func wrong(_ reason: String, _ start: Int) -> PropertyListError {
        PropertyListError(reason, at: .line(scanner.line(at: start)))
    }

    private func place(of index: Int) -> String {
        "<\(open[index].element.rawValue)> of line \(scanner.line(at: open[index].start))"
    }

    private func quoted(_ key: String) -> String { String(key.prefix(100)).debugDescription }

    private func ended() -> PropertyListError {
        PropertyListError(
            open.isEmpty ? "it ends before its first element" : "it ends inside \(place(of: open.count - 1))"
        )
    }

    private func misplacedKey() -> String {
        guard let key = assembly.key else { return "<key> stands outside a <dict>" }
        return "the key \(quoted(key)) has no value: another <key> follows"
    }
}

/// The elements of a property list.
enum XMLElement: String {
    case plist
    case dict
    case array
    case key
    case string
    case integer
    case real
    case `true`
    case `false`
    case date
    case data
}

/// Converts the bytes of an XML file to UTF-8, part by part.
private struct XMLText {
    private enum Encoding {
        case utf8
        case utf16(isBigEndian: Bool)
        case latin1
    }

    /// The size of a part in bytes.
    private static let partSize = 64 << 10

    private let encoding: Encoding
    private var unread: ArraySlice<UInt8>
    private var converted: [UInt8] = []
    private(set) var isComplete = false

    init(_ bytes: [UInt8]) throws(PropertyListError) {
        switch bytes.prefix(4) {
        case let head where head.starts(with: [0xEF, 0xBB, 0xBF]): (encoding, unread) = (.utf8, bytes.dropFirst(3))
        case let head where head.starts(with: [0xFE, 0xFF]):
            (encoding, unread) = (.utf16(isBigEndian: true), bytes.dropFirst(2))
        case let head where head.starts(with: [0xFF, 0xFE]):
            (encoding, unread) = (.utf16(isBigEndian: false), bytes.dropFirst(2))
        case let head where head.count > 1 && head[0] == 0:
            (encoding, unread) = (.utf16(isBigEndian: true), bytes[...])
        case let head where head.count > 1 && head[1] == 0:
            (encoding, unread) = (.utf16(isBigEndian: false), bytes[...])
        default: (encoding, unread) = (try Self.declared(bytes), bytes[...])
        }
    }

    /// The encoding that the XML declaration names; UTF-8 if it names none.
    private static func declared(_ bytes: [UInt8]) throws(PropertyListError) -> Encoding {
        guard let name = declaredName(bytes.prefix(256)) else { return .utf8 }
        switch name.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": return .utf8
        case "iso-8859-1", "latin1": return .latin1
        default:
            let text = "the file names the encoding \(name), which is not supported or not its own; save it as UTF-8"
            throw PropertyListError(text, at: .line(1))
        }
    }

    /// The value of `encoding` in the XML declaration; nil if it is absent.
    private static func declaredName(_ head: ArraySlice<UInt8>) -> String? {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = head.drop(while: isSpace)
        guard start.starts(with: "<?xml".utf8) else { return nil }
        var rest = start.prefix { $0 != UInt8(ascii: ">") }
        let word = Array("encoding".utf8)
        while let space = rest.firstIndex(where: isSpace) {
            rest = rest[space...].drop(while: isSpace)
            guard rest.starts(with: word) else { continue }
            let afterWord = rest.dropFirst(word.count).drop(while: isSpace)
            guard afterWord.first == UInt8(ascii: "=") else { continue }
            let value = afterWord.dropFirst().drop(while: isSpace)
            guard let quote = value.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { continue }
            guard let end = value.dropFirst().firstIndex(of: quote) else { return nil }
            return String(decoding: value[value.startIndex + 1..<end], as: UTF8.self)
        }
        return nil
    }

    /// Removes and returns the converted bytes.
    mutating func removeBytes() -> [UInt8] {
        defer { converted = [] }
        return converted
    }

    /// Converts one more part to UTF-8.
    mutating func convert() throws(PropertyListError) {
        switch encoding {
        case .utf8:
            // Not validated here; each text is validated when it is read.
            converted = Array(unread)
            unread = []
        case .latin1:
            for byte in nextPart() {
                if byte < 0x80 { converted.append(byte) } else { converted += [0xC0 | byte >> 6, 0x80 | byte & 0x3F] }
            }
        case .utf16(let isBigEndian): try convert(nextPart(), isBigEndian)
        }
        isComplete = unread.isEmpty
    }

    private mutating func nextPart() -> ArraySlice<UInt8> {
        let part = unread.prefix(Self.partSize)
        unread = unread.dropFirst(part.count)
        return part
    }

    private mutating func convert(_ part: ArraySlice<UInt8>, _ isBigEndian: Bool) throws(PropertyListError) {
        var part = part
        let high = isBigEndian ? 0 : 1
        func unit(_ place: Int) -> UInt16 { UInt16(part[place + high]) << 8 | UInt16(part[place + 1 - high]) }
        // A surrogate pair must not be divided between two parts.
        if part.count >= 2, part.count.isMultiple(of: 2), UTF16.isLeadSurrogate(unit(part.endIndex - 2)) {
            part = part + unread.prefix(2)
            unread = unread.dropFirst(2)
        }
        let units = stride(from: part.startIndex, to: part.endIndex - 1, by: 2).map(unit)
        guard part.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw PropertyListError("it begins like UTF-16, but its text is not valid UTF-16")
        }
        converted += text.utf8
    }
}
