/// Converts the bytes of an XML file to UTF-8, part by part.
struct XMLText {
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
