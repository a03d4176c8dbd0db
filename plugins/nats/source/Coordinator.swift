internal import ExtensionKit
internal import NATS
internal import PartitionLeases
internal import Synchronization

/// The thread that says that this relay lives, sees which others do, and takes and releases partitions.
///
/// `@unchecked`: what changes is only used by the thread, or while the lock is held.
final class Coordinator: @unchecked Sendable {
    /// How long the host may take until it settled the last record that was revoked while it was sent.
    static let patience = Duration.seconds(65)
    /// How long a relay that no other one lets wait does nothing, so that relays that start together share at once.
    static let gathering = Duration.milliseconds(500)

    private let relay: Relay
    private var presence: Presence
    private var observer: PresenceObserver
    /// The records of partitions without a lease are forgotten then, if the host does not settle them.
    private var deadlines: [Int: ContinuousClock.Instant] = [:]
    /// When revoked records of partitions with a lease are taken back.
    private var reclamation: ContinuousClock.Instant?
    private var problem: String?
    private let arrival = ContinuousClock.now
    /// Whether the relay still waits for others that start at this time.
    private var isGathering = true
    /// Held while the thread works, so that the relay can stop between two looks.
    private let working = Mutex(())

    init(_ relay: Relay) {
        self.relay = relay
        presence = Presence(relay)
        observer = PresenceObserver(lease: relay.settings.lease)
    }

    /// Starts the thread, and one that watches the lease.
    func start() {
        detachThread { [self] in run() }
        detachThread { [self] in watch() }
        detachThread { [relay] in Neighbours(relay).run() }
    }

    private var lease: Duration { relay.settings.lease }

    private func run() {
        // The first answer to the host has numbers already.
        let housekeeper = Housekeeper(relay)
        housekeeper.count()
        detachThread { housekeeper.run() }
        while !relay.isStopping {
            let start = ContinuousClock.now
            working.withLock { _ in look() }
            while !relay.isStopping {
                // While the servers do not answer, the lease goes on, so it is tried again soon.
                var pause = problem == nil ? lease / 3 : min(lease / 3, .milliseconds(500))
                if isGathering { pause = min(pause, Self.gathering) }
                let isChanged: Bool? = relay.board.wait(until: start + pause) { board in
                    guard board.hasSettled || board.isChanged || board.isStopping else { return nil }
                    defer { (board.hasSettled, board.isChanged) = (false, false) }
                    return board.isChanged
                }
                // Otherwise the time is over, or there are partitions to share in another way.
                guard isChanged == false else { break }
                working.withLock { _ in attempt { () throws(NATSError) in try releaseIdle() } }
            }
        }
    }

    /// Suspends the relay when it could not say for two thirds of a lease that it lives.
    private func watch() {
        while !relay.isStopping {
            let deadline = relay.board.read { $0.lastPresence } + lease * 2 / 3
            let isStopping: Bool? = relay.board.wait(until: deadline) { board in
                board.isStopping ? true : board.lastPresence + lease * 2 / 3 > deadline ? false : nil
            }
            guard isStopping == nil, !relay.board.read(\.isSuspended) else {
                // While it is suspended, it waits until the relay goes on.
                _ = relay.board.wait(until: .now + lease) { $0.isStopping || !$0.isSuspended ? () : nil }
                continue
            }
            relay.suspend()
        }
    }

    private func look() {
        guard !relay.isStopping else { return }
        attempt { () throws(NATSError) in
            let start = ContinuousClock.now
            try presence.renew()
            relay.board.update { $0.lastPresence = max($0.lastPresence, start) }
            guard try checkStream() else { return }
            let entries = try readEntries()
            try keepLeases(entries)
            resume()
            try share(entries)
            presence.removeDead(observer.longDead)
        }
    }

    private func attempt(_ body: () throws(NATSError) -> Void) {
        do throws(NATSError) {
            try body()
            if problem != nil { relay.log(.notice, "the servers answer again") }
            problem = nil
        } catch {
            if problem != error.text { relay.log(.warning, "\(error.text); it is tried again") }
            problem = error.text
        }
    }

