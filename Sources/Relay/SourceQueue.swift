internal import Delivery
internal import Suites

/// The records that a relay has pulled from its source, as a queue for a flush.
///
/// Pulled records are this host's, and the source counts them as possibly sent once it has stored that it was told to begin
/// them. Claims and what became of records are collected, and the source stores each with one call at a time; the claims
/// and settlements of that call are then durable.
final class SourceQueue: RecordQueue {
    /// The records that were pulled and that the flush has not read yet.
    private var arrived: [StoredRecord] = []
    /// The records that this host keeps: pulled, and neither settled nor given back nor revoked.
    private(set) var kept: Set<Int64> = []
    /// The records that the source took back while they were being sent: what becomes of them is still stored.
    private var recalled: Set<Int64> = []
    private var claims: [Int64: Claim] = [:]
    private var lastClaim: Int64 = 0
    /// The outcomes of records: those that the source must still be told, and those that it is being told.
    private var waiting = Outcomes()
    private var sent = Outcomes()

    /// A batch of records that the flush sends, or is about to send.
    private struct Claim {
        /// How much the source knows of it.
        enum Stage {
            /// Nothing.
            case new
            /// It is being told.
            case beginning
            /// It has stored that the records may be sent.
            case begun
        }

        /// The records that this host still keeps.
        var records: Set<Int64>
        var stage: Stage
    }

    /// The outcomes of records.
    private struct Outcomes {
        /// By claim, as the flush settled it.
        var settlements: [Int64: Settlement] = [:]
        /// By claim, the records of which the settlement does not say the last word: the flush may claim them again.
        var open: [Int64: Set<Int64>] = [:]
        /// The records that were not delivered and must not be, each with the reason.
        var dead: [Int64: String] = [:]
        /// The records that are given back.
        var returned: Set<Int64> = []

        var isEmpty: Bool { settlements.isEmpty && dead.isEmpty && returned.isEmpty }

        mutating func remove(_ ids: Set<Int64>) {
            for id in ids {
                dead[id] = nil
                returned.remove(id)
            }
        }
    }

    /// The records among the kept ones that the source took back, whether they are being sent or given back.
    private var takenBack: Set<Int64> = []

    /// Whether the source must still store what became of records.
    var hasOutcomes: Bool { !waiting.isEmpty || !sent.isEmpty }

    // MARK: Pulled records

    /// Adds records that were pulled.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - dead: Records that become dead letters at once, with the reasons.
    ///   - returned: Records that are given back at once.
    /// - Returns: False if this host keeps one of the records already.
    func add(_ records: [StoredRecord], dead: [(id: Int64, reason: String)], returned: [Int64]) -> Bool {
        let ids = records.map(\.id) + dead.map(\.id) + returned
        // The source may hand out a record that was given back before it has answered that it got it back.
        let again = sent.returned.intersection(ids)
        guard kept.subtracting(again).isDisjoint(with: ids) else { return false }
        sent.returned.subtract(again)
        takenBack.subtract(again)
        kept.formUnion(ids)
        arrived += records
        for (id, reason) in dead { waiting.dead[id] = reason }
        waiting.returned.formUnion(returned)
        return true
    }

    /// Notes that the source takes records back: those that are not being sent are given back at once, the others when
    /// it is known what became of them.
    ///
    /// - Parameter ids: The records; any others are ignored.
    /// - Returns: Those that were kept.
    func recall(_ ids: some Sequence<Int64>) -> Set<Int64> {
        let all = kept.intersection(ids).subtracting(takenBack)
        guard !all.isEmpty else { return [] }
        takenBack.formUnion(all)
        let claimed = all.intersection(claimedRecords)
        recalled.formUnion(claimed)
        arrived.removeAll { all.contains($0.id) }
        giveBack(all.subtracting(claimed))
        return all
    }

