internal import NATS
internal import PartitionLeases
internal import Synchronization

/// A partition that this relay holds: what was fetched from it, and what the host has of it.
///
/// All changes of the partition's entry are made here, one after the other. Any thread may call.
///
/// `@unchecked`: what changes is only used while the lock is held.
final class Lease: @unchecked Sendable {
    /// A change of the entry whose result is unknown, since the server did not answer: it is repeated until it is known.
    private struct Unresolved {
        let state: PartitionState
        /// What became of records, if the change stores that.
        let outcome: PartitionState.Outcome?
    }

    let partition: Int
    /// The name of the consumer.
    let consumer: String
    private let cluster: Cluster
    private let handouts: Handouts
    private let lock = Mutex(())
    private let published = Monitor(Status())
    private var state: PartitionState
    private var revision: UInt64
    private var unresolved: Unresolved?
    /// The records that were fetched and not claimed, in the stream's order, and the size of their texts.
    private var buffer: [(fetched: PartitionState.Fetched, record: FetchedRecord)] = []
    private var bufferBytes = 0
    /// The records of the batch.
    private var records: [Int64: FetchedRecord] = [:]
    /// The messages of these records, as they were delivered last, each with the number of its records that are not settled.
    private var messages: [UInt64: (message: Message, open: Int)] = [:]
    /// The last record of the partition that the consumer delivered.
    private var lastDelivered: Int64?
    private var received = Status.Received()
    private var isLost = false
    private var isReleasing = false
    /// Whether the host was not told yet that the records that it gave back are stored.
    private var isAwaitingAnswer = false
    private var needsConsumer = true

    /// A lease whose entry was just stored with that revision.
    init(_ partition: Int, _ state: PartitionState, revision: UInt64, _ relay: Relay) {
        (self.partition, self.state, self.revision) = (partition, state, revision)
        (consumer, cluster, handouts) = ("p\(partition)-\(relay.identifier)", relay.cluster, relay.handouts)
    }

    var status: Status { published.read(\.self) }

    /// Waits for a status, at most for that time.
    func wait(_ time: Duration, for condition: (Status) -> Bool) {
        _ = published.wait(until: .now + time) { condition($0) ? () : nil }
    }

    /// Uses the state while no other thread does, and publishes what became of it.
    private func exclusively<Result>(_ body: () throws(NATSError) -> Result) throws(NATSError) -> Result {
        try lock.withLock { _ throws(NATSError) in
            defer { publish() }
            return try body()
        }
    }

    private func publish() {
        let isEnding = isLost || isReleasing
        let status = Status(
            isReady: !isEnding && !isAwaitingAnswer && unresolved == nil && !state.isHandedOut
                && !(buffer.isEmpty && state.returned.isEmpty),
            isIdle: !state.isHandedOut,
            fetched: buffer.count,
            fetchedBytes: bufferBytes,
            oldest: [state.first.flatMap { records[$0]?.message.time }, buffer.first?.fetched.time].compactMap(\.self)
                .min(),
            received: received,
            needsConsumer: needsConsumer,
            isReleasing: isReleasing,
            isEnding: isEnding
        )
        published.update { $0 = status }
    }

    // MARK: What the host does

    /// Hands out records; nothing is stored, since the host must ``begin(_:)`` them before it sends them.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records.
    ///   - bytes: The size from which on no further record is added.
    /// - Returns: The records; none if there are none now.
    /// - Throws: `conflict` if the partition belongs to another relay now; other errors if an earlier change of the entry is
    ///   still unknown.
    func claim(_ limit: Int, bytes: Int) throws(NATSError) -> [Handout] {
        try exclusively { () throws(NATSError) in
            try resolve()
            guard !isLost, !isReleasing, !isAwaitingAnswer else { return [] }
            var next = state
            let claimed = next.claim(buffer.lazy.map(\.fetched), limit: fitting(limit, bytes))
            guard !claimed.isEmpty else { return [] }
            let ids = claimed.map(\.sequence)
            // What was given back is claimed first, and then the first of what was fetched.
            let new = claimed.count - state.returned.count
            for (fetched, record) in buffer.prefix(max(0, new)) {
                records[fetched.sequence] = record
                bufferBytes -= record.bytes
            }
            buffer.removeFirst(max(0, new))
            state = next
            handouts.add(ids, of: partition)
            return claimed.compactMap { claimed in
                records[claimed.sequence].map { Handout(record: $0, possiblySent: claimed.possiblySent) }
            }
        }
    }

