import JSON

/// Reads a property list in XML that may have mistakes: what is not an element of a property list is passed over.
///
/// The range of a key, text or number is that of its characters between the tags.
struct PropertyListSyntax {
    private typealias Node = SyntaxTree.Node

    private struct Tag {
        let name: String
        let isEnd: Bool
        let isEmpty: Bool
        let range: Range<Int>
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    /// Deeper values are not read, so that a text cannot exhaust the stack.
    private static let depthLimit = 200

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value of a property list; nil for a text without one.
    static func read(_ bytes: [UInt8]) -> SyntaxTree.Node? {
        var reader = PropertyListSyntax(bytes)
        while let tag = reader.tag() {
            if !tag.isEnd, tag.name != "plist" { return reader.value(tag) }
        }
        return nil
    }

    // MARK: Values

    private mutating func value(_ tag: Tag) -> Node {
        let start = tag.range.lowerBound
        depth += 1
        defer { depth -= 1 }
        switch tag.name {
        case "dict" where tag.isEmpty || depth > Self.depthLimit: return .object([], tag.range, isClosed: true)
        case "array" where tag.isEmpty || depth > Self.depthLimit: return .array([], tag.range, isClosed: true)
        case "dict":
            let (members, isClosed) = members()
            return .object(members, start..<offset, isClosed: isClosed)
        case "array":
            var elements: [Node] = []
            while let tag = self.tag() {
                if tag.isEnd { return .array(elements, start..<offset, isClosed: true) }
                elements.append(value(tag))
            }
            return .array(elements, start..<offset, isClosed: false)
        case "true", "false":
            if !tag.isEmpty { _ = text(of: tag) }
            return .scalar(.bool(tag.name == "true"), tag.range)
        default:
            guard !tag.isEmpty else { return .scalar(.string(""), tag.range) }
            let (range, text) = text(of: tag)
            let number = ["integer", "real"].contains(tag.name) ? try? JSON(parsing: text) : nil
            return .scalar(number ?? .string(text), range)
        }
    }

    private mutating func members() -> ([SyntaxTree.Member], isClosed: Bool) {
        var members: [SyntaxTree.Member] = []
        while let tag = tag() {
            if tag.isEnd { return (members, true) }
            guard tag.name == "key" else {
                // A value without a key.
                _ = value(tag)
                continue
            }
            let (range, name) = tag.isEmpty ? (tag.range, "") : text(of: tag)
            let place = offset
            if let next = self.tag(), !next.isEnd, next.name != "key" {
                members.append(.init(name: name, nameRange: range, value: value(next)))
            } else {
                offset = place
                members.append(.init(name: name, nameRange: range, value: nil))
            }
        }
        return (members, false)
    }

    // MARK: Tokens

    private func isNext(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    private mutating func skip(past text: String) {
        while offset < bytes.count, !isNext(text) { offset += 1 }
        offset = min(offset + text.utf8.count, bytes.count)
    }

    /// The next tag, behind comments and what precedes the first element.
    private mutating func tag() -> Tag? {
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "<") else {
                offset += 1
                continue
            }
            if isNext("<!--") {
                skip(past: "-->")
            } else if isNext("<?") || isNext("<!") {
                skip(past: ">")
            } else {
                let start = offset
                skip(past: ">")
                let content = bytes[(start + 1)..<max(start + 1, offset - 1)]
                let isEnd = content.first == UInt8(ascii: "/")
                let name = content.dropFirst(isEnd ? 1 : 0).prefix { $0 >= 0x30 }
                return Tag(
                    name: String(decoding: name, as: UTF8.self),
                    isEnd: isEnd,
                    isEmpty: content.last == UInt8(ascii: "/"),
                    range: start..<offset
                )
            }
        }
        return nil
    }

    /// The text up to the tag that ends an element.
    private mutating func text(of tag: Tag) -> (Range<Int>, String) {
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
        let range = start..<offset
        if isNext("</\(tag.name)") { skip(past: ">") }
        return (range, Self.unescaped(String(decoding: bytes[range], as: UTF8.self)))
    }

    private static func unescaped(_ text: String) -> String {
        guard text.contains("&") else { return text }
        return text.replacing(/&(#x[0-9A-Fa-f]{1,6}|#[0-9]{1,7}|amp|lt|gt|quot|apos);/) { match -> String in
            switch match.1 {
            case "amp": return "&"
            case "lt": return "<"
            case "gt": return ">"
            case "quot": return "\""
            case "apos": return "'"
            case let code:
                let isHexadecimal = code.hasPrefix("#x")
                let number = UInt32(code.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
                return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? String(match.0)
            }
        }
    }
}
