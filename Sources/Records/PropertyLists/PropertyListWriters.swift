internal import Platform
internal import PropertyLists

/// Writes the XML format piece by piece, with the layout of Apple's tools.
struct XMLPropertyListWriter {
    private var output = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """.utf8
    )

    static func write(_ value: PropertyListValue) -> [UInt8] {
        var writer = XMLPropertyListWriter()
        writer.add(value, depth: 0)
        return writer.output + "</plist>\n".utf8
    }

    // MARK: Piece by piece

    /// The size so far in bytes.
    var size: Int { output.count }

    private var isRootOpen = false

    /// Begins an array as a member of the root dictionary.
    mutating func beginList(_ key: String) {
        openRoot()
        element("key", key, 1)
        line("<array>", 1)
    }

    mutating func addElement(_ value: PropertyListValue) { add(value, depth: 2) }

    mutating func endList() { line("</array>", 1) }

    /// Adds a value as a member of the root dictionary.
    mutating func addMember(_ key: String, _ value: PropertyListValue) {
        openRoot()
        element("key", key, 1)
        add(value, depth: 1)
    }

    /// Completes the file after everything was added; must be called once.
    mutating func finish() -> [UInt8] {
        line(isRootOpen ? "</dict>" : "<dict/>", 0)
        output += "</plist>\n".utf8
        defer { output = [] }
        return output
    }

    private mutating func openRoot() {
        if !isRootOpen { line("<dict>", 0) }
        isRootOpen = true
    }

    // MARK: Values

    /// Whether XML can represent a text: of the characters below the space it allows only the tab and the line ends.
    static func canWrite(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x1_0000...: true
            default: false
            }
        }
    }

    private mutating func add(_ value: PropertyListValue, depth: Int) {
        switch value {
        case .string(let text): element("string", text, depth)
        case .integer(let value): element("integer", String(value), depth)
        case .unsigned(let value): element("integer", String(value), depth)
        case .real(let value): element("real", Self.text(value), depth)
        case .bool(let value): line(value ? "<true/>" : "<false/>", depth)
        case .date(let seconds): element("date", Self.date(seconds), depth)
        case .data(let bytes): element("data", Data(bytes).base64EncodedString(), depth)
        // XML has no UID type and uses this dictionary.
        case .uid(let value):
            add(
                .dictionary([.init("CF$UID", Int64(exactly: value).map { .integer($0) } ?? .unsigned(value))]),
                depth: depth
            )
        case .array(let values):
            guard !values.isEmpty else { return line("<array/>", depth) }
            line("<array>", depth)
            for value in values { add(value, depth: depth + 1) }
            line("</array>", depth)
        case .dictionary(let members):
            guard !members.isEmpty else { return line("<dict/>", depth) }
            line("<dict>", depth)
            for member in members {
                element("key", member.key, depth + 1)
                add(member.value, depth: depth + 1)
            }
            line("</dict>", depth)
        }
    }

    private static func text(_ value: Double) -> String {
        value.isNaN ? "nan" : value.isInfinite ? (value < 0 ? "-infinity" : "+infinity") : value.description
    }

    /// A date in whole seconds, as the XML format has no fractions.
    private static func date(_ seconds: Double) -> String {
        // A date outside the years 0 to 9999 is clamped.
        let seconds = seconds.isNaN ? 0 : min(max(seconds.rounded(.down), -62_167_219_200), 253_402_300_799)
        return String(Timestamp.format(Int64(seconds) * 1000).dropLast(5)) + "Z"
    }

    private mutating func element(_ name: StaticString, _ text: String, _ depth: Int) {
        output.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: depth))
        output += "<\(name)>".utf8
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            // An XML reader would read a plain carriage return as a line feed.
            case UInt8(ascii: "\r"): output += "&#13;".utf8
            default: output.append(byte)
            }
        }
        output += "</\(name)>\n".utf8
    }

    private mutating func line(_ text: StaticString, _ depth: Int) {
        output.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: depth))
        output += "\(text)\n".utf8
    }
}

/// Writes the binary format (`bplist00`) piece by piece; equal strings are stored once, as Foundation does.
///
/// Containers refer to objects by their numbers, whose size is known only after the last object, so they follow
/// all other objects.
///
/// Foundation is not used, as it writes a property list only as a whole and without interruption: on Linux 100,000
/// records take 6 s and 420 MB. It also has no UIDs, and merges keys that differ only in Unicode normalisation.
struct BinaryPropertyListWriter {
    private struct Container {
        let number: Int
        let isDictionary: Bool
        let references: Range<Int>
    }

    private var output = Array("bplist00".utf8)
    /// The offset of each object, by its number.
    private var offsets: [Int] = []
    private var containers: [Container] = []
    /// The references of the containers; those of a dictionary are the keys, then the values.
    private var references: [UInt32] = []
    private var texts: [UTF8Bytes: UInt32] = [:]

    /// The references of the root dictionary's keys and values so far, and of the elements of its open array.
    private var keys: [UInt32] = []
    private var values: [UInt32] = []
    private var list: [UInt32] = []

    static func write(_ value: PropertyListValue) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        let top = writer.add(value)
        while !writer.writeContainers(while: { true }) {}
        return writer.trailer(top: top)
    }

    // MARK: Piece by piece

    /// A lower bound of the file's size so far, in bytes.
    var size: Int { output.count + references.count + offsets.count + list.count }

    /// Begins an array as a member of the root dictionary.
    mutating func beginList(_ key: String) { keys.append(add(key)) }

    mutating func addElement(_ value: PropertyListValue) { list.append(add(value)) }

    mutating func endList() {
        values.append(container(isDictionary: false, list))
        list = []
    }

    /// Adds a value as a member of the root dictionary.
    mutating func addMember(_ key: String, _ value: PropertyListValue) {
        keys.append(add(key))
        values.append(add(value))
    }

    /// Continues to complete the file, after everything was added.
    ///
    /// - Parameter mayContinue: Returns whether to continue; called after every container.
    /// - Returns: The bytes of the file; nil while it is incomplete.
    mutating func finish(while mayContinue: () -> Bool) -> [UInt8]? {
        if top == nil { top = container(isDictionary: true, keys + values) }
        guard writeContainers(while: mayContinue), let top else { return nil }
        return trailer(top: top)
    }

    /// The number of the root dictionary, once everything was added.
    private var top: UInt32?
    /// How many containers are written.
    private var written = 0

    // MARK: Objects

    private mutating func add(_ value: PropertyListValue) -> UInt32 {
        switch value {
        case .string(let text): return add(text)
        case .array(let values): return container(isDictionary: false, values.map { add($0) })
        case .dictionary(let members):
            let keys = members.map { add($0.key) }
            return container(isDictionary: true, keys + members.map { add($0.value) })
        case .bool(let value): return append([value ? 9 : 8])
        case .integer(let value): return append(Self.integer(value))
        case .unsigned(let value): return append([0x14] + [UInt8](repeating: 0, count: 8) + value.bytes(8))
        case .real(let value): return append([0x23] + value.bitPattern.bytes(8))
        case .date(let value): return append([0x33] + (value - 978_307_200).bitPattern.bytes(8))
        case .data(let bytes): return append(Self.head(4, bytes.count) + bytes)
        case .uid(let value):
            let size = value.bytesNeeded
            return append([0x80 | UInt8(size - 1)] + value.bytes(size))
        }
    }

    private mutating func add(_ text: String) -> UInt32 {
        let key = UTF8Bytes(text)
        if let number = texts[key] { return number }
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let units = isASCII ? [] : Array(text.utf16)
        let bytes =
            isASCII
            ? Self.head(5, text.utf8.count) + text.utf8
            : Self.head(6, units.count) + units.flatMap { UInt64($0).bytes(2) }
        let number = append(bytes)
        texts[key] = number
        return number
    }

    private mutating func append(_ bytes: [UInt8]) -> UInt32 {
        offsets.append(output.count)
        output += bytes
        return UInt32(offsets.count - 1)
    }

    private mutating func container(isDictionary: Bool, _ objects: [UInt32]) -> UInt32 {
        let start = references.count
        references += objects
        offsets.append(0)
        containers.append(
            Container(number: offsets.count - 1, isDictionary: isDictionary, references: start..<references.count)
        )
        return UInt32(offsets.count - 1)
    }

    // MARK: Bytes

    /// The bytes of an integer object; a negative one needs eight bytes, as shorter ones are unsigned.
    private static func integer(_ value: Int64) -> [UInt8] {
        let bits = UInt64(bitPattern: value)
        let size = bits <= 0xFF ? 1 : bits <= 0xFFFF ? 2 : bits <= 0xFFFF_FFFF ? 4 : 8
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bits.bytes(size)
    }

    /// The first byte of an object, which contains the count; a count of 15 or more follows as an integer.
    private static func head(_ type: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [type << 4 | UInt8(count)] : [type << 4 | 0xF] + integer(Int64(count))
    }

    private var referenceSize: Int { UInt64(offsets.count).bytesNeeded }

    /// Continues to write the containers.
    ///
    /// - Returns: Whether all of them are written.
    private mutating func writeContainers(while mayContinue: () -> Bool) -> Bool {
        let size = referenceSize
        while written < containers.count {
            let container = containers[written]
            offsets[container.number] = output.count
            let count = container.isDictionary ? container.references.count / 2 : container.references.count
            output += Self.head(container.isDictionary ? 0xD : 0xA, count)
            for reference in references[container.references] { output.append(bigEndian: UInt64(reference), size) }
            written += 1
            guard mayContinue() else { return written == containers.count }
        }
        return true
    }

    private mutating func trailer(top: UInt32) -> [UInt8] {
        let table = UInt64(output.count)
        let offsetSize = table.bytesNeeded
        for offset in offsets { output.append(bigEndian: UInt64(offset), offsetSize) }
        output += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        output += UInt64(offsets.count).bytes(8) + UInt64(top).bytes(8) + table.bytes(8)
        defer { output = [] }
        return output
    }
}

/// A text that is compared byte by byte; String compares canonical forms.
private struct UTF8Bytes: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: UTF8Bytes, right: UTF8Bytes) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension [UInt8] {
    /// Appends the lowest bytes of a number in big-endian order.
    fileprivate mutating func append(bigEndian value: UInt64, _ count: Int) {
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}

extension UInt64 {
    /// The smallest of 1, 2, 4 and 8 bytes that suffice for the number.
    fileprivate var bytesNeeded: Int { self <= 0xFF ? 1 : self <= 0xFFFF ? 2 : self <= 0xFFFF_FFFF ? 4 : 8 }

    /// The lowest bytes of the number in big-endian order.
    fileprivate func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: self >> UInt64(8 * (count - 1 - $0))) }
    }
}
