import JSON

/// Reads JSON that may have mistakes: what is missing or superfluous is reported where it is, and the rest is still read.
struct JSONSyntax {
    typealias Node = SyntaxTree.Node
    typealias Member = SyntaxTree.Member

    private(set) var mistakes: [SyntaxTree.Mistake] = []
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int
    private var depth = 0

    /// Deeper values are not read, so that a text cannot exhaust the stack.
    private static let depthLimit = 200

    /// A text that is a part of a document, or all of it.
    init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
        self.bytes = bytes
        offset = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
    }

    /// Reads a value in each line that has one.
    static func readLines(_ bytes: [UInt8]) -> (Node, [SyntaxTree.Mistake]) {
        var elements: [Node] = []
        var mistakes: [SyntaxTree.Mistake] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            if !bytes[start..<end].allSatisfy({ spaces.contains($0) }) {
                var reader = JSONSyntax(bytes, start..<end)
                if let node = reader.read() { elements.append(node) }
                mistakes += reader.mistakes
            }
            start = end + 1
        }
        return (.array(elements, 0..<bytes.count, isClosed: false), mistakes)
    }

    /// Reads the value; nil for a text without one.
    mutating func read() -> Node? {
        if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        skipSpace()
        guard offset < end else {
            report("write a payload, such as {\"aps\":{\"alert\":\"Hello\"}}", 0..<0)
            return nil
        }
        let root = readValue()
        skipSpace()
        if offset < end { report("text follows the value", offset..<end) }
        return root
    }

    // MARK: Reading

    private mutating func report(_ message: String, _ range: Range<Int>) {
        mistakes.append(SyntaxTree.Mistake(message: message, range: range))
    }

    private var byte: UInt8? { offset < end ? bytes[offset] : nil }

    private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    private mutating func skipSpace() {
        while let byte, Self.spaces.contains(byte) { offset += 1 }
    }

    private mutating func readValue() -> Node {
        switch byte {
        case UInt8(ascii: "{"): container(UInt8(ascii: "}"))
        case UInt8(ascii: "["): container(UInt8(ascii: "]"))
        default: scalar()
        }
    }

    /// An object or an array, of which the opening bracket is next.
    private mutating func container(_ close: UInt8) -> Node {
        let start = offset
        offset += 1
        depth += 1
        defer { depth -= 1 }
        var members: [Member] = []
        var names: Set<String> = []
        var elements: [Node] = []
        func node(_ end: Int, isClosed: Bool = false) -> Node {
            close == UInt8(ascii: "}")
                ? .object(members, start..<end, isClosed: isClosed) : .array(elements, start..<end, isClosed: isClosed)
        }
        guard depth <= Self.depthLimit else {
            report("values nest at most \(Self.depthLimit) deep", start..<end)
            offset = end
            return node(end)
        }
        var needsComma = false
        while true {
            skipSpace()
            guard let byte else {
                report("\(close == UInt8(ascii: "}") ? "}" : "]") is missing", start..<(start + 1))
                return node(end)
            }
            if byte == close {
                offset += 1
                return node(offset, isClosed: true)
            }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                // It closes an outer container, or nothing.
                report("\(close == UInt8(ascii: "}") ? "}" : "]") is missing before it", offset..<(offset + 1))
                if depth == 1 { offset += 1 }
                return node(offset)
            }
            if byte == UInt8(ascii: ",") {
                let place = offset
                offset += 1
                skipSpace()
                if !needsComma || self.byte == close { report("this comma is superfluous", place..<(place + 1)) }
                needsComma = false
                continue
            }
            if needsComma { report("a comma is missing before it", offset..<min(offset + 1, end)) }
            needsComma = true
            if close == UInt8(ascii: "}") { members.append(member(&names)) } else { elements.append(readValue()) }
        }
    }

    private mutating func member(_ names: inout Set<String>) -> Member {
        let name = scalar()
        let text: String
        if case .scalar(let value?, _) = name, let string = value.string {
            text = string
        } else {
            text = ""
            if case .scalar(_?, let range) = name { report("a name is a text in double quotation marks", range) }
        }
        if !text.isEmpty, !names.insert(text).inserted { report("this name is there twice", name.range) }
        skipSpace()
        guard byte == UInt8(ascii: ":") else {
            report("a colon and a value are missing after the name", name.range)
            return Member(name: text, nameRange: name.range, value: nil)
        }
        offset += 1
        skipSpace()
        guard let byte, ![UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte) else {
            report("the value is missing", name.range)
            return Member(name: text, nameRange: name.range, value: nil)
        }
        return Member(name: text, nameRange: name.range, value: readValue())
    }

    /// A text up to its quotation mark or the end of its line, or anything else up to a delimiter.
    private mutating func scalar() -> Node {
        let start = offset
        if byte == UInt8(ascii: "\"") {
            offset += 1
            while let byte, byte != UInt8(ascii: "\""), byte != 0x0A, byte != 0x0D {
                offset += byte == UInt8(ascii: "\\") && offset + 1 < end && bytes[offset + 1] >= 0x20 ? 2 : 1
            }
            if byte == UInt8(ascii: "\"") {
                offset += 1
            } else {
                report("the quotation mark at the end is missing", start..<offset)
            }
        } else {
            while let byte, !Self.delimiters.contains(byte) { offset += 1 }
            // A delimiter that no caller takes is a value of its own, so that reading goes on.
            if offset == start { offset += 1 }
        }
        let range = start..<min(offset, end)
        let value = try? JSON(parsing: Array(bytes[range]))
        if value == nil, mistakes.last?.range != range {
            var message = "this is not a value"
            do throws(JSONParseError) { _ = try JSON(authored: Array(bytes[range])) } catch { message = error.message }
            report(message, range)
        }
        return .scalar(value, range)
    }

    private static let delimiters: Set<UInt8> = Set(" \t\r\n,:{}[]\"".utf8)
}
