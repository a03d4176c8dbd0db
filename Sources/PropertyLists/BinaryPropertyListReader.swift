/// Reads the binary form (`bplist00`): objects, then where each begins, then a trailer.
///
/// Objects refer to each other by number, so a few bytes can stand for a tree without
/// end. What is read is bounded in depth and in what it all stands for.
struct BinaryPropertyListReader {
    /// The greatest size of all texts and data that a file stands for.
    private static let expansion = 64 << 20
    /// The greatest number of values that a file stands for.
    private static let values = 4 << 20
    private static let damaged = PropertyListError("it is a binary property list that is cut off or damaged")

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let top: Int
    private let table: Int
    private var expanded = 0
    /// How many values may still come: where nothing is shared each takes a byte and more,
    /// and some writers share a container or two.
    private var room: Int
    /// Texts by number: every event repeats the same keys.
    private var texts: [Int: String] = [:]

    static func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyListValue {
        var reader = try BinaryPropertyListReader(bytes)
        return try reader.value(reader.top, depth: 512)
    }

    private init(_ bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.count >= 8 + 1 + 32 else { throw Self.damaged }
        self.bytes = bytes
        room = min(bytes.count, Self.values) + 4_096
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        count = Self.number(bytes[(trailer + 8)..<(trailer + 16)])
        top = Self.number(bytes[(trailer + 16)..<(trailer + 24)])
        table = Self.number(bytes[(trailer + 24)..<(trailer + 32)])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), top < count,
            // Every object takes a byte and more, so that none of this can overflow.
            count < bytes.count, table < trailer, table + count * offsetSize <= trailer
        else { throw Self.damaged }
    }

    /// A number of up to eight bytes, the highest first; the greatest one where it is larger.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    private func slice(_ start: Int, _ count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
        // Objects lie before the table.
        guard start >= 8, count >= 0, count <= table, start <= table - count else { throw Self.damaged }
        return bytes[start..<(start + count)]
    }

    private mutating func value(_ index: Int, depth: Int) throws(PropertyListError) -> PropertyListValue {
        room -= 1
        guard room >= 0 else {
            throw PropertyListError("it is a binary property list that stands for more values than it could hold")
        }
        let start = try offset(index)
        let marker = try slice(start, 1)[start]
        let (high, low) = (marker >> 4, marker & 0xF)
        switch (high, low) {
        case (0, 8): return .bool(false)
        case (0, 9): return .bool(true)
        case (1, 0...4): return try integer(start + 1, 1 << Int(low))
        case (2, 2): return .real(Double(Float(bitPattern: UInt32(try bits(start + 1, 4)))))
        case (2, 3): return .real(Double(bitPattern: try bits(start + 1, 8)))
        // Dates count from 2001.
        case (3, 3): return .date(Double(bitPattern: try bits(start + 1, 8)) + 978_307_200)
        case (4, _):
            let (first, count) = try extent(start)
            try expand(count)
            return .data(Array(try slice(first, count)))
        case (5, _), (6, _), (7, _): return .string(try text(index))
        case (8, 0...7): return .uid(try bits(start + 1, Int(low) + 1))
        case (0xA, _), (0xD, _):
            guard depth > 0 else { throw PropertyListError("it nests more than \(512) deep") }
            let (first, count) = try extent(start)
            return high == 0xA
                ? .array(try array(first, count, depth - 1)) : .dictionary(try dictionary(first, count, depth - 1))
        default: throw PropertyListError("it is a binary property list with a value of the unknown type \(marker)")
        }
    }

    private mutating func array(_ first: Int, _ count: Int, _ depth: Int) throws(PropertyListError)
        -> [PropertyListValue]
    {
        var values: [PropertyListValue] = []
        for place in 0..<count {
            values.append(try value(try reference(first, place), depth: depth))
        }
        return values
    }

    private mutating func dictionary(_ first: Int, _ count: Int, _ depth: Int) throws(PropertyListError)
        -> [PropertyListValue.Member]
    {
        var members: [PropertyListValue.Member] = []
        for place in 0..<count {
            let key = try text(try reference(first, place))
            members.append(.init(key, try value(try reference(first, count + place), depth: depth)))
        }
        return members
    }

    // MARK: Parts

    private func offset(_ index: Int) throws(PropertyListError) -> Int {
        guard index < count else { throw Self.damaged }
        let start = table + index * offsetSize
        return Self.number(bytes[start..<(start + offsetSize)])
    }

    private func reference(_ first: Int, _ place: Int) throws(PropertyListError) -> Int {
        guard place <= table else { throw Self.damaged }
        return Self.number(try slice(first + place * referenceSize, referenceSize))
    }

    private func bits(_ start: Int, _ count: Int) throws(PropertyListError) -> UInt64 {
        try slice(start, count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// One to eight bytes; those of eight have a sign, and sixteen hold what is larger.
    private func integer(_ start: Int, _ size: Int) throws(PropertyListError) -> PropertyListValue {
        guard size == 16 else { return .integer(Int64(bitPattern: try bits(start, size))) }
        let (high, low) = (try bits(start, 8), try bits(start + 8, 8))
        if high == 0 { return Int64(exactly: low).map { .integer($0) } ?? .unsigned(low) }
        guard high == .max, Int64(bitPattern: low) < 0 else {
            throw PropertyListError("it is a binary property list with an integer of more than 64 bits")
        }
        return .integer(Int64(bitPattern: low))
    }

    /// Where the content of an object begins, and its count, which follows as an integer where it is 15 or more.
    private func extent(_ start: Int) throws(PropertyListError) -> (first: Int, count: Int) {
        let low = try slice(start, 1)[start] & 0xF
        guard low == 0xF else { return (start + 1, Int(low)) }
        let marker = try slice(start + 1, 1)[start + 1]
        guard marker >> 4 == 1, marker & 0xF <= 3 else { throw Self.damaged }
        let size = 1 << Int(marker & 0xF)
        let count = Int(clamping: try bits(start + 2, size))
        // More than the file has bytes is nothing that could be counted on with.
        guard count <= bytes.count else { throw Self.damaged }
        return (start + 2 + size, count)
    }

    private mutating func text(_ index: Int) throws(PropertyListError) -> String {
        if let text = texts[index] {
            try expand(text.utf8.count)
            return text
        }
        let start = try offset(index)
        let marker = try slice(start, 1)[start] >> 4
        let (first, count) = try extent(start)
        let text: String?
        switch marker {
        // ASCII, and UTF-8 in files of newer writers.
        case 5, 7: text = String(validating: try slice(first, count), as: UTF8.self)
        case 6:
            let halves = try slice(first, 2 * count)
            let units = stride(from: halves.startIndex, to: halves.endIndex, by: 2)
            // Foundation's strings may hold halves of pairs; ours take the replacement character.
            text = String(decoding: units.map { UInt16(halves[$0]) << 8 | UInt16(halves[$0 + 1]) }, as: UTF16.self)
        default: throw PropertyListError("it is a binary property list with a key that is no string")
        }
        guard let text else { throw Self.damaged }
        try expand(text.utf8.count)
        texts[index] = text
        return text
    }

    private mutating func expand(_ size: Int) throws(PropertyListError) {
        expanded += size
        guard expanded <= Self.expansion else {
            throw PropertyListError("it is a binary property list that stands for more than \(Self.expansion) bytes")
        }
    }
}
