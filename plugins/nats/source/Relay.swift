internal import ExtensionKit
internal import NATS
internal import PartitionLeases

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// This process as one of the relays of a stream: the partitions that it holds, and the records that the host has.
///
/// The host that started it has a target `Relay`, which is the other end of this process's pipe.
final class Relay: Sendable {
    /// What the threads share.
    struct Board: Sendable {
        /// The leases by partition.
        var leases: [Int: Lease] = [:]
        /// The part of the rate limit that the host was told last.
        var announced: Double?
        /// The number of records in the stream that are not settled.
        var pending: UInt64 = 0
        /// The partitions, of all relays, in which records wait.
        var busy: Set<Int> = []
        /// When the stream stored the oldest of them that other relays have fetched.
        var oldestOfOthers: Int64?
        /// When this relay began to store that it lives, the last time that this succeeded.
        var lastPresence = ContinuousClock.now
        /// Whether other relays may take the partitions over, since they do not hear of this one.
        var isSuspended = false
        /// How often that happened.
        var suspensions = 0
        /// Whether the relay ends.
        var isStopping = false
        /// The partition from which the next claim is made first.
        var next = 0
        /// Whether the host has settled records since the coordinator looked.
        var hasSettled = false
        /// Whether another relay came, ended or released a partition since the coordinator looked.
        var isChanged = false
    }

    let identifier: String
    let settings: SourceSettings
    let cluster: Cluster
    var partitions: Int { cluster.partitions }
    let board = Monitor(Board())
    let handouts = Handouts()
    private let context: SourceContext

    /// A relay that holds nothing yet.
    ///
    /// - Parameters:
    ///   - cluster: The cluster.
    ///   - settings: The settings.
    ///   - context: The host.
    init(_ cluster: Cluster, _ settings: SourceSettings, _ context: SourceContext) {
        (self.cluster, self.settings, self.context) = (cluster, settings, context)
        identifier = String((0..<16).map { _ in "0123456789abcdef".randomElement() ?? "0" })
    }

    /// Writes into the host's log.
    func log(_ level: SourceContext.LogLevel, _ message: String) { context.log(level, message) }

    /// Whether the relay ends.
    var isStopping: Bool { board.read(\.isStopping) }

    /// Whether the relay can go on, perhaps after an outage.
    var isUsable: Bool { !isStopping && !cluster.connection.isClosed }

    // MARK: Records

    /// From which size on no further record is claimed in one call: the host reads lines of up to 16 MiB.
    private static let pullBytes = 1 << 20

    /// Claims records for the host.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records.
    ///   - deadline: Until when to wait for the first record.
    /// - Returns: The records.
    /// - Throws: Why none can be claimed; also if the relay was suspended all that time, so that nobody takes a stream
    ///   whose servers are gone for an empty one.
    func pull(_ limit: Int, until deadline: ContinuousClock.Instant) throws(NATSError) -> [Lease.Handout] {
        var records: [Lease.Handout] = []
        var bytes = Self.pullBytes
        while records.isEmpty {
            let ready = board.wait(until: deadline) { board -> [Lease]? in
                if board.isStopping { return [] }
                let leases = board.isSuspended ? [] : board.leases.values.filter(\.status.isReady)
                guard !leases.isEmpty else { return nil }
                // Every partition comes first in turn.
                let sorted = leases.sorted { $0.partition < $1.partition }
                let start = sorted.firstIndex { $0.partition >= board.next } ?? 0
                return Array(sorted[start...] + sorted[..<start])
            }
            guard let ready, !ready.isEmpty else {
                guard board.read({ $0.isSuspended && !$0.isStopping }) else { return [] }
                throw Self.suspended
            }
            for lease in ready where records.count < limit && bytes > 0 {
                do throws(NATSError) {
                    let claimed = try claim(limit - records.count, bytes, from: lease)
                    records += claimed
                    bytes -= claimed.reduce(0) { $0 + $1.record.bytes }
                } catch {
                    if error.kind == .conflict {
                        lose(lease)
                    } else if records.isEmpty {
                        throw error
                    }
                }
            }
        }
        return records
    }

