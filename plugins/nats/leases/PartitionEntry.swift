internal import JSON

/// What the cluster stores about a partition: who holds it, and which of its records may have been sent.
///
/// A relay changes an entry only by compare-and-set on its revision, so two relays never hold a partition.
public struct PartitionEntry: Equatable, Sendable {
    /// The identifier of the relay that holds the partition, or nil if it is free.
    public var relay: String?
    /// When the stream was created; an entry of another stream with the same name says nothing of this one.
    public var stream: String
    /// A number that the holder increments with each change, so that it recognises its own change after a time-out.
    public var change: Int64
    /// The highest id up to which records were claimed.
    public var top: Int64
    /// The latest time at which the stream stored a claimed message, in nanoseconds since 1970.
    public var time: Int64
    /// The records that were claimed and not settled, with how often each may have been sent.
    public var open: OpenRanges

    /// The entry of a partition from which nothing was pulled yet.
    ///
    /// - Parameter stream: When the stream was created.
    public init(stream: String) {
        (relay, self.stream, change, top, time, open) = (nil, stream, 0, 0, 0, OpenRanges())
    }

    /// The first id that a record that is not settled may have, unless servers used sequences again.
    public var floor: Int64 { open.first ?? top + 1 }

    /// Whether a record of the stream may have been claimed before.
    ///
    /// Servers that lose power may lose the last messages and use their sequences again. Such a message is stored later
    /// than all that were claimed.
    ///
    /// - Parameters:
    ///   - record: The record's id.
    ///   - time: When the stream stored its message, in nanoseconds since 1970.
    /// - Returns: Whether it comes before everything that was not claimed yet.
    public func isKnown(_ record: Int64, storedAt time: Int64) -> Bool { record <= top && time <= self.time }

    /// Whether all records of a message were settled before, so that it only needs its acknowledgement.
    ///
    /// - Parameters:
    ///   - records: The ids that records of the message can have.
    ///   - time: When the stream stored it, in nanoseconds since 1970.
    /// - Returns: Whether all were claimed once and none is open any more.
    public func isSettled(_ records: ClosedRange<Int64>, storedAt time: Int64) -> Bool {
        isKnown(records.upperBound, storedAt: time) && !open.intersects(records)
    }
}

/// The error for an entry that cannot be read.
public struct PartitionEntryError: Error, Equatable, Sendable {
    /// What is wrong, for people.
    public let text: String
}

extension PartitionEntry {
    /// The entry as it is stored.
    public var bytes: [UInt8] {
        let entry: JSON = [
            "relay": JSON(relay), "stream": .string(stream), "change": .integer(change),
            "top": .integer(top), "time": .integer(time), "open": open.json,
        ]
        return entry.bytes
    }

    /// Reads a stored entry.
    ///
    /// - Parameter bytes: The value of the key.
    /// - Throws: An error if the value is not an entry.
    public init(_ bytes: [UInt8]) throws(PartitionEntryError) {
        let json: JSON
        do { json = try JSON(parsing: bytes) } catch { throw PartitionEntryError(text: "is not JSON: \(error)") }
        guard let stream = json["stream"]?.string, let change = json["change"]?.integer,
            let top = json["top"]?.integer, let time = json["time"]?.integer, let open = OpenRanges(json["open"]),
            // Both are counted on.
            (0...1 << 53).contains(change), (0..<Int64.max).contains(top)
        else { throw PartitionEntryError(text: "is not the entry of a partition") }
        relay = json["relay"]?.string
        (self.stream, self.change, self.top, self.time, self.open) = (stream, change, top, time, open)
    }
}