    /// How many of the next records, those that were given back first, have about that size; at least one.
    private func fitting(_ limit: Int, _ bytes: Int) -> Int {
        let returned = state.returned
        var (count, size) = (0, 0)
        while count < min(limit, returned.count + buffer.count), size < bytes {
            let record = count < returned.count ? records[returned[count]] : buffer[count - returned.count].record
            size += record?.bytes ?? 0
            count += 1
        }
        return max(1, count)
    }

    /// Stores that the host may send records from now on.
    ///
    /// - Parameter ids: The records.
    /// - Returns: The records that the host does not have.
    /// - Throws: `conflict` if the partition belongs to another relay now; other errors if the host must not send them.
    func begin(_ ids: [Int64]) throws(NATSError) -> [Int64] {
        try exclusively { () throws(NATSError) in
            try resolve()
            guard !isLost else { throw NATSError.overtaken(partition) }
            var next = state
            let (unknown, isChanged) = next.begin(ids)
            if isChanged { try store(Unresolved(state: next, outcome: nil)) }
            return unknown
        }
    }

    /// Stores what became of records, and acknowledges those that are settled.
    ///
    /// - Parameters:
    ///   - outcome: The records.
    ///   - dead: The reasons of those that become dead letters.
    /// - Returns: The records that the host does not have.
    /// - Throws: `conflict` if the partition belongs to another relay now; other errors if the host must repeat the call.
    func settle(_ outcome: PartitionState.Outcome, dead: [Int64: String]) throws(NATSError) -> [Int64] {
        try exclusively { () throws(NATSError) in
            try resolve()
            guard !isLost else { throw NATSError.overtaken(partition) }
            // What was resolved just now may have been the same call.
            var outcome = outcome
            outcome.removeAll(in: handouts.stored)
            if !outcome.returned.isEmpty { isAwaitingAnswer = true }
            var next = state
            let unknown = next.settle(outcome)
            outcome.removeAll(in: Set(unknown))
            guard !outcome.all.isEmpty else { return unknown }
            for id in outcome.settled {
                guard let reason = dead[id], let record = records[id] else { continue }
                try cluster.storeDeadLetter(record, id, reason)
            }
            try store(Unresolved(state: next, outcome: outcome))
            finish(outcome)
            return unknown
        }
    }

    /// Notes that the host gets the answer of ``settle(_:dead:)``, so that records that it gave back may come again.
    func confirmSettlement() { try? exclusively { isAwaitingAnswer = false } }

    /// Removes what the host said the last word about.
    private func finish(_ outcome: PartitionState.Outcome) {
        handouts.remove(outcome.settled + outcome.returned)
        var settled: [Message] = []
        for id in outcome.settled {
            guard let sequence = records.removeValue(forKey: id)?.message.sequence, let entry = messages[sequence]
            else { continue }
            messages[sequence] = entry.open > 1 ? (entry.message, entry.open - 1) : nil
            if entry.open == 1 { settled.append(entry.message) }
        }
        acknowledge(settled)
    }

    // MARK: What the consumer does

    /// The entry by which a new consumer starts.
    var entry: PartitionEntry { lock.withLock { _ in state.entry } }

    /// Whether a message of the partition is settled.
    func isSettled(_ message: Message) -> Bool {
        let records = cluster.layout.records(of: Int64(clamping: message.sequence))
        return lock.withLock { _ in state.isSettled(records, storedAt: message.time) }
    }

    /// Begins anew with a new consumer, which delivers everything that is not settled.
    func beginDelivery() {
        try? exclusively {
            (buffer, bufferBytes) = ([], 0)
            lastDelivered = nil
            needsConsumer = false
        }
    }

    /// Notes that the consumer must be replaced.
    func replaceConsumer() { try? exclusively { needsConsumer = true } }

