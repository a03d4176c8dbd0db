/// The limits of a property list.
///
/// The objects of a binary file refer to each other by number, so a few bytes can describe an endless tree. A
/// value that several objects refer to therefore counts once for each reference.
public struct PropertyListLimits: Equatable, Sendable {
    /// The maximum number of nested containers.
    public var depth: Int
    /// The maximum number of values, apart from ``sharedValues``.
    public var values: Int
    /// The number of values allowed in addition to one for each byte of the file: some writers share a few containers.
    public var sharedValues: Int
    /// The maximum number of bytes of all texts and data together.
    public var bytes: Int

    /// Limits; files of apps and bundles do not reach the defaults.
    public init(depth: Int = 512, values: Int = 4 << 20, sharedValues: Int = 4_096, bytes: Int = 64 << 20) {
        self.depth = depth
        self.values = values
        self.sharedValues = sharedValues
        self.bytes = bytes
    }

    /// The maximum number of values of a file of that size.
    func values(ofSize size: Int) -> Int { min(size, values) + sharedValues }
}
