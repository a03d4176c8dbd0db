/// A dead letter: a record that cannot be delivered, kept with the reason for inspection.
public struct DeadLetter: Sendable {
    /// Its id, the same that it had as a pending record.
    public let id: Int64
    /// The record; nil if it could not be read as one.
    public let record: RecordContent?
    /// The bytes that could not be read as a record; nil if ``record`` is set.
    public let bytes: [UInt8]?
    /// The kind of the record, if known.
    public let kind: RecordKind?
    /// Why it cannot be delivered.
    public let reason: String
    /// When it became a dead letter, in milliseconds since 1970.
    public let died: Int64
}
