/// The positions of a dictionary's keys.
///
/// Keys are compared by their bytes, because `String` treats keys that differ only in Unicode normalisation as equal.
/// The table is divided into many small dictionaries: growing one large dictionary would take longer than a job may run
/// before other calls are served.
struct KeyPlaces {
    private struct Key: Hashable {
        let text: String

        static func == (left: Key, right: Key) -> Bool {
            left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
        }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Fewer keys than this are searched without a table, which is equally fast.
    private static let few = 16
    private static let partCount = 64

    private var parts: [[Key: Int]] = []

    /// Finds a key among the members of a dictionary, or adds it for the position after the last member.
    ///
    /// - Returns: The position of the key; nil if it is new.
    mutating func insert(_ text: String, into members: [PropertyListValue.Member]) -> Int? {
        let key = Key(text: text)
        guard members.count >= Self.few else { return members.firstIndex { Key(text: $0.key) == key } }
        if parts.isEmpty {
            parts = Array(repeating: [:], count: Self.partCount)
            for (place, member) in members.enumerated() { _ = insert(Key(text: member.key), at: place) }
        }
        return insert(key, at: members.count)
    }

    private mutating func insert(_ key: Key, at place: Int) -> Int? {
        // The dictionary itself uses the lower bits of the hash.
        let part = Int(UInt(bitPattern: key.hashValue) >> 32) % Self.partCount
        if let known = parts[part][key] { return known }
        parts[part][key] = place
        return nil
    }
}
