/// A partition as its holder knows it: the entry, and the batch of records that the host holds.
///
/// The functions change a copy; the holder stores the copy's ``entry`` by compare-and-set and adopts the copy only when
/// that succeeded.
public struct PartitionState: Equatable, Sendable {
    /// A record of the batch.
    struct Record: Equatable, Sendable {
        /// Who has the record.
        enum Place: Equatable, Sendable {
            /// The host, which will settle it.
            case host
            /// The host was told not to send it. It may have been under way then, so the host may still settle it.
            case revoked
            /// The source: the host gave it back.
            case source
        }

        let sequence: Int64
        /// How often it may have been sent if the holder dies now.
        var count: Int
        /// Whether ``count`` has an attempt of the host that may be under way.
        var isBegun = false
        /// Whether no other record of the partition lies between this one and the one before it in the batch.
        var follows: Bool
        var place: Place
    }

    /// A record that the source may hand out.
    public struct Fetched: Equatable, Sendable {
        /// The record's id.
        public let sequence: Int64
        /// When the stream stored it, in nanoseconds since 1970.
        public let time: Int64
        /// The id of the record right before it in the partition; nil if that is not known.
        public let previous: Int64?
        /// Up to which id no other record of the partition follows it in its message.
        let end: Int64

        /// A record that was fetched.
        ///
        /// - Parameters:
        ///   - sequence: Its id: its sequence in the stream, perhaps with its place in the message.
        ///   - time: When the stream stored it, in nanoseconds since 1970.
        ///   - previous: The id of the record right before it in the partition; nil if that is not known.
        ///   - end: The last id that a record of its message can have, if it is the message's last record.
        public init(_ sequence: Int64, storedAt time: Int64, after previous: Int64?, end: Int64? = nil) {
            (self.sequence, self.time, self.previous, self.end) = (sequence, time, previous, end ?? sequence)
        }
    }

    /// A record that is handed out.
    public struct Claimed: Equatable, Sendable {
        /// The record's id.
        public let sequence: Int64
        /// How often it may have been sent before.
        public let possiblySent: Int
    }

    /// The entry without the open records of the batch.
    private var base: PartitionEntry
    /// The records of the batch that are not settled, ascending.
    private(set) var batch: [Record] = []

    /// The state of a relay that takes a partition over.
    ///
    /// - Parameters:
    ///   - entry: The entry as it is stored, or nil if there is none yet.
    ///   - stream: When the stream was created.
    ///   - relay: The identifier of the relay.
    public init(takingOver entry: PartitionEntry?, stream: String, relay: String) {
        // Sequences begin anew in a stream that was created again: what was settled in the old one is pending here.
        if let entry, entry.stream == stream { base = entry } else { base = PartitionEntry(stream: stream) }
        base.relay = relay
        base.change = (entry?.change ?? 0) + 1
    }

    /// The entry to store for this state.
    public var entry: PartitionEntry {
        var entry = base
        entry.open = OpenRanges()
        for record in batch { entry.open.append(record.sequence, count: record.count, follows: record.follows) }
        entry.open.append(contentsOf: base.open)
        return entry
    }

    /// The first record of the batch; nil if all are settled.
    public var first: Int64? { batch.first?.sequence }

    /// Whether the host holds records of the partition, so that no others may be handed out.
    public var isHandedOut: Bool { batch.contains { $0.place != .source } }

    /// The records that the host gave back, which come again first.
    public var returned: [Int64] { batch.filter { $0.place == .source }.map(\.sequence) }

    /// The records that were revoked while the host had them, and that it did not settle yet.
    public var revoked: [Int64] { batch.filter { $0.place == .revoked }.map(\.sequence) }

    /// Whether a message is a record of the batch.
    ///
    /// - Parameter sequence: The message's sequence.
    /// - Returns: Whether the batch has a record with that sequence that is not settled.
    public func isInBatch(_ sequence: Int64) -> Bool { index(of: sequence) != nil }

    /// Whether all records of a message were settled before, so that it only needs its acknowledgement.
    ///
    /// - Parameters:
    ///   - records: The ids that records of the message can have; one id asks for one record.
    ///   - time: When the stream stored it, in nanoseconds since 1970.
    /// - Returns: Whether all were claimed once and none is open any more.
    public func isSettled(_ records: ClosedRange<Int64>, storedAt time: Int64) -> Bool {
        guard base.isSettled(records, storedAt: time) else { return false }
        let next = place(of: records.lowerBound)
        return next == batch.count || batch[next].sequence > records.upperBound
    }

