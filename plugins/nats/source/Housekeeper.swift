internal import ExtensionKit
internal import NATS
internal import PartitionLeases

/// The thread that counts what is not settled, replaces consumers, and removes what was settled long ago.
///
/// Nothing waits for it: while servers are gone, its questions may take some time.
///
/// `@unchecked`: what changes is used by one thread at a time.
final class Housekeeper: @unchecked Sendable {
    private let relay: Relay
    /// The number of messages of each partition that are not settled, as its consumer said last.
    private var counts: [Int: UInt64] = [:]
    /// The number of messages that this relay's own consumers say are not acknowledged, delivered or not.
    private var open: [Int: UInt64] = [:]
    /// What had been received, the last time, of the partitions that wait for something.
    private var received: [Int: Lease.Status.Received] = [:]
    private var load = Load()
    private var settled = SettledFloor()
    private var problem = ""
    private let start = ContinuousClock.now

    init(_ relay: Relay) { self.relay = relay }

    private var cluster: Cluster { relay.cluster }

    /// Works until the relay ends.
    func run() {
        while !relay.isStopping {
            count()
            attempt { () throws(NATSError) in try replaceStalledConsumers() }
            attempt { () throws(NATSError) in try removeSettled() }
            let pause = min(relay.settings.lease / 3, .seconds(5))
            _ = relay.board.wait(until: .now + pause) { $0.isStopping ? () : nil }
        }
    }

    private func attempt(_ body: () throws(NATSError) -> Void) {
        do throws(NATSError) {
            try body()
        } catch {
            switch error.kind {
            // The coordinator says more about an outage.
            case .timeout, .unavailable, .closed: return
            default: break
            }
            if problem != error.text { relay.log(.warning, "\(error.text); it is tried again") }
            problem = error.text
        }
    }

    // MARK: Consumers

    /// Counts what is not settled, in the partitions of all relays.
    func count() {
        // Of consumers that the servers do not tell about now, it is unknown.
        open = [:]
        attempt { () throws(NATSError) in
            let info = try cluster.connection.stream(cluster.stream, subjects: ">")
            let consumers = Dictionary(grouping: try cluster.connection.consumers(of: cluster.stream), by: \.filter)
            var total: UInt64 = 0
            var waiting: [Int: UInt64] = [:]
            for partition in 0..<cluster.partitions {
                let own = consumers[cluster.filter(partition)] ?? []
                // A consumer is left over from an earlier holder if another one is further on.
                if let current = own.max(by: { $0.acknowledged < $1.acknowledged }) {
                    counts[partition] = current.unacknowledged
                }
                // Without a consumer, nobody has held the partition yet, unless the servers do not answer for it.
                waiting[partition] = counts[partition] ?? info.messages(of: partition)
                total += waiting[partition] ?? 0
                try removeOthers(own, of: partition)
            }
            let pending = try records(in: total, info)
            load.note(waiting.mapValues { total > 0 ? $0 * pending / total : 0 })
            relay.board.update { ($0.pending, $0.busy) = (pending, load.busy) }
        }
    }

    /// About how many records messages have: as those have that this relay received, or as the last one has.
    private func records(in messages: UInt64, _ info: StreamInfo) throws(NATSError) -> UInt64 {
        guard cluster.layout.isLinked, messages > 0 else { return messages }
        let received = relay.board.read(\.leases).values.map(\.status.received)
        let total = received.reduce((0, 0)) { ($0.0 + $1.messages, $0.1 + $1.records) }
        if total.0 > 0 { return UInt64(min(Double(messages) * Double(total.1) / Double(total.0), 1e15)) }
        guard let last = try cluster.connection.message(info.lastSequence, in: cluster.stream) else { return messages }
        return messages * UInt64(FetchedRecord.records(of: last, cluster.layout).count)
    }

    /// Deletes the consumers that earlier holders of a partition left.
    private func removeOthers(_ consumers: [ConsumerInfo], of partition: Int) throws(NATSError) {
        guard let lease = relay.board.read({ $0.leases[partition] }), !lease.status.needsConsumer,
            let own = consumers.first(where: { $0.name == lease.consumer })
        else { return }
        open[partition] = own.unacknowledged
        // One that is further on belongs to a later holder, of which this relay has not heard yet.
        for other in consumers where other.name != own.name && other.acknowledged <= own.acknowledged {
            try cluster.deleteConsumer(other.name)
        }
    }

    /// Replaces consumers that deliver nothing, although the stream has records for them, or that wait for
    /// acknowledgements of what is settled.
    ///
    /// When the servers of a cluster elect another leader, a consumer can stall, or count messages as not acknowledged
    /// that are: it would deliver them again only after ten minutes, and they count as pending until then.
    private func replaceStalledConsumers() throws(NATSError) {
        let last = received
        received = [:]
        for (partition, lease) in relay.board.read(\.leases) {
            let status = lease.status
            // What the host gave back is ready for it: no consumer needs to deliver that.
            guard status.isIdle, !status.isReady, status.fetched == 0, !status.needsConsumer, !status.isEnding
            else { continue }
            if open[partition, default: 0] == 0 {
                guard let message = try cluster.lastMessage(of: partition), !lease.isSettled(message) else { continue }
            }
            received[partition] = status.received
            guard last[partition] == status.received else { continue }
            relay.log(.notice, "the consumer of partition \(partition) does not go on; it is replaced")
            lease.replaceConsumer()
        }
    }

    // MARK: What is settled

    /// Removes what was settled a duplicate window ago: all relays know it, and the holder of the first partition acts.
    private func removeSettled() throws(NATSError) {
        let info = try cluster.connection.stream(cluster.stream)
        let window = info.configuration.duplicates
        guard cluster.isSame(info), settled.isDue(at: now, window: window) else { return }
        let floor = try cluster.floor(in: info)
        guard let first = settled.note(floor, at: now, window: window), first > Int64(clamping: info.firstSequence),
            relay.board.read({ $0.leases[0] }) != nil,
            // Again, since the floor means nothing in a stream that was created anew while it was found out.
            cluster.isSame(try cluster.connection.stream(cluster.stream))
        else { return }
        try cluster.connection.purge(cluster.stream, before: UInt64(first))
    }

    private var now: Duration { start.duration(to: .now) }
}

extension StreamInfo {
    /// The number of messages of a partition that are in the stream.
    fileprivate func messages(of partition: Int) -> UInt64 {
        subjects.reduce(0) { $0 + ($1.key.hasSuffix(".\(partition)") ? $1.value : 0) }
    }
}