    /// Keeps messages that the consumer delivered, and acknowledges those that were settled before.
    ///
    /// - Throws: Why an earlier change of the entry is still unknown.
    func receive(_ delivered: [Message]) throws(NATSError) {
        try exclusively { () throws(NATSError) in
            try resolve()
            guard !isLost else { return }
            received.messages += delivered.count
            acknowledge(
                delivered.filter { message in
                    let records = FetchedRecord.records(of: message, cluster.layout)
                    received.records += records.count
                    let open = records.count(where: { keep($0) })
                    messages[message.sequence] = open > 0 ? (message, open) : nil
                    return open == 0
                }
            )
        }
    }

    /// Keeps a record; returns false if it is settled.
    private func keep(_ record: FetchedRecord) -> Bool {
        if state.isInBatch(record.id) {
            lastDelivered = record.id
            return true
        }
        let previous = lastDelivered
        lastDelivered = nil
        let time = record.message.time
        guard !state.isSettled(record.id...record.id, storedAt: time) else { return false }
        let fetched = PartitionState.Fetched(record.id, storedAt: time, after: previous, end: record.end)
        buffer.append((fetched, record))
        bufferBytes += record.bytes
        lastDelivered = record.id
        return true
    }

    // MARK: What the relay does

    /// Whether the entry that the relay read is newer than what this lease stored: another relay holds the partition.
    ///
    /// - Throws: Why a change whose result is unknown is still unknown; `conflict` if the lease is lost.
    func isOvertaken(by entry: KeyValueStore.Entry?) throws(NATSError) -> Bool {
        try exclusively { () throws(NATSError) in
            try resolve()
            // A read that began before the last change shows an older revision.
            return entry.map { $0.revision > revision } ?? true
        }
    }

    /// Hands out and fetches nothing more; the lease can be released when the host has settled its records.
    func beginRelease() { try? exclusively { isReleasing = true } }

    /// Frees the partition for other relays; what the host has begun counts as possibly sent.
    ///
    /// - Throws: Why it is not free.
    func release() throws(NATSError) {
        try exclusively { () throws(NATSError) in
            isReleasing = true
            try resolve()
            guard !isLost else { return }
            var next = state
            next.release()
            try store(Unresolved(state: next, outcome: nil))
            isLost = true
        }
    }

    /// Ends the lease, because the partition belongs to another relay.
    func lose() { try? exclusively { isLost = true } }

    /// Notes that the host was told not to send the records that it has.
    func revoke() { try? exclusively { _ = state.revoke() } }

    /// Takes back records that were revoked so long ago that the host will not settle them any more.
    func reclaimRevoked() {
        try? exclusively {
            handouts.remove(state.revoked)
            state.reclaimRevoked()
        }
    }

    // MARK: The entry

    /// Stores a change, or keeps it for later if the server does not answer.
    private func store(_ change: Unresolved) throws(NATSError) {
        do throws(NATSError) {
            revision = try cluster.store(change.state.entry, of: partition, revision: revision)
        } catch {
            switch error.kind {
            case .conflict: isLost = true
            case .timeout, .unavailable, .closed: unresolved = change
            default: break
            }
            throw error
        }
        state = change.state
    }

    /// Repeats the change whose result is unknown: the same bytes for the same revision.
    private func resolve() throws(NATSError) {
        guard let change = unresolved else { return }
        do throws(NATSError) {
            revision = try cluster.store(change.state.entry, of: partition, revision: revision)
        } catch  where error.kind == .conflict {
            guard let entry = try cluster.entry(of: partition), entry.value == change.state.entry.bytes else {
                (unresolved, isLost) = (nil, true)
                throw error
            }
            revision = entry.revision
        }
        unresolved = nil
        state = change.state
        if let outcome = change.outcome {
            // The host repeats the call that this change was made for.
            handouts.noteStored(outcome.all)
            finish(outcome)
        }
    }

    /// Acknowledges messages whose records are settled in the entry.
    private func acknowledge(_ settled: [Message]) {
        do throws(NATSError) {
            try cluster.connection.acknowledge(settled)
        } catch {
            // They are delivered again by the next consumer, and acknowledged then.
            needsConsumer = true
        }
    }
}
