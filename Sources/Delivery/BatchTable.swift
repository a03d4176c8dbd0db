internal import Suites

/// The batches of a flush, from the claim to the settlement of each, in the order in which they were formed.
struct BatchTable {
    /// The stage of a batch.
    private enum Stage {
        /// The queue must still store the claim.
        case unclaimed
        /// The claim is stored in the open transaction, or the queue is storing it.
        case claimed
        /// The claim is durable, so the batch may be sent.
        case ready
        case sent
        /// The queue must still store the settlement.
        case answered
        /// The settlement is stored in the open transaction.
        case settled
    }

    private struct Entry {
        let number: Int
        var stage = Stage.unclaimed
        var claim: Int64 = 0
        var isClaimDurable = false
        var settlement = Settlement()
        var change: Flush.HealthChange?
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Whether a batch waits for its answer, or for its claim to become durable.
    var hasUnderWay: Bool { entries.contains { [.unclaimed, .claimed, .sent].contains($0.stage) } }

    /// Whether there are batches, and every one waits for its answer.
    var isAwaiting: Bool { !entries.isEmpty && entries.allSatisfy { $0.stage == .sent } }

    var firstUnclaimed: Int? { first(.unclaimed)?.number }
    var firstReady: Int? { first(.ready)?.number }

    /// The first batch whose settlement the queue must still store.
    var firstAnswered: (number: Int, claim: Int64, settlement: Settlement, change: Flush.HealthChange?)? {
        first(.answered).map { ($0.number, $0.claim, $0.settlement, $0.change) }
    }

    func isSent(_ number: Int) -> Bool { entries.contains { $0.number == number && $0.stage == .sent } }

    private func first(_ stage: Stage) -> Entry? { entries.first { $0.stage == stage } }

    private mutating func change(_ number: Int, _ body: (inout Entry) -> Void) {
        if let index = entries.firstIndex(where: { $0.number == number }) { body(&entries[index]) }
    }

    mutating func add(_ number: Int) { entries.append(Entry(number: number)) }

    mutating func remove(_ number: Int) { entries.removeAll { $0.number == number } }

    mutating func claimed(_ number: Int, _ claim: QueueClaim) {
        change(number) { entry in
            (entry.stage, entry.claim) = (claim.isDurable ? .ready : .claimed, claim.number)
            entry.isClaimDurable = claim.isDurable
        }
    }

    /// Marks the first batch that is ready as sent.
    ///
    /// - Returns: Its number; nil if no batch is ready.
    mutating func sendFirstReady() -> Int? {
        guard let number = firstReady else { return nil }
        change(number) { $0.stage = .sent }
        return number
    }

    mutating func answered(_ number: Int, _ settlement: Settlement, _ health: Flush.HealthChange?) {
        change(number) { ($0.stage, $0.settlement, $0.change) = (.answered, settlement, health) }
    }

    mutating func settled(_ number: Int) { change(number) { $0.stage = .settled } }

    /// Marks everything in the open transaction as durable.
    ///
    /// - Returns: Whether any batch was settled.
    mutating func committed() -> Bool {
        let count = entries.count
        entries.removeAll { $0.stage == .settled }
        for index in entries.indices {
            if entries[index].claim > 0 { entries[index].isClaimDurable = true }
            if entries[index].stage == .claimed { entries[index].stage = .ready }
        }
        return entries.count < count
    }

    /// Marks claims as durable.
    mutating func claimsStored(_ claims: Set<Int64>) {
        for index in entries.indices where entries[index].stage == .claimed && claims.contains(entries[index].claim) {
            (entries[index].stage, entries[index].isClaimDurable) = (.ready, true)
        }
    }

    /// Removes the batches of claims that the queue did not store.
    ///
    /// - Returns: Their numbers.
    mutating func removeClaims(_ claims: Set<Int64>) -> [Int] {
        let numbers = entries.filter { $0.stage == .claimed && claims.contains($0.claim) }.map(\.number)
        entries.removeAll { numbers.contains($0.number) }
        return numbers
    }

    /// Removes the batches whose settlements are durable.
    ///
    /// - Returns: Whether there are any.
    mutating func stored(_ claims: Set<Int64>) -> Bool {
        let count = entries.count
        entries.removeAll { $0.stage == .settled && claims.contains($0.claim) }
        return entries.count < count
    }

    /// The batches that were formed and not sent.
    var unsent: [Int] { entries.filter { [.unclaimed, .claimed, .ready].contains($0.stage) }.map(\.number) }

    /// The batches that wait for their answer.
    var sent: [Int] { entries.filter { $0.stage == .sent }.map(\.number) }

    /// Removes the batches whose claims were lost with the open transaction.
    ///
    /// - Returns: Their numbers.
    mutating func removeLostClaims() -> [Int] {
        let numbers = entries.filter { $0.stage != .unclaimed && !$0.isClaimDurable }.map(\.number)
        entries.removeAll { numbers.contains($0.number) }
        return numbers
    }

    /// Undoes the settlements that are not durable: the queue must store them again.
    ///
    /// - Returns: Whether there are any.
    mutating func reopenSettlements() -> Bool {
        var hasSettlements = false
        for index in entries.indices where entries[index].stage == .settled {
            entries[index].stage = .answered
            hasSettlements = true
        }
        return hasSettlements
    }

    /// Withdraws the batches that were not sent: their claims are settled as not attempted.
    ///
    /// - Returns: Their numbers.
    mutating func withdraw() -> [Int] {
        let numbers = entries.filter { $0.stage == .unclaimed || $0.stage == .ready }.map(\.number)
        for number in numbers { withdraw(number) }
        return numbers
    }

    /// Withdraws a batch that was not sent: its claim, if it has one, is settled as not attempted.
    mutating func withdraw(_ number: Int) {
        entries.removeAll { $0.number == number && $0.stage == .unclaimed }
        answered(number, Settlement(), nil)
    }
}
