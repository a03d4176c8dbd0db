/// The positions of a dictionary's keys.
///
/// Keys are compared by their bytes: `String` treats keys that differ in Unicode normalisation as equal. The table
/// has many parts, so that none of them is large when it grows, which would exceed the slice of a job.
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

    /// As many keys are found as fast without a table.
    private static let few = 16
    private static let partCount = 64

    private var parts: [[Key: Int]] = []

    /// Finds a key among the members of a dictionary; a new one gets the place behind the last.
    ///
    /// - Returns: The place of the key; nil if it is new.
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
        // The lower bits choose the place within a part.
        let part = Int(UInt(bitPattern: key.hashValue) >> 32) % Self.partCount
        if let known = parts[part][key] { return known }
        parts[part][key] = place
        return nil
    }
}