    /// Removes records that are not this host's any more.
    ///
    /// - Parameter ids: The records; any others are ignored.
    /// - Returns: Those that were kept and not recalled.
    func drop(_ ids: some Sequence<Int64>) -> Set<Int64> {
        let revoked = kept.intersection(ids)
        guard !revoked.isEmpty else { return [] }
        let new = revoked.subtracting(takenBack)
        kept.subtract(revoked)
        takenBack.subtract(revoked)
        recalled.subtract(revoked)
        arrived.removeAll { revoked.contains($0.id) }
        for claim in claims.keys { claims[claim]?.records.subtract(revoked) }
        waiting.remove(revoked)
        sent.remove(revoked)
        return new
    }

    /// Gives back every record, at the end of a flush.
    func returnAll() {
        arrived = []
        claims = [:]
        recalled = []
        giveBack(kept)
    }

    private func giveBack(_ records: Set<Int64>) {
        let others = records.subtracting(waiting.dead.keys).subtracting(sent.dead.keys).subtracting(sent.returned)
        waiting.returned.formUnion(others)
    }

    // MARK: The queue of a flush

    func read(_ range: ClosedRange<Int64>, records: Int, bytes: Int) throws(SuiteError) -> QueuePage {
        var (count, size) = (0, 0)
        while count < min(records, arrived.count), size <= bytes {
            size += arrived[count].bytes
            count += 1
        }
        defer { arrived.removeFirst(count) }
        return QueuePage(Array(arrived.prefix(count)), isOpenEnded: true)
    }

    func claim(_ records: [Int64], for destination: String) throws(SuiteError) -> QueueClaim {
        // A record is sent again only after the source has stored what became of the first time.
        guard !isUnsettled(records) else { throw .busy }
        lastClaim += 1
        let claimed = kept.subtracting(recalled).intersection(records)
        claims[lastClaim] = Claim(records: claimed, stage: .new)
        return QueueClaim(lastClaim, missing: Set(records).subtracting(claimed), isDurable: claimed.isEmpty)
    }

    private func isUnsettled(_ records: [Int64]) -> Bool {
        [waiting, sent].contains { $0.open.values.contains { !$0.isDisjoint(with: records) } }
    }

    private var claimedRecords: Set<Int64> { claims.values.reduce(into: []) { $0.formUnion($1.records) } }

    func settle(
        _ claim: Int64,
        _ settlement: Settlement,
        destination: String,
        state: DestinationState?,
        now: Int64
    ) throws(SuiteError) {
        waiting.settlements[claim] = settlement
        guard let claimed = claims[claim], claimed.stage != .new else { return }
        let open = claimed.records.subtracting(settlement.delivered).subtracting(settlement.deadLetters.map(\.id))
        if !open.isEmpty { waiting.open[claim] = open }
    }

    // MARK: Sending

    /// Begins the claims that the source does not know yet.
    ///
    /// - Returns: Their records; nil if the source knows all claims, or is storing others.
    func beginSending() -> [Int64]? {
        guard !claims.values.contains(where: { $0.stage == .beginning }) else { return nil }
        var records: Set<Int64> = []
        for claim in unknownClaims {
            let own = claims[claim]?.records.subtracting(recalled) ?? []
            // A claim without records is about to be settled.
            guard !own.isEmpty else { continue }
            records.formUnion(own)
            claims[claim]?.stage = .beginning
        }
        return records.isEmpty ? nil : records.sorted()
    }

    /// The claims that the source does not know and that are not settled.
    private var unknownClaims: [Int64] {
        claims.filter { $1.stage == .new && waiting.settlements[$0] == nil && sent.settlements[$0] == nil }.map(\.key)
    }

    /// The source has stored that the records may be sent.
    ///
    /// - Returns: The claims.
    func begun() -> Set<Int64> {
        let begun = claims.filter { $0.value.stage == .beginning }.map(\.key)
        for claim in begun { claims[claim]?.stage = .begun }
        return Set(begun)
    }

    /// The source did not store that the records may be sent.
    ///
    /// - Returns: The claims, which do not exist any more.
    func notBegun() -> Set<Int64> {
        for (claim, claimed) in claims where claimed.stage == .beginning { claims[claim]?.stage = .new }
        return withdraw()
    }

