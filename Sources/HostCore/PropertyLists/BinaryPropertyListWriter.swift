internal import PropertyLists

/// Writes the binary form (`bplist00`), as Foundation does: equal texts stand there once.
struct BinaryPropertyListWriter {
    private enum Object {
        case scalar([UInt8])
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var objects: [Object] = []
    private var texts: [String.UTF8Bytes: Int] = [:]

    static func write(_ value: PropertyListValue) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        let top = writer.add(value)
        return writer.bytes(top: top)
    }

    private mutating func add(_ value: PropertyListValue) -> Int {
        switch value {
        case .string(let text): return add(text)
        case .array(let values):
            let index = reserve()
            objects[index] = .array(values.map { add($0) })
            return index
        case .dictionary(let members):
            let index = reserve()
            let keys = members.map { add($0.key) }
            objects[index] = .dictionary(keys: keys, values: members.map { add($0.value) })
            return index
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

    private mutating func add(_ text: String) -> Int {
        let key = String.UTF8Bytes(text)
        if let index = texts[key] { return index }
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let units = isASCII ? [] : Array(text.utf16)
        let bytes =
            isASCII
            ? Self.head(5, text.utf8.count) + text.utf8
            : Self.head(6, units.count) + units.flatMap { UInt64($0).bytes(2) }
        let index = append(bytes)
        texts[key] = index
        return index
    }

    private mutating func append(_ bytes: [UInt8]) -> Int {
        objects.append(.scalar(bytes))
        return objects.count - 1
    }

    private mutating func reserve() -> Int { append([]) }

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

    private func bytes(top: Int) -> [UInt8] {
        let referenceSize = UInt64(objects.count).bytesNeeded
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt64] = []
        for object in objects {
            offsets.append(UInt64(bytes.count))
            switch object {
            case .scalar(let scalar): bytes += scalar
            case .array(let values):
                bytes += Self.head(0xA, values.count)
                for value in values { bytes += UInt64(value).bytes(referenceSize) }
            case .dictionary(let keys, let values):
                bytes += Self.head(0xD, keys.count)
                for reference in keys + values { bytes += UInt64(reference).bytes(referenceSize) }
            }
        }
        let table = UInt64(bytes.count)
        let offsetSize = table.bytesNeeded
        for offset in offsets { bytes += offset.bytes(offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        return bytes + UInt64(objects.count).bytes(8) + UInt64(top).bytes(8) + table.bytes(8)
    }
}

extension String {
    /// A text compared byte for byte; String compares canonical forms.
    fileprivate struct UTF8Bytes: Hashable {
        let text: String

        init(_ text: String) { self.text = text }

        static func == (left: UTF8Bytes, right: UTF8Bytes) -> Bool {
            left.text.utf8.elementsEqual(right.text.utf8)
        }

        func hash(into hasher: inout Hasher) {
            for byte in text.utf8 { hasher.combine(byte) }
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
