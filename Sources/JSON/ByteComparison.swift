internal import CJansson

extension UnsafeRawBufferPointer {
    /// Whether both have the same bytes.
    ///
    /// `elementsEqual` compares one by one, which takes up to 38 instructions for a byte.
    public func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let baseAddress, let otherAddress = other.baseAddress else { return true }
        return memcmp(baseAddress, otherAddress, count) == 0
    }

    /// Whether these are the bytes of a text.
    func isEqual(to text: StaticString) -> Bool {
        isEqual(to: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

extension String {
    /// Whether the text has these bytes; `==` also equates texts that are canonically equivalent.
    public func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
        var text = self
        return text.withUTF8 { UnsafeRawBufferPointer($0).isEqual(to: bytes) }
    }
}
