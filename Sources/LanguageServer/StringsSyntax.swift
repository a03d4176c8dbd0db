import JSON
import Localization

/// Reads a `.strings` file that may have mistakes: everything but its entries is passed over.
///
/// The range of a key or text includes its quotation marks.
struct StringsSyntax {
    private let bytes: [UInt8]
    private var offset = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The entries of a file as the members of an object.
    static func read(_ bytes: [UInt8]) -> SyntaxTree.Node {
        var reader = StringsSyntax(bytes)
        var members: [SyntaxTree.Member] = []
        while let (name, range) = reader.token() {
            var value: SyntaxTree.Node?
            if reader.take("=") {
                let (text, range) = reader.token() ?? ("", reader.offset..<reader.offset)
                value = .scalar(.string(text), range)
            }
            _ = reader.take(";")
            members.append(.init(name: name, nameRange: range, value: value))
        }
        return .object(members, 0..<bytes.count, isClosed: false)
    }

    private func isNext(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    /// Passes over white space and comments.
    private mutating func skip() {
        while offset < bytes.count {
            if bytes[offset] <= 0x20 {
                offset += 1
            } else if isNext("//") {
                while offset < bytes.count, bytes[offset] != 0x0A, bytes[offset] != 0x0D { offset += 1 }
            } else if isNext("/*") {
                while offset < bytes.count, !isNext("*/") { offset += 1 }
                offset = min(offset + 2, bytes.count)
            } else {
                return
            }
        }
    }

    private mutating func take(_ text: String) -> Bool {
        skip()
        guard isNext(text) else { return false }
        offset += 1
        return true
    }

    /// The next text with or without quotation marks; other characters are passed over.
    private mutating func token() -> (String, Range<Int>)? {
        skip()
        while offset < bytes.count, !Self.isText(bytes[offset]) {
            offset += 1
            skip()
        }
        guard offset < bytes.count else { return nil }
        let start = offset
        let quote = bytes[offset]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            while offset < bytes.count, Self.isText(bytes[offset]), bytes[offset] != UInt8(ascii: "\"") { offset += 1 }
            return (String(decoding: bytes[start..<offset], as: UTF8.self), start..<offset)
        }
        offset += 1
        while offset < bytes.count, bytes[offset] != quote { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
        offset = min(offset, bytes.count)
        let content = bytes[(start + 1)..<offset]
        offset = min(offset + 1, bytes.count)
        let quoted = String(decoding: bytes[start..<offset], as: UTF8.self)
        return (String(quotedInStringsFile: quoted) ?? String(decoding: content, as: UTF8.self), start..<offset)
    }

    private static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte > 0x20 && ![UInt8(ascii: "="), UInt8(ascii: ";"), 0x7B, 0x7D].contains(byte)
    }
}
