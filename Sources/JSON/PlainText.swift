/// Checks JSON text without parsing it, as far as that is quick.
///
/// Compact text as this program writes it is nearly always plain. What is not plain may still be JSON: then it is parsed.
package struct PlainText: ~Copyable {
    /// The maximum depth of plain text, and the maximum number of names in each object, which are compared in pairs.
    private static let (depth, names) = (16, 24)

    private let text: UnsafeRawBufferPointer
    private var position = 0
    private var isASCII = true

    /// Whether a text is plain and an object, which ``JSON/init(parsing:)-(UnsafeRawBufferPointer)`` accepts.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - reserved: The names that the object must not have.
    /// - Returns: False also for an object that is not plain.
    package static func isObject(_ text: UnsafeRawBufferPointer, without reserved: [StaticString]) -> Bool {
        var reader = PlainText(text: text)
        guard reader.object(reserved, depth: 0), reader.position == text.count else { return false }
        return reader.isASCII || String(validating: text, as: UTF8.self) != nil
    }

    /// Finds members of a plain object.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - text: The text in UTF-8.
    ///   - places: Receives the place of each value in the text; an empty one for a member that is absent.
    /// - Returns: The number of members with other names; nil if the text is no plain object.
    static func find(
        _ names: Names,
        in text: UnsafeRawBufferPointer,
        _ places: UnsafeMutableBufferPointer<Range<Int>>
    ) -> Int? {
        places.update(repeating: 0..<0)
        var reader = PlainText(text: text)
        reader.members = (names, places)
        guard reader.object([], depth: 0), reader.position == text.count else { return nil }
        return reader.isASCII || String(validating: text, as: UTF8.self) != nil ? reader.unknown : nil
    }

    /// The members of the outer object that are searched for, and where the places of their values are stored.
    private var members: (names: Names, places: UnsafeMutableBufferPointer<Range<Int>>)?
    /// The number of members of the outer object with other names.
    private var unknown = 0

    private init(text: UnsafeRawBufferPointer) { self.text = text }

    private func isNext(_ byte: UInt8) -> Bool { position < text.count && text[position] == byte }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard isNext(byte) else { return false }
        position += 1
        return true
    }

    private mutating func skip(literal: StaticString) -> Bool {
        let end = position + literal.utf8CodeUnitCount
        guard end <= text.count, UnsafeRawBufferPointer(rebasing: text[position..<end]).isEqual(to: literal) else {
            return false
        }
        position = end
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        guard position < text.count, depth < Self.depth else { return false }
        return switch text[position] {
        case UInt8(ascii: "\""): string(allowsEscapes: true) != nil
        case UInt8(ascii: "{"): object([], depth: depth)
        case UInt8(ascii: "["): array(depth: depth)
        case UInt8(ascii: "t"): skip(literal: "true")
        case UInt8(ascii: "f"): skip(literal: "false")
        case UInt8(ascii: "n"): skip(literal: "null")
        default: number()
        }
    }

    private mutating func object(_ reserved: [StaticString], depth: Int) -> Bool {
        guard skip(UInt8(ascii: "{")) else { return false }
        if skip(UInt8(ascii: "}")) { return true }
        return withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: Self.names) { names in
            var count = 0
            repeat {
                // A name with an escape may be equal to another one that is written in another way.
                guard count < Self.names, let name = string(allowsEscapes: false) else { return false }
                let bytes = UnsafeRawBufferPointer(rebasing: text[name])
                for other in names[..<count] where other.count == name.count {
                    guard !bytes.elementsEqual(text[other]) else { return false }
                }
                guard !reserved.contains(where: bytes.isEqual) else { return false }
                names[count] = name
                count += 1
                let start = position + 1
                guard skip(UInt8(ascii: ":")), value(depth: depth + 1) else { return false }
                guard depth == 0, let members else { continue }
                if let index = members.names.index(of: bytes) {
                    members.places[index] = start..<position
                } else {
                    unknown += 1
                }
            } while skip(UInt8(ascii: ","))
            return skip(UInt8(ascii: "}"))
        }
    }

    private mutating func array(depth: Int) -> Bool {
        position += 1
        if skip(UInt8(ascii: "]")) { return true }
        repeat { guard value(depth: depth + 1) else { return false } } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "]"))
    }

    /// The place of the bytes between quotes; nil if there is no plain string.
    private mutating func string(allowsEscapes: Bool) -> Range<Int>? {
        guard skip(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while position < text.count {
            let byte = text[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return start..<position - 1 }
            if byte >= 0x80 { isASCII = false }
            guard byte >= 0x20 else { return nil }
            guard byte == UInt8(ascii: "\\") else { continue }
            guard allowsEscapes, position < text.count, Self.escapes.contains(text[position]) else { return nil }
            position += 1
        }
        return nil
    }

    private static let escapes = Array(#""\/bfnrt"#.utf8)

    /// A number with few digits, without an exponent: neither an integer nor a real is out of range.
    private mutating func number() -> Bool {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        let isZero = isNext(UInt8(ascii: "0"))
        let integer = digits()
        guard integer > 0, integer == 1 || !isZero else { return false }
        if skip(UInt8(ascii: ".")) { guard digits() > 0 else { return false } }
        return position - start <= 18
    }

    private mutating func digits() -> Int {
        let start = position
        while position < text.count, text[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return position - start
    }
}

extension JSON {
    /// An object that is written as a text and not read.
    ///
    /// - Parameter text: The text of a JSON object, which is not checked.
    package init(objectText text: [UInt8]) {
        let empty = Object([])
        self = .object(Object(node: withExtendedLifetime(empty) { Node(sharing: $0.node.pointer, text: text) }))
    }
}
