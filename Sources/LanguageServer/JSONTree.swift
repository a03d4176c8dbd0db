package import JSON

/// A JSON text as a tree with the place of each part, which may have mistakes.
///
/// What is missing or superfluous is reported where it is, and the rest of the text is still read.
package struct JSONTree {
    /// A value.
    package indirect enum Node {
        case object([Member], Range<Int>)
        case array([Node], Range<Int>)
        /// A text, number or literal; nil if it is malformed.
        case scalar(JSON?, Range<Int>)

        /// Its bytes.
        package var range: Range<Int> {
            switch self {
            case .object(_, let range), .array(_, let range), .scalar(_, let range): range
            }
        }
    }

    /// A member of an object.
    package struct Member {
        package let name: String
        package let nameRange: Range<Int>
        /// Nil if it is missing.
        package let value: Node?

        /// Its bytes.
        package var range: Range<Int> {
            nameRange.lowerBound..<max(nameRange.upperBound, value?.range.upperBound ?? 0)
        }
    }

    /// A part that is not JSON.
    package struct Mistake {
        package let message: String
        package let range: Range<Int>
    }

    /// The value; nil for a text without one.
    package private(set) var root: Node?
    package private(set) var mistakes: [Mistake] = []

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    /// Deeper values are not read, so that a text cannot exhaust the stack.
    private static let depthLimit = 200

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        skipSpace()
        guard offset < bytes.count else {
            report("write a payload, such as {\"aps\":{\"alert\":\"Hello\"}}", 0..<0)
            return
        }
        root = readValue()
        skipSpace()
        if offset < bytes.count { report("text follows the value", offset..<bytes.count) }
    }

    // MARK: Looking up

    /// A value without its mistakes: what is malformed is null, what is missing is left out.
    package var value: JSON { root.map(Self.json) ?? .null }

    private static func json(_ node: Node) -> JSON {
        switch node {
        case .object(let members, _):
            JSON.object(JSON.Object(members.compactMap { member in member.value.map { (member.name, json($0)) } }))
        case .array(let elements, _): JSON(elements.map(json))
        case .scalar(let value, _): value ?? .null
        }
    }

    /// What a JSON Pointer names: a member or an element.
    ///
    /// - Returns: The range of its name, if it has one, and that of its value; of the part that exists if the whole does
    ///   not; nil for a text without a value.
    package func find(_ pointer: String) -> (name: Range<Int>?, value: Range<Int>)? {
        guard var node = root else { return nil }
        var found: (name: Range<Int>?, value: Range<Int>) = (nil, node.range)
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = step.replacing("~1", with: "/").replacing("~0", with: "~")
            switch node {
            case .object(let members, _):
                guard let member = members.last(where: { $0.name == name }) else { return found }
                found = (member.nameRange, member.value?.range ?? member.nameRange)
                guard let value = member.value else { return found }
                node = value
            case .array(let elements, _):
                guard let index = Int(name), elements.indices.contains(index) else { return found }
                node = elements[index]
                found = (nil, node.range)
            case .scalar: return found
            }
        }
        return found
    }

    /// The members that contain an offset, from the outermost to the innermost, and whether it is in the last one's name.
    package func path(to offset: Int) -> (steps: [String], isInName: Bool) {
        var steps: [String] = []
        var next = root
        while let node = next {
            next = nil
            switch node {
            case .object(let members, _):
                guard
                    let member = members.last(where: {
                        $0.nameRange.lowerBound <= offset && offset <= $0.range.upperBound
                    })
                else { break }
                steps.append(member.name)
                if offset <= member.nameRange.upperBound { return (steps, true) }
                next = member.value
            case .array(let elements, _):
                guard
                    let index = elements.firstIndex(where: {
                        $0.range.lowerBound <= offset && offset <= $0.range.upperBound
                    })
                else { break }
                steps.append(String(index))
                next = elements[index]
            case .scalar: break
            }
        }
        return (steps, false)
    }

    /// The innermost object or array that contains an offset between its brackets.
    package func container(at offset: Int) -> (steps: [String], node: Node)? {
        func search(_ node: Node, _ steps: [String]) -> (steps: [String], node: Node)? {
            guard node.range.lowerBound < offset, offset <= node.range.upperBound else { return nil }
            switch node {
            case .object(let members, let range):
                for member in members {
                    if let value = member.value, let found = search(value, steps + [member.name]) { return found }
                }
                return offset == range.upperBound && bytes[range.upperBound - 1] == UInt8(ascii: "}")
                    ? nil : (steps, node)
            case .array(let elements, let range):
                for (index, element) in elements.enumerated() {
                    if let found = search(element, steps + [String(index)]) { return found }
                }
                return offset == range.upperBound && bytes[range.upperBound - 1] == UInt8(ascii: "]")
                    ? nil : (steps, node)
            case .scalar: return nil
            }
        }
        return root.flatMap { search($0, []) }
    }

    // MARK: Reading

    private mutating func report(_ message: String, _ range: Range<Int>) {
        mistakes.append(Mistake(message: message, range: range))
    }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
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
        var elements: [Node] = []
        func node(_ end: Int) -> Node {
            close == UInt8(ascii: "}") ? .object(members, start..<end) : .array(elements, start..<end)
        }
        guard depth <= Self.depthLimit else {
            report("values nest at most \(Self.depthLimit) deep", start..<bytes.count)
            offset = bytes.count
            return node(bytes.count)
        }
        var needsComma = false
        while true {
            skipSpace()
            guard let byte else {
                report("\(close == UInt8(ascii: "}") ? "}" : "]") is missing", start..<(start + 1))
                return node(bytes.count)
            }
            if byte == close {
                offset += 1
                return node(offset)
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
            if needsComma { report("a comma is missing before it", offset..<min(offset + 1, bytes.count)) }
            needsComma = true
            if close == UInt8(ascii: "}") { members.append(member(in: members)) } else { elements.append(readValue()) }
        }
    }

    private mutating func member(in others: [Member]) -> Member {
        let name = scalar()
        let text: String
        if case .scalar(let value?, _) = name, let string = value.string {
            text = string
        } else {
            text = ""
            if case .scalar(_?, let range) = name { report("a name is a text in double quotation marks", range) }
        }
        if !text.isEmpty, others.contains(where: { $0.name == text }) { report("this name is there twice", name.range) }
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
                offset += byte == UInt8(ascii: "\\") && offset + 1 < bytes.count && bytes[offset + 1] >= 0x20 ? 2 : 1
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
        let range = start..<min(offset, bytes.count)
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
