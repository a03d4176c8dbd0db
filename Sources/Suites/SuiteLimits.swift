/// The limits of a suite.
public struct SuiteLimits: Sendable {
    /// The maximum number of pending records.
    public var records: Int64
    /// The maximum size of their names, values and users, and of the keys and values of `store`, in bytes.
    public var bytes: Int64
    /// The maximum size of one record's value in bytes.
    public var valueBytes: Int
    /// The number of newest idempotency keys that are kept regardless of their age.
    public var idempotencyKeys: Int64
    /// How long a key is kept regardless of the number of newer ones, in milliseconds.
    public var idempotencyTime: Int64

    /// Limits for a suite.
    public init(
        records: Int64 = 10_000_000,
        bytes: Int64 = 4 << 30,
        valueBytes: Int = .max,
        idempotencyKeys: Int64 = .max,
        idempotencyTime: Int64 = .max
    ) {
        self.records = records
        self.bytes = bytes
        self.valueBytes = valueBytes
        self.idempotencyKeys = idempotencyKeys
        self.idempotencyTime = idempotencyTime
    }
}