    /// Whether the stream is still the one that this relay knows.
    private func checkStream() throws(NATSError) -> Bool {
        let info: StreamInfo?
        do throws(NATSError) {
            info = try relay.cluster.connection.stream(relay.cluster.stream)
        } catch  where error.kind == .notFound {
            info = nil
        }
        if let info, relay.cluster.isSame(info) { return true }
        let name = relay.cluster.stream
        relay.log(.warning, "the stream \(name) was deleted, created again or changed: the relay starts over")
        relay.loseAll()
        relay.board.update { $0.isStopping = true }
        try presence.remove()
        return false
    }

    private func readEntries() throws(NATSError) -> [String: KeyValueStore.Entry] {
        let start = ContinuousClock.now
        let entries = try relay.cluster.relays.entries()
        let relays = entries.compactMap { entry in
            Presence.relay(of: entry.key).map { ($0, entry.revision) }
        }
        let origin = Self.origin
        observer.observe(
            Dictionary(uniqueKeysWithValues: relays),
            from: origin.duration(to: start),
            to: origin.duration(to: .now)
        )
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0) })
    }

    private static let origin = ContinuousClock.now

    /// Finds out which leases were lost.
    private func keepLeases(_ entries: [String: KeyValueStore.Entry]) throws(NATSError) {
        for lease in relay.board.read(\.leases).values {
            do throws(NATSError) {
                if try lease.isOvertaken(by: entries[Cluster.key(lease.partition)]) { relay.lose(lease) }
            } catch  where error.kind == .conflict {
                relay.lose(lease)
            }
        }
    }

    /// Goes on after a suspension: the leases that are left are still this relay's.
    private func resume() {
        if let reclamation, reclamation < .now {
            for lease in relay.board.read(\.leases).values { lease.reclaimRevoked() }
            self.reclamation = nil
        }
        guard relay.board.read(\.isSuspended) else { return }
        for lease in relay.board.read(\.leases).values { lease.revoke() }
        reclamation = .now + Self.patience
        relay.board.update { $0.isSuspended = false }
        relay.log(.notice, "the servers answer again; \(relay.board.read(\.leases).count) partitions are still held")
    }

    /// Takes and releases partitions, so that each live relay holds its share.
    private func share(_ entries: [String: KeyValueStore.Entry]) throws(NATSError) {
        let leases = relay.board.read(\.leases)
        var stored: [Int: PartitionEntry] = [:]
        let holders = (0..<relay.partitions).map { partition -> String? in
            if leases[partition] != nil { return relay.identifier }
            guard let entry = entries[Cluster.key(partition)] else { return nil }
            do throws(PartitionEntryError) {
                let read = try PartitionEntry(entry.value)
                stored[partition] = read
                // The holder of a partition of an earlier stream holds nothing.
                return read.stream == relay.cluster.created ? read.relay : nil
            } catch {
                relay.log(.error, "the key \(entry.key) of the bucket \(relay.cluster.relays.bucket) \(error.text)")
                return "unreadable"
            }
        }
        var live = observer.live
        if holders.contains("unreadable") { live.insert("unreadable") }
        let others = Set(holders.compactMap(\.self)).subtracting([relay.identifier])
        let oldest = others.compactMap { entries[Presence.key(of: $0)].flatMap(Presence.oldest) }
        relay.board.update { $0.oldestOfOthers = oldest.min() }
        isGathering =
            isGathering && arrival + Self.gathering > .now && live.isDisjoint(with: holders.compactMap(\.self))
        guard !isGathering else { return }
        let share = FairShare(
            of: relay.identifier,
            holders: holders,
            leased: Set(leases.keys),
            releasing: Set(leases.filter(\.value.status.isReleasing).keys),
            live: live,
            busy: Self.busy(holders, live, entries)
        )
        for partition in share.freed {
            try free(partition, stored[partition], entries[Cluster.key(partition)]?.revision)
        }
        for partition in share.released { leases[partition]?.beginRelease() }
        try releaseIdle()
        for partition in share.taken where mayTake(partition) {
            try take(partition, stored, entries)
        }
        relay.announceShare()
    }

    /// The partitions in which records wait, as their holders say, or as the last holders said.
    private static func busy(
        _ holders: [String?],
        _ live: Set<String>,
        _ entries: [String: KeyValueStore.Entry]
    ) -> Set<Int> {
        let lists = entries.values.reduce(into: [:] as [String: Set<Int>]) { lists, entry in
            if let relay = Presence.relay(of: entry.key) { lists[relay] = Presence.busy(entry) }
        }
        let listed = lists.values.reduce(into: Set()) { $0.formUnion($1) }
        return listed.filter { partition in
            guard holders.indices.contains(partition) else { return false }
            guard let holder = holders[partition], live.contains(holder) else { return true }
            return lists[holder]?.contains(partition) ?? false
        }
    }

    /// Whether the host has no records of an earlier lease any more, which it could mistake for records of a new one.
    private func mayTake(_ partition: Int) -> Bool {
        let old = relay.handouts.ids(of: partition)
        guard !old.isEmpty else {
            deadlines[partition] = nil
            return true
        }
        let deadline = deadlines[partition] ?? .now + Self.patience
        deadlines[partition] = deadline
        guard deadline < .now else { return false }
        relay.handouts.remove(old)
        deadlines[partition] = nil
        return true
    }

    private func take(
        _ partition: Int,
        _ stored: [Int: PartitionEntry],
        _ entries: [String: KeyValueStore.Entry]
    ) throws(NATSError) {
        let (entry, own) = (stored[partition], entries[Cluster.key(partition)])
        let state = PartitionState(takingOver: entry, stream: relay.cluster.created, relay: relay.identifier)
        let stored: UInt64
        do throws(NATSError) {
            stored = try relay.cluster.store(state.entry, of: partition, revision: own?.revision)
        } catch  where error.kind == .conflict {
            // Another relay was faster, and something else may be free.
            relay.board.update { $0.isChanged = true }
            return
        }
        let lease = Lease(partition, state, revision: stored, relay)
        relay.board.update { $0.leases[partition] = lease }
        let from = entry?.relay.map { " from \($0)" } ?? ""
        relay.log(.info, "took partition \(partition)\(from)")
        Fetcher(lease: lease, cluster: relay.cluster, relay: relay).start()
    }

    /// Frees a partition that this relay holds without a lease.
    private func free(_ partition: Int, _ entry: PartitionEntry?, _ revision: UInt64?) throws(NATSError) {
        guard var entry, let revision else { return }
        entry.relay = nil
        entry.change += 1
        do throws(NATSError) {
            _ = try relay.cluster.store(entry, of: partition, revision: revision)
        } catch  where error.kind == .conflict {
            return
        }
        relay.log(.notice, "freed partition \(partition), which this relay held without knowing")
    }

    /// Releases the leases that exceed the share and of which the host has no record.
    private func releaseIdle() throws(NATSError) {
        for lease in relay.board.read(\.leases).values where lease.status.isReleasing && lease.status.isIdle {
            try release(lease)
        }
    }

    private func release(_ lease: Lease) throws(NATSError) {
        relay.board.update { $0.leases[lease.partition] = nil }
        // Before another relay can use this part of the rate limit.
        relay.announceShare()
        do throws(NATSError) {
            try lease.release()
        } catch {
            // Another relay has taken it over already.
            guard error.kind != .conflict else { return }
            relay.board.update { $0.leases[lease.partition] = lease }
            throw error
        }
        relay.log(.info, "released partition \(lease.partition)")
    }

    /// Ends without a word to the servers, because this relay cannot go on.
    func end() {
        relay.board.update { $0.isStopping = true }
        relay.loseAll()
        relay.cluster.connection.close()
    }

    /// Releases everything, so that the other relays need not wait for the end of the lease.
    func stop() {
        relay.board.update { $0.isStopping = true }
        working.withLock { _ in
            attempt { () throws(NATSError) in
                for lease in relay.board.read(\.leases).values { try release(lease) }
                try presence.remove()
            }
        }
        relay.cluster.connection.close()
    }
}
