/// What nobody will take, kept with the reason until somebody looks.
public struct DeadLetter: Sendable {
    /// Its number, the one that it had as a pending record.
    public let id: Int64
    /// The record; absent where it could not be read as one.
    public let record: NewRecord?
    /// The bytes that could not be read.
    public let bytes: [UInt8]?
    /// What it was to become, as far as that is known.
    public let kind: RecordKind?
    /// Why nobody takes it.
    public let reason: String
    /// When it became a dead letter, in milliseconds since 1970.
    public let died: Int64
}
