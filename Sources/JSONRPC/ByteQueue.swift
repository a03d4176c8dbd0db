/// Bytes to be written: appended at the end, removed from the front.
public struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0

    /// A queue without bytes.
    public init() {}

    /// The number of bytes that wait.
    public var count: Int { bytes.count - start }

    /// Whether no byte waits.
    public var isEmpty: Bool { bytes.count == start }

    /// Lets the closure append bytes; it must not remove any.
    ///
    /// - Parameter body: Appends to the array it is given.
    public mutating func append(_ body: (inout [UInt8]) -> Void) {
        body(&bytes)
    }

    /// Lends the bytes that wait to a writer, and removes as many as it wrote.
    ///
    /// - Parameter writer: Returns how many of the bytes it wrote.
    public mutating func drain(_ writer: (UnsafeRawBufferPointer) -> Int) {
        start += bytes.withUnsafeBytes { writer(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        if start == bytes.count {
            // Up to a mebibyte is kept for the next bytes; the memory of a burst is freed.
            bytes.removeAll(keepingCapacity: bytes.count <= 1 << 20)
            start = 0
        } else if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
    }

    /// Drops everything.
    public mutating func removeAll() {
        bytes = []
        start = 0
    }
}
