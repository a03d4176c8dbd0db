/// When a relay may last have used its share of the rate limit: the destination may send while a record is begun.
///
/// Times are durations since a fixed moment.
public struct ShareUse: Equatable, Sendable {
    /// The records that may be under way.
    private var begun: Set<Int64> = []
    /// Until when they may be sent, whatever becomes of them.
    private var limit = Duration.zero
    /// When the last one was settled.
    private var ended: Duration?

    /// The use of a relay that has sent nothing.
    public init() {}

    /// Notes that records may be sent from now on.
    ///
    /// - Parameters:
    ///   - ids: The records.
    ///   - limit: Until when.
    public mutating func begin(_ ids: [Int64], until limit: Duration) {
        begun.formUnion(ids)
        self.limit = max(self.limit, limit)
    }

    /// Notes that nothing more is sent of records.
    ///
    /// - Parameters:
    ///   - ids: The records.
    ///   - now: The time.
    public mutating func end(_ ids: [Int64], at now: Duration) {
        guard !begun.isEmpty else { return }
        begun.subtract(ids)
        ended = now
    }

    /// How long nothing can have been sent.
    ///
    /// - Parameters:
    ///   - since: From when on the answer counts.
    ///   - now: The time.
    /// - Returns: Zero if something may be under way.
    public func unused(since: Duration, at now: Duration) -> Duration {
        guard begun.isEmpty || limit < now else { return .zero }
        return now - max(since, ended ?? since, begun.isEmpty ? since : limit)
    }
}

/// How long a partition's part of the rate limit cannot have been used when a relay takes the partition.
public enum FreeShare {
    /// What counts as unused since ever.
    public static let ever = Duration.seconds(3_600)

    /// How exact the clocks of the servers are, which may differ from each other.
    static let tolerance = Duration.seconds(10)

    /// The time for which nobody can have used the part.
    ///
    /// - Parameters:
    ///   - entry: The partition's entry, which is free or held by a relay that is dead or this one; nil if nobody held it.
    ///   - entries: The entries of all partitions.
    ///   - stream: When the stream was created. If entries are of an earlier one, its relays may have used any part.
    ///   - isDead: Whether the entry's relay did not say for a lease that it lives. It sends nothing after two thirds of one.
    ///   - elapsed: How long ago the servers stored the entry, by their clocks.
    ///   - lease: The length of a lease.
    /// - Returns: The time; zero if it is not known.
    public static func age(
        _ entry: PartitionEntry?,
        among entries: some Sequence<PartitionEntry>,
        stream: String,
        isDead: Bool,
        elapsed: Duration,
        lease: Duration
    ) -> Duration {
        guard entries.allSatisfy({ $0.stream == stream }) else { return .zero }
        guard let entry else { return ever }
        guard entry.relay == nil else { return isDead ? lease / 3 : .zero }
        return min(ever, .milliseconds(entry.unused) + max(.zero, elapsed - tolerance))
    }
}
