internal import CJansson

/// A fixed list of names, in which a name is found by its bytes.
///
/// Names on the wire are compared as bytes, whereas Swift's strings are equal if they are canonically equivalent.
public final class Names: @unchecked Sendable {
    // Neither is changed after `init`, so that threads may share the list.
    let list: UnsafeMutableBufferPointer<cjansson_name>
    /// The bytes of all names, one after the other.
    private let bytes: UnsafeMutableBufferPointer<CChar>

    /// A list of names.
    public convenience init(_ names: [String]) { self.init(nil, names) }

    /// The names of another list, and then more.
    private init(_ earlier: Names?, _ names: [String]) {
        let (oldCount, oldBytes) = (earlier?.list.count ?? 0, earlier?.bytes.count ?? 0)
        list = .allocate(capacity: oldCount + names.count)
        bytes = .allocate(capacity: names.reduce(oldBytes) { $0 + $1.utf8.count })
        var next = bytes.baseAddress
        for index in list.indices {
            let count: Int
            if let earlier, index < oldCount {
                count = earlier.list[index].count
                if let start = earlier.list[index].bytes { next?.initialize(from: start, count: count) }
            } else {
                count = names[index - oldCount].utf8.count
                names[index - oldCount].withCString { next?.initialize(from: $0, count: count) }
            }
            list.initializeElement(at: index, to: cjansson_name(bytes: next, count: count))
            next = next.map { $0 + count }
        }
    }

    deinit {
        bytes.deallocate()
        list.deallocate()
    }

    /// The list with another name at its end.
    @usableFromInline package func appending(_ name: String) -> Names { Names(self, [name]) }

    /// The index of a name; the cost grows with the length of the list.
    public func index(of name: UnsafeRawBufferPointer) -> Int? {
        let start = name.baseAddress?.assumingMemoryBound(to: CChar.self)
        let index = cjansson_index(list.baseAddress, list.count, start, name.count)
        return index < list.count ? index : nil
    }

    /// The index of a name; the cost grows with the length of the list.
    public func index(of name: String) -> Int? {
        name.utf8.withContiguousStorageIfAvailable { index(of: UnsafeRawBufferPointer($0)) } ?? nil
    }
}
