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