    private func claim(_ limit: Int, _ bytes: Int, from lease: Lease) throws(NATSError) -> [Lease.Handout] {
        let suspensions = board.read(\.suspensions)
        let claimed = try lease.claim(limit, bytes: bytes)
        let mayBeSent = board.update { board in
            board.next = lease.partition + 1
            return board.suspensions == suspensions && board.leases[lease.partition] === lease
        }
        // Meanwhile another relay may have taken the partition over.
        if !mayBeSent { context.revoke(claimed.map(\.record.id)) }
        return claimed
    }

    /// Stores that the host may send records from now on.
    ///
    /// - Parameter ids: The records.
    /// - Returns: Those that do not belong to this relay any more, and until when the others may be sent.
    /// - Throws: Why not all is stored; also while the relay is suspended, since others may take the partitions over.
    func begin(_ ids: [Int64]) throws(NATSError) -> BegunRecords {
        // From before the entries are changed: a lease that was lost and a presence renewed since then must not add up.
        let (isSuspended, suspension) = board.read { ($0.isSuspended, $0.lastPresence + settings.lease * 2 / 3) }
        guard !isSuspended else { throw Self.suspended }
        let leases = board.read(\.leases)
        let partitions = handouts.all
        var groups: [Int: [Int64]] = [:]
        var lost: [Int64] = []
        for id in ids {
            if let partition = partitions[id], leases[partition] != nil {
                groups[partition, default: []].append(id)
            } else {
                lost.append(id)
            }
        }
        for (partition, own) in groups {
            guard let lease = leases[partition] else { continue }
            do throws(NATSError) {
                lost += try lease.begin(own)
            } catch {
                guard error.kind == .conflict else { throw error }
                lose(lease)
                lost += own
            }
        }
        handouts.remove(lost)
        let date = Date()
        return BegunRecords(lost: lost, sendUntil: date + ContinuousClock.now.duration(to: suspension) / .seconds(1))
    }

    private static let suspended = NATSError(.unavailable, "the servers did not answer for two thirds of a lease")

    /// Stores what became of records.
    ///
    /// - Parameter settlement: The records.
    /// - Returns: Those that do not belong to this relay any more.
    /// - Throws: Why not all is stored; the host repeats the call.
    func settle(_ settlement: SourceSettlement) throws(NATSError) -> [Int64] {
        var (outcomes, lost) = group(settlement)
        let reasons = Dictionary(settlement.dead.map { ($0.id, $0.reason) }) { first, _ in first }
        var stored: [Int64] = []
        var failure: NATSError?
        for (lease, outcome) in outcomes {
            do throws(NATSError) {
                lost += try lease.settle(outcome, dead: reasons)
                stored += outcome.all
            } catch {
                if error.kind == .conflict {
                    lose(lease)
                    lost += outcome.all
                } else {
                    failure = error
                }
            }
        }
        board.update { $0.hasSettled = true }
        if let failure {
            // The host repeats the call.
            handouts.noteStored(stored)
            throw failure
        }
        handouts.remove(lost)
        handouts.forgetStored()
        return lost
    }

    /// Notes that the answer of the last settlement is on its way to the host.
    func confirmSettlement() {
        for lease in board.read(\.leases).values { lease.confirmSettlement() }
        board.update { _ in }
    }

