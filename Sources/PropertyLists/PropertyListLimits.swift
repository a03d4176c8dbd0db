/// The limits of a property list.
///
/// The objects of a binary file refer to each other by number, so a few bytes can describe an endless tree. A
/// value counts as often as it is reached.
public struct PropertyListLimits: Equatable, Sendable {
    /// How many containers may be nested.
    public var depth: Int
    /// How many values there may be.
    public var values: Int
    /// How many values there may be beyond one for each byte of the file: some writers share a few containers.
    public var sharedValues: Int
    /// How many bytes all texts and data may have.
    public var bytes: Int

    /// Limits that a file of an app or of a bundle does not reach.
    public init(depth: Int = 512, values: Int = 4 << 20, sharedValues: Int = 4_096, bytes: Int = 64 << 20) {
        self.depth = depth
        self.values = values
        self.sharedValues = sharedValues
        self.bytes = bytes
    }

    /// How many values a file of that size may expand to.
    func values(ofSize size: Int) -> Int { min(size, values) + sharedValues }
}
