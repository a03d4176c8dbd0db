/// Braze's limits on the size of records (braze.com, "User attributes object", "Event object", "Nested custom
/// attributes").
///
/// The defaults are the strict values where Braze's documents or contracts differ. The checks are methods of this
/// value, so every rule is applied with the caller's limits: the host uses its options when a record is
/// captured, the bundle `braze` with ``widest`` before it sends one.
public struct RecordLimits: Equatable, Sendable {
    /// The maximum length of names, keys and texts, in Unicode scalars, which Braze counts as characters.
    public var characters = 255
    /// The maximum number of properties of an event.
    public var properties = 256
    /// The maximum size of an event's properties, or of an attribute's value, in bytes of JSON.
    ///
    /// The suite measures it when it stores the value.
    public var valueBytes = 50 << 10
    /// The maximum number of elements of an array attribute, and of a change of one.
    public var arrayElements = 25
    /// The maximum nesting depth of values; a limit of this program.
    public var depth = 512

    /// The strict limits.
    public init() {}

    // MARK: Options

    /// The allowed range of ``valueBytes``: older documents say 50 KB, newer ones 100 KB.
    public static let valueBytesRange = 1...(1 << 20)
    /// The allowed range of ``arrayElements``: older documents say 25, newer ones 500.
    public static let arrayElementsRange = 1...500

    /// The widest limits that can be chosen.
    ///
    /// A record that was captured under any limits also satisfies these.
    public static let widest: RecordLimits = {
        var limits = RecordLimits()
        limits.valueBytes = valueBytesRange.upperBound
        limits.arrayElements = arrayElementsRange.upperBound
        return limits
    }()
}