    private func group(_ settlement: SourceSettlement) -> (outcomes: [(Lease, PartitionState.Outcome)], lost: [Int64]) {
        let leases = board.read(\.leases)
        let (partitions, stored) = (handouts.all, handouts.stored)
        var outcomes: [Int: PartitionState.Outcome] = [:]
        var lost: [Int64] = []
        func add(_ ids: [Int64], _ list: WritableKeyPath<PartitionState.Outcome, [Int64]>) {
            var groups: [Int: [Int64]] = [:]
            for id in ids where !stored.contains(id) {
                if let partition = partitions[id], leases[partition] != nil {
                    groups[partition, default: []].append(id)
                } else {
                    lost.append(id)
                }
            }
            for (partition, own) in groups {
                outcomes[partition, default: PartitionState.Outcome()][keyPath: list] += own
            }
        }
        add(settlement.delivered, \.settled)
        add(settlement.dead.map(\.id), \.settled)
        add(settlement.uncertain, \.uncertain)
        add(settlement.unsent, \.unsent)
        add(settlement.retry, \.returned)
        return (outcomes.compactMap { partition, outcome in leases[partition].map { ($0, outcome) } }, lost)
    }

    // MARK: Leases

    /// Ends a lease that another relay has taken over.
    func lose(_ lease: Lease) {
        lease.lose()
        let isNew = board.update { board in
            guard board.leases[lease.partition] === lease else { return false }
            board.leases[lease.partition] = nil
            return true
        }
        guard isNew else { return }
        let revoked = handouts.ids(of: lease.partition)
        if !revoked.isEmpty { context.revoke(revoked) }
        log(.notice, "partition \(lease.partition) belongs to another relay now; \(revoked.count) records were revoked")
        announceShare()
    }

    /// Ends all leases, since the stream is another one now.
    func loseAll() {
        for lease in board.read(\.leases).values { lease.lose() }
        board.update { $0.leases = [:] }
        let revoked = Array(handouts.all.keys)
        if !revoked.isEmpty { context.revoke(revoked) }
    }

    /// Tells the host which part of the rate limit is its own.
    func announceShare() {
        let changed: Double? = board.update { board in
            let share = share(of: board)
            guard share != board.announced, !board.isStopping else { return nil }
            board.announced = share
            return share
        }
        if let changed { context.setShare(changed) }
    }

    /// The part of the rate limit that belongs to the partitions of this relay.
    ///
    /// Without any, nothing is sent; the host knows no share of 0, and next to nothing leaves the others theirs.
    func share(of board: Board) -> Double {
        board.leases.isEmpty ? 1e-6 / Double(partitions) : Double(board.leases.count) / Double(partitions)
    }

    /// When the stream stored the oldest record that this relay has fetched and not settled; nil if it has none.
    var oldest: Int64? { board.read(\.leases).values.compactMap(\.status.oldest).min() }

    /// The identifier of the stream, and its state for the host.
    func answer(_ records: [Lease.Handout]) -> PulledRecords {
        let (board, oldest) = (self.board.read { $0 }, self.oldest)
        return PulledRecords(
            records.map { $0.record.record(possiblySent: $0.possiblySent) },
            identity: StreamIdentity.digits(stream: cluster.stream, created: cluster.created),
            share: share(of: board),
            pending: Int64(clamping: board.pending),
            oldest: [oldest, board.oldestOfOthers].compactMap(\.self).min()?.timestamp
        )
    }

    /// Tells the host not to send what it has, since other relays may take the partitions over.
    func suspend() {
        board.update { board in
            board.isSuspended = true
            board.suspensions += 1
        }
        let revoked = Array(handouts.all.keys)
        if !revoked.isEmpty { context.revoke(revoked) }
        let text = "the servers did not answer for two thirds of a lease; \(revoked.count) records were revoked"
        log(revoked.isEmpty ? .notice : .warning, text)
    }
}

extension Int64 {
    /// Nanoseconds since 1970 as RFC 3339 in UTC with milliseconds.
    fileprivate var timestamp: String {
        let date = Date(timeIntervalSince1970: Double(self / 1_000_000) / 1_000)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

extension SourceSettlement {
    /// All records of the settlement.
    var ids: [Int64] { delivered + dead.map(\.id) + uncertain + retry + unsent }
}