    /// Claims the next batch: the records that the host gave back, and then records that were fetched.
    ///
    /// They do not count as sent, so nothing needs to be stored: the next holder finds them open or above all claimed ones.
    ///
    /// - Parameters:
    ///   - fetched: Records in ascending order, none of them settled.
    ///   - limit: How many records may be claimed.
    /// - Returns: The claimed records; empty if there is none, or if the last batch is not settled.
    public mutating func claim(_ fetched: some Sequence<Fetched>, limit: Int) -> [Claimed] {
        guard !isHandedOut else { return [] }
        var claimed: [Claimed] = []
        for index in batch.indices.prefix(limit) {
            claimed.append(Claimed(sequence: batch[index].sequence, possiblySent: batch[index].count))
            batch[index].place = .host
        }
        // What was given back comes first, in one batch with what follows only if all of it fits.
        var room = limit - batch.count
        for record in fetched {
            guard room > 0 else { break }
            room -= 1
            let isKnown = base.isKnown(record.sequence, storedAt: record.time)
            let before = isKnown ? base.open.count(of: record.sequence) ?? 0 : 0
            claimed.append(Claimed(sequence: record.sequence, possiblySent: before))
            let follows = record.previous != nil && record.previous == batch.last?.sequence
            batch.append(Record(sequence: record.sequence, count: before, follows: follows, place: .host))
            // A message that is not known is the last one, though its sequence may have been used before.
            if !isKnown { base.top = record.end }
            base.time = max(base.time, record.time)
            // Records come in the stream's order, so what is below was removed from the stream.
            base.open.removeAll(through: record.sequence)
        }
        return claimed
    }

    /// Counts that the host may send records of the batch from now on.
    ///
    /// Records that are begun already do not count again, nor those that were revoked, which the host does not send.
    ///
    /// - Parameter sequences: The records.
    /// - Returns: The records that the host does not have, and whether anything must be stored.
    public mutating func begin(_ sequences: [Int64]) -> (unknown: [Int64], isChanged: Bool) {
        var unknown: [Int64] = []
        var isChanged = false
        for sequence in sequences {
            guard let index = index(of: sequence), batch[index].place != .source else {
                unknown.append(sequence)
                continue
            }
            guard batch[index].place == .host, !batch[index].isBegun else { continue }
            batch[index].isBegun = true
            batch[index].count += 1
            isChanged = true
        }
        if isChanged { base.change += 1 }
        return (unknown, isChanged)
    }

    /// What the host says of records.
    public struct Outcome: Equatable, Sendable {
        /// Delivered, or stored as dead letters.
        public var settled: [Int64] = []
        /// Perhaps delivered; the host keeps them, and begins them again before it delivers them once more.
        public var uncertain: [Int64] = []
        /// Begun and not sent; the host keeps them, and begins them again before it sends them.
        public var unsent: [Int64] = []
        /// Given back; not sent since they were begun, if they are.
        public var returned: [Int64] = []

        /// No records.
        public init() {}

        /// All records.
        public var all: [Int64] { settled + uncertain + unsent + returned }
    }

    /// Notes what the host says of records of the batch.
    ///
    /// - Parameter outcome: The records.
    /// - Returns: The records that the host does not have, of which nothing is noted.
    public mutating func settle(_ outcome: Outcome) -> [Int64] {
        var unknown: [Int64] = []
        var isChanged = false
        func change(_ sequences: [Int64], _ body: (inout PartitionState, Int) -> Void) {
            for sequence in sequences {
                guard let index = index(of: sequence), batch[index].place != .source else {
                    unknown.append(sequence)
                    continue
                }
                body(&self, index)
                isChanged = true
            }
        }
        change(outcome.uncertain) { $0.batch[$1].isBegun = false }
        change(outcome.unsent) { $0.withdraw($1) }
        change(outcome.returned) {
            $0.withdraw($1)
            $0.batch[$1].place = .source
        }
        remove(outcome.settled, &unknown, &isChanged)
        if isChanged { base.change += 1 }
        return unknown
    }

    /// Does not count the attempt of a record, if it is begun.
    private mutating func withdraw(_ index: Int) {
        guard batch[index].isBegun else { return }
        batch[index].isBegun = false
        batch[index].count -= 1
    }

    private mutating func remove(_ sequences: [Int64], _ unknown: inout [Int64], _ isChanged: inout Bool) {
        var removed = Set<Int64>()
        for sequence in sequences {
            if let index = index(of: sequence), batch[index].place != .source, removed.insert(sequence).inserted {
                continue
            }
            unknown.append(sequence)
        }
        guard !removed.isEmpty else { return }
        isChanged = true
        var kept: [Record] = []
        var follows = true
        for var record in batch {
            if removed.contains(record.sequence) {
                // The settled record stays in the stream, so no range may cover it.
                follows = false
                continue
            }
            record.follows = record.follows && follows
            follows = true
            kept.append(record)
        }
        batch = kept
    }

    /// Notes that the host was told not to send any record of the batch.
    ///
    /// - Returns: The records that the host had.
    public mutating func revoke() -> [Int64] {
        var revoked: [Int64] = []
        for index in batch.indices where batch[index].place == .host {
            batch[index].place = .revoked
            revoked.append(batch[index].sequence)
        }
        return revoked
    }

    /// Takes revoked records of which the host said nothing back; those that are begun count as possibly sent.
    public mutating func reclaimRevoked() {
        for index in batch.indices where batch[index].place == .revoked {
            (batch[index].place, batch[index].isBegun) = (.source, false)
        }
    }

    /// Frees the partition; what the host has begun counts as possibly sent.
    public mutating func release() {
        base.relay = nil
        base.change += 1
    }

    private func index(of sequence: Int64) -> Int? {
        let place = place(of: sequence)
        return place < batch.count && batch[place].sequence == sequence ? place : nil
    }

    /// The place of the first record of the batch that has at least that id.
    private func place(of sequence: Int64) -> Int {
        var (low, high) = (0, batch.count)
        while low < high {
            let middle = (low + high) / 2
            if batch[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
