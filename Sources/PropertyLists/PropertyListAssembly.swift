/// Builds a value from the parts of a file in order, and enforces the limits.
///
/// It stores the incomplete containers, so that reading can pause anywhere and continue later.
struct PropertyListAssembly {
    private struct Container {
        let isDictionary: Bool
        var elements: [PropertyListValue] = []
        var members: [PropertyListValue.Member] = []
        var places = KeyPlaces()
        /// The key whose value is next.
        var key: String?
    }

    private let limits: PropertyListLimits
    private let valueLimit: Int
    private let readsUIDs: Bool
    private var values = 0
    private var bytes = 0
    private var containers: [Container] = []
    /// The value, if it is complete.
    private(set) var root: PropertyListValue?

    /// An empty assembly.
    ///
    /// - Parameters:
    ///   - limits: The limits of the file.
    ///   - size: The size of the file in bytes.
    ///   - readsUIDs: Whether a dictionary may represent a UID, as in XML.
    init(limits: PropertyListLimits, size: Int, readsUIDs: Bool = false) {
        self.limits = limits
        self.readsUIDs = readsUIDs
        valueLimit = limits.values(ofSize: size)
    }

    /// The number of incomplete containers.
    var depth: Int { containers.count }

    /// Whether a key must come next: the innermost container is a dictionary whose last key has its value.
    var needsKey: Bool { containers.last.map { $0.isDictionary && $0.key == nil } ?? false }

    /// The key whose value is next; nil if there is none.
    var key: String? { containers.last?.key }

    // MARK: Limits

    /// Counts the bytes of a text or of data.
    mutating func count(bytes count: Int) throws(PropertyListError) {
        bytes += count
        guard bytes <= limits.bytes else {
            throw PropertyListError("its texts and data have more than \(limits.bytes) bytes")
        }
    }

    private mutating func countValue() throws(PropertyListError) {
        values += 1
        guard values <= valueLimit else {
            throw PropertyListError("it expands to more values than a file of its size may have: \(valueLimit)")
        }
    }

    // MARK: Values

    /// Begins an array or a dictionary.
    mutating func open(isDictionary: Bool) throws(PropertyListError) {
        try countValue()
        guard containers.count < limits.depth else {
            throw PropertyListError("arrays and dictionaries are nested more than \(limits.depth) deep")
        }
        containers.append(Container(isDictionary: isDictionary))
    }

    /// Ends the innermost container.
    mutating func close() {
        guard let container = containers.popLast() else { return }
        guard container.isDictionary else { return place(.array(container.elements)) }
        let uid = readsUIDs ? Self.uid(container.members) : nil
        place(uid ?? .dictionary(container.members))
    }

    /// Adds the key of the next value.
    mutating func add(key: String) { containers[containers.count - 1].key = key }

    /// Adds a value that is not a container.
    mutating func add(_ value: PropertyListValue) throws(PropertyListError) {
        try countValue()
        place(value)
    }

    private mutating func place(_ value: PropertyListValue) {
        let last = containers.count - 1
        guard last >= 0 else { return root = value }
        guard containers[last].isDictionary else { return containers[last].elements.append(value) }
        guard let key = containers[last].key else { return }
        containers[last].key = nil
        let member = PropertyListValue.Member(key, value)
        // The last value of a repeated key wins, as in Apple's XML reader.
        if let known = containers[last].places.insert(key, into: containers[last].members) {
            containers[last].members[known] = member
        } else {
            containers[last].members.append(member)
        }
    }

    /// The UID that a dictionary represents: in XML, `plutil` writes a UID as `CF$UID`.
    private static func uid(_ members: [PropertyListValue.Member]) -> PropertyListValue? {
        guard members.count == 1, members[0].key.utf8.elementsEqual("CF$UID".utf8) else { return nil }
        switch members[0].value {
        case .integer(let value) where value >= 0: return .uid(UInt64(value))
        case .unsigned(let value): return .uid(value)
        default: return nil
        }
    }
}
