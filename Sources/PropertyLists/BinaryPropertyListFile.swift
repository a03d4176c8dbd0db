/// Reads the structures of a binary property list; every access is checked against the bounds of the file.
struct BinaryPropertyListFile {
    private static let cutOff = PropertyListError(
        "it is a binary property list that is cut off or damaged: its last 32 bytes do not fit the rest"
    )
    private static let damaged = PropertyListError("it is cut off or damaged here")

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let table: Int
    /// The object number of the root.
    let root: Int

    init(_ bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.count >= 8 + 1 + 32 else { throw Self.cutOff }
        self.bytes = bytes
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        count = Self.number(bytes[(trailer + 8)..<(trailer + 16)])
        root = Self.number(bytes[(trailer + 16)..<(trailer + 24)])
        table = Self.number(bytes[(trailer + 24)..<(trailer + 32)])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), root < count,
            // Every object has at least one byte, so these sums cannot overflow.
            count < bytes.count, table < trailer, table + count * offsetSize <= trailer
        else { throw Self.cutOff }
    }

    /// A big-endian number of up to eight bytes; the maximum if it does not fit.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    // MARK: Offsets

    /// The offset at which an object begins.
    func offset(_ index: Int) throws(PropertyListError) -> Int {
        guard index < count else { throw PropertyListError("it refers to the object \(index) of \(count)") }
        let start = table + index * offsetSize
        return Self.number(bytes[start..<(start + offsetSize)])
    }

    /// The object number of a container's element.
    func reference(_ first: Int, _ place: Int) throws(PropertyListError) -> Int {
        guard place <= table else { throw Self.damaged }
        return Self.number(try slice(first + place * referenceSize, referenceSize))
    }

    /// Throws unless the file holds that many references at the offset.
    func checkReferences(_ first: Int, _ count: Int) throws(PropertyListError) {
        _ = try slice(first, count * referenceSize)
    }

    func slice(_ start: Int, _ count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
        // Objects lie before the table.
        guard start >= 8, count >= 0, count <= table, start <= table - count else { throw Self.damaged }
        return bytes[start..<(start + count)]
    }

    func byte(_ start: Int) throws(PropertyListError) -> UInt8 { try slice(start, 1)[start] }

    /// The offset of an object's content, and its count.
    ///
    /// A count of 15 or more follows the marker as an integer.
    func extent(_ start: Int) throws(PropertyListError) -> (first: Int, count: Int) {
        let low = try byte(start) & 0xF
        guard low == 0xF else { return (start + 1, Int(low)) }
        let marker = try byte(start + 1)
        guard marker >> 4 == 1, marker & 0xF <= 3 else { throw Self.damaged }
        let size = 1 << Int(marker & 0xF)
        let count = Int(clamping: try bits(start + 2, size))
        // Calculations with a greater count could overflow.
        guard count <= bytes.count else { throw Self.damaged }
        return (start + 2 + size, count)
    }

    // MARK: Objects

    /// The object at an offset, which must not be a container, a text or data.
    func scalar(_ start: Int) throws(PropertyListError) -> PropertyListValue {
        let marker = try byte(start)
        let low = marker & 0xF
        switch (marker >> 4, low) {
        case (0, 8): return .bool(false)
        case (0, 9): return .bool(true)
        case (1, 0...4): return try integer(start + 1, 1 << Int(low))
        case (2, 2): return .real(Double(Float(bitPattern: UInt32(try bits(start + 1, 4)))))
        case (2, 3): return .real(Double(bitPattern: try bits(start + 1, 8)))
        // Dates are seconds since 2001.
        case (3, 3): return .date(Double(bitPattern: try bits(start + 1, 8)) + 978_307_200)
        case (8, 0...7): return .uid(try bits(start + 1, Int(low) + 1))
        default: throw PropertyListError("a value has the unknown type \(marker)")
        }
    }

    private func bits(_ start: Int, _ count: Int) throws(PropertyListError) -> UInt64 {
        try slice(start, count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Integers of up to four bytes are unsigned, those of eight bytes are signed, and sixteen bytes hold larger ones.
    private func integer(_ start: Int, _ size: Int) throws(PropertyListError) -> PropertyListValue {
        guard size == 16 else { return .integer(Int64(bitPattern: try bits(start, size))) }
        let (high, low) = (try bits(start, 8), try bits(start + 8, 8))
        if high == 0 { return Int64(exactly: low).map { .integer($0) } ?? .unsigned(low) }
        guard high == .max, Int64(bitPattern: low) < 0 else {
            throw PropertyListError("an integer has more than 64 bits")
        }
        return .integer(Int64(bitPattern: low))
    }

    /// The text at an offset, whose marker must be that of a text.
    func text(_ start: Int) throws(PropertyListError) -> String {
        let (first, count) = try extent(start)
        guard try byte(start) >> 4 == 6 else {
            // ASCII, and UTF-8 in files of newer writers.
            guard let text = String(validating: try slice(first, count), as: UTF8.self) else {
                throw PropertyListError("a text is not UTF-8")
            }
            return text
        }
        let halves = try slice(first, 2 * count)
        let units = stride(from: halves.startIndex, to: halves.endIndex, by: 2)
        // Foundation's strings may contain unpaired surrogates; Swift's get the replacement character instead.
        return String(decoding: units.map { UInt16(halves[$0]) << 8 | UInt16(halves[$0 + 1]) }, as: UTF16.self)
    }
}
