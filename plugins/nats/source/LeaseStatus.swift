internal import PartitionLeases

extension Lease {
    /// A record that the host gets.
    struct Handout: Sendable {
        let record: FetchedRecord
        let possiblySent: Int
    }

    /// What other threads may know without waiting for a change of the entry that is under way.
    struct Status: Sendable {
        /// Whether there are records that may be handed out now.
        var isReady = false
        /// Whether the host has no record of the partition.
        var isIdle = true
        /// How many records were fetched and not claimed.
        var fetched = 0
        /// The size of their texts.
        var fetchedBytes = 0
        /// When the stream stored the oldest record that is not settled, as far as they were fetched.
        var oldest: Int64?
        /// What was received so far.
        var received = Received()
        /// Whether a new consumer is needed.
        var needsConsumer = true
        /// Whether the lease is to be released.
        var isReleasing = false
        /// Whether nothing more is handed out or fetched.
        var isEnding = false

        /// How much a consumer has delivered.
        struct Received: Equatable, Sendable {
            var messages = 0
            var records = 0
        }
    }
}

extension PartitionState.Outcome {
    /// Removes records.
    mutating func removeAll(in set: Set<Int64>) {
        guard !set.isEmpty else { return }
        settled.removeAll(where: set.contains)
        uncertain.removeAll(where: set.contains)
        unsent.removeAll(where: set.contains)
        returned.removeAll(where: set.contains)
    }
}
