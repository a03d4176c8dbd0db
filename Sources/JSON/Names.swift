internal import CJansson

/// A fixed list of names, in which a name is found by its bytes.
///
/// Names on the wire are compared as bytes, whereas Swift's strings are equal if they are canonically equivalent.
public final class Names: @unchecked Sendable {
    // Never changed after `init`, so that threads may share the list.
    let list: UnsafeMutableBufferPointer<cjansson_name>

    /// A list of names.
    public init(_ names: [String]) {
        list = .allocate(capacity: names.count)
        for (index, name) in names.enumerated() {
            let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: name.utf8.count)
            _ = bytes.initialize(from: name.utf8.lazy.map { CChar(bitPattern: $0) })
            list.initializeElement(at: index, to: cjansson_name(bytes: bytes.baseAddress, count: bytes.count))
        }
    }

    deinit {
        for name in list { name.bytes.deallocate() }
        list.deallocate()
    }

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
