#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Keeps C strings alive as long as it lives, for structures of the C library that point to them.
final class CStrings {
    private var strings: [UnsafeMutablePointer<CChar>] = []
    private var arrays: [UnsafeMutablePointer<UnsafePointer<CChar>?>] = []

    deinit {
        for string in strings { free(string) }
        for array in arrays { array.deallocate() }
    }

    /// A copy of a string.
    func copy(_ text: String) -> UnsafePointer<CChar> {
        guard let copy = strdup(text) else { fatalError("out of memory") }
        strings.append(copy)
        return UnsafePointer(copy)
    }

    /// An array of copies of strings.
    func copy(_ texts: [String]) -> UnsafeMutablePointer<UnsafePointer<CChar>?> {
        let array = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: max(texts.count, 1))
        array.initialize(repeating: nil, count: max(texts.count, 1))
        for (index, text) in texts.enumerated() { array[index] = copy(text) }
        arrays.append(array)
        return array
    }
}
