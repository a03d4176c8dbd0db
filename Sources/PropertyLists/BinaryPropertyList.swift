/// Reads the binary form (`bplist00`), which consists of the objects, a table of their offsets and a trailer.
struct BinaryPropertyListReader {
    /// An array or a dictionary whose objects are being read.
    private struct Container {
        let index: Int
        let isDictionary: Bool
        let first: Int
        let count: Int
        var place = 0
    }

    /// The maximum number of cached keys.
    private static let keyLimit = 65_536

    private let file: BinaryPropertyListFile
    private let limits: PropertyListLimits
    private var assembly: PropertyListAssembly
    private var containers: [Container] = []
    /// Cached keys by their object numbers; every event repeats the same keys.
    private var keys: [Int: String] = [:]
    /// The offset of the object that is being read, for errors.
    private var position = 0

    init(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
        file = try BinaryPropertyListFile(bytes)
        self.limits = limits
        assembly = PropertyListAssembly(limits: limits, size: bytes.count)
    }

    /// The value, if it is complete.
    var value: PropertyListValue? { assembly.root }

    /// Reads one more value, or ends a container.
    mutating func step() throws(PropertyListError) {
        do throws(PropertyListError) {
            guard let container = containers.last else { return try read(file.root) }
            guard container.place < container.count else {
                containers.removeLast()
                return assembly.close()
            }
            containers[containers.count - 1].place += 1
            if container.isDictionary { assembly.add(key: try key(container)) }
            let values = container.isDictionary ? container.count : 0
            try read(try file.reference(container.first, values + container.place))
        } catch {
            throw error.placed(at: .offset(position))
        }
    }

    private mutating func read(_ index: Int) throws(PropertyListError) {
        let start = try file.offset(index)
        position = start
        let marker = try file.byte(start)
        switch (marker >> 4, marker & 0xF) {
        case (0xA, _): try open(index, start, isDictionary: false)
        case (0xD, _): try open(index, start, isDictionary: true)
        case (4, _):
            let (first, count) = try file.extent(start)
            try assembly.count(bytes: count)
            try assembly.add(.data(Array(try file.slice(first, count))))
        case (5...7, _):
            let text = try file.text(start)
            try assembly.count(bytes: text.utf8.count)
            try assembly.add(.string(text))
        default: try assembly.add(try file.scalar(start))
        }
    }

    private mutating func open(_ index: Int, _ start: Int, isDictionary: Bool) throws(PropertyListError) {
        let (first, count) = try file.extent(start)
        try file.checkReferences(first, isDictionary ? 2 * count : count)
        if assembly.depth == limits.depth, containers.contains(where: { $0.index == index }) {
            throw PropertyListError("an array or a dictionary holds itself")
        }
        try assembly.open(isDictionary: isDictionary)
        containers.append(Container(index: index, isDictionary: isDictionary, first: first, count: count))
    }

    private mutating func key(_ container: Container) throws(PropertyListError) -> String {
        let index = try file.reference(container.first, container.place)
        let key: String
        if let known = keys[index] {
            key = known
        } else {
            let start = try file.offset(index)
            position = start
            guard (5...7).contains(try file.byte(start) >> 4) else { throw PropertyListError("a key is not a string") }
            key = try file.text(start)
            if keys.count < Self.keyLimit { keys[index] = key }
        }
        try assembly.count(bytes: key.utf8.count)
        return key
    }
}

/// Reads the structures of a binary property list; every access is checked against the bounds of the file.
private struct BinaryPropertyListFile {
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
