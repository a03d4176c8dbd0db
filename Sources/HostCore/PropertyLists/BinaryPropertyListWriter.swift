internal import PropertyLists

/// Writes the binary format (`bplist00`) piece by piece; equal strings are stored once, as Foundation does.
///
/// Containers refer to objects by their numbers, whose size is known only after the last object, so they follow
/// all other objects.
///
/// Foundation writes a list only as a whole, without interruption: on Linux 100,000 records take 6 s and 420 MB. It
/// also has no UIDs, and merges keys that differ only in Unicode normalisation.
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

    /// The root, a dictionary that is added to piece by piece, and its array that is open.
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

    /// The size so far in bytes, at least.
    var size: Int { output.count + references.count + offsets.count + list.count }

    /// Begins an array under a key of the root, which is a dictionary.
    mutating func beginList(_ key: String) { keys.append(add(key)) }

    mutating func addElement(_ value: PropertyListValue) { list.append(add(value)) }

    mutating func endList() {
        values.append(container(isDictionary: false, list))
        list = []
    }

    /// Adds a value under a key of the root.
    mutating func addMember(_ key: String, _ value: PropertyListValue) {
        keys.append(add(key))
        values.append(add(value))
    }

    /// Goes on to make the file, once all was added.
    ///
    /// - Parameter mayGoOn: Returns whether to continue; called after every object.
    /// - Returns: The file; nil while there is more to do.
    mutating func finish(while mayGoOn: () -> Bool) -> [UInt8]? {
        if top == nil { top = container(isDictionary: true, keys + values) }
        guard writeContainers(while: mayGoOn), let top else { return nil }
        return trailer(top: top)
    }

    private var top: UInt32?
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

    /// Negative integers take eight bytes, as fewer have no sign.
    private static func integer(_ value: Int64) -> [UInt8] {
        let bits = UInt64(bitPattern: value)
        let size = bits <= 0xFF ? 1 : bits <= 0xFFFF ? 2 : bits <= 0xFFFF_FFFF ? 4 : 8
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bits.bytes(size)
    }

    /// The first byte with the count, which follows as an integer where it is 15 or more.
    private static func head(_ type: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [type << 4 | UInt8(count)] : [type << 4 | 0xF] + integer(Int64(count))
    }

    private var referenceSize: Int { UInt64(offsets.count).bytesNeeded }

    /// Goes on to write the containers, and says whether all of them are there.
    private mutating func writeContainers(while mayGoOn: () -> Bool) -> Bool {
        let size = referenceSize
        while written < containers.count {
            let container = containers[written]
            offsets[container.number] = output.count
            let count = container.isDictionary ? container.references.count / 2 : container.references.count
            output += Self.head(container.isDictionary ? 0xD : 0xA, count)
            for reference in references[container.references] { output.append(bigEndian: UInt64(reference), size) }
            written += 1
            guard mayGoOn() else { return written == containers.count }
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

/// A text compared byte for byte; String compares canonical forms.
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
    /// Appends the lowest bytes of a number, the highest of them first.
    fileprivate mutating func append(bigEndian value: UInt64, _ count: Int) {
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}

extension UInt64 {
    /// How many of 1, 2, 4 and 8 bytes hold it.
    fileprivate var bytesNeeded: Int { self <= 0xFF ? 1 : self <= 0xFFFF ? 2 : self <= 0xFFFF_FFFF ? 4 : 8 }

    /// Its lowest bytes, the highest of them first.
    fileprivate func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: self >> UInt64(8 * (count - 1 - $0))) }
    }
}