    /// Removes the claims that the source does not know and that are not settled.
    ///
    /// - Returns: The claims.
    func withdraw() -> Set<Int64> {
        let removed = unknownClaims
        var records: Set<Int64> = []
        for claim in removed { records.formUnion(claims.removeValue(forKey: claim)?.records ?? []) }
        returnRecalled(records)
        return Set(removed)
    }

    // MARK: Settlements

    /// Begins to store what became of records.
    ///
    /// - Returns: The settlement to store, which may be empty; nil if the source is storing one, or nothing became of any record.
    func beginStoring() -> SettleParams? {
        guard sent.isEmpty, !waiting.isEmpty else { return nil }
        (sent, waiting) = (waiting, Outcomes())
        // A claim that the source is being told to begin is settled after its answer.
        for (claim, settlement) in sent.settlements where claims[claim]?.stage == .beginning {
            (waiting.settlements[claim], sent.settlements[claim]) = (settlement, nil)
            (waiting.open[claim], sent.open[claim]) = (sent.open[claim], nil)
        }
        guard !sent.isEmpty else { return nil }
        var settlement = SettleParams()
        for (claim, outcome) in sent.settlements.sorted(by: { $0.key < $1.key }) {
            let records = claims[claim]?.records ?? []
            settlement.add(outcome.limited(to: records))
            guard let open = sent.open[claim] else { continue }
            settlement.unsent += open.intersection(records).subtracting(outcome.ambiguousPending).sorted()
        }
        settlement.dead += sent.dead.sorted { $0.key < $1.key }.map { .init(id: $0.key, reason: $0.value) }
        settlement.retry = sent.returned.sorted()
        return settlement
    }

    /// The source has stored it.
    ///
    /// - Returns: The claims that are settled.
    func stored() -> Set<Int64> {
        var settled = Set(sent.dead.keys).union(sent.returned)
        var finished: Set<Int64> = []
        for (claim, outcome) in sent.settlements {
            let ids = claims.removeValue(forKey: claim)?.records ?? []
            settled.formUnion(ids.intersection(outcome.delivered + outcome.deadLetters.map(\.id)))
            finished.formUnion(ids)
        }
        kept.subtract(settled)
        takenBack.formIntersection(kept)
        let claims = Set(sent.settlements.keys)
        sent = Outcomes()
        returnRecalled(finished)
        return claims
    }

    /// Gives back records that the source took back, once no claim has them any more.
    private func returnRecalled(_ records: Set<Int64>) {
        recalled.formIntersection(kept)
        let free = records.intersection(recalled).subtracting(claimedRecords)
        recalled.subtract(free)
        giveBack(free)
    }

    /// The source has stored nothing: the flush settles its claims again.
    func notStored() {
        waiting.dead.merge(sent.dead) { first, _ in first }
        waiting.returned.formUnion(sent.returned)
        (waiting.settlements, waiting.open) = ([:], [:])
        sent = Outcomes()
    }

    /// The process of the source is gone, and with it everything that this host kept.
    ///
    /// - Returns: The records that were not recalled, and the claims that need no settlement any more.
    func clear() -> (records: Set<Int64>, claims: Set<Int64>) {
        let records = kept.subtracting(takenBack)
        let settled = Set(waiting.settlements.keys).union(sent.settlements.keys)
        (kept, takenBack, recalled, arrived, waiting, sent) = ([], [], [], [], Outcomes(), Outcomes())
        for claim in claims.keys {
            claims[claim] = settled.contains(claim) ? nil : Claim(records: [], stage: .begun)
        }
        return (records, settled)
    }
}

extension Settlement {
    /// The part that concerns some records.
    fileprivate func limited(to ids: Set<Int64>) -> Settlement {
        var limited = self
        limited.delivered.removeAll { !ids.contains($0) }
        limited.ambiguousPending.removeAll { !ids.contains($0) }
        limited.deadLetters.removeAll { !ids.contains($0.id) }
        return limited
    }
}
