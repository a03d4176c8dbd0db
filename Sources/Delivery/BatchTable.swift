internal import JSON
internal import Platform
package import Suites

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
        /// The outcome is known, or the batch was withdrawn: the queue must still store the settlement.
        case decided
        /// The settlement is stored in the open transaction.
        case settled
    }

    private struct Entry {
        let number: Int
        var stage = Stage.unclaimed
        var claim: Int64 = 0
        var isClaimDurable = false
        /// After which time nothing of the batch may be sent, in milliseconds since 1970.
        var sendUntil: Int64?
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
    var firstDecided: (number: Int, claim: Int64, settlement: Settlement, change: Flush.HealthChange?)? {
        first(.decided).map { ($0.number, $0.claim, $0.settlement, $0.change) }
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
    /// - Returns: Its number, and after which time nothing of it may be sent; nil if no batch is ready.
    mutating func sendFirstReady() -> (number: Int, sendUntil: Int64?)? {
        guard let entry = first(.ready) else { return nil }
        change(entry.number) { $0.stage = .sent }
        return (entry.number, entry.sendUntil)
    }

    mutating func decided(_ number: Int, _ settlement: Settlement, _ health: Flush.HealthChange?) {
        change(number) { ($0.stage, $0.settlement, $0.change) = (.decided, settlement, health) }
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

    /// Marks claims as durable; after the time, nothing of them may be sent.
    mutating func claimsDurable(_ claims: Set<Int64>, sendUntil: Int64?) {
        for index in entries.indices where entries[index].stage == .claimed && claims.contains(entries[index].claim) {
            (entries[index].stage, entries[index].isClaimDurable) = (.ready, true)
            entries[index].sendUntil = sendUntil
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
    mutating func settlementsDurable(of claims: Set<Int64>) -> Bool {
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
            entries[index].stage = .decided
            hasSettlements = true
        }
        return hasSettlements
    }

    /// Withdraws the batches that were not sent: their claims are settled as not attempted.
    ///
    /// Those whose claim is being stored stay, as it is not known yet whether there will be anything to settle.
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
        decided(number, Settlement(), nil)
    }
}

/// A batch of records for a destination, and its serialization.
package struct OutgoingBatch {
    /// The name of the queue that the records come from.
    package let queue: String
    /// The identifier of the queue, for an idempotent destination.
    private let queueIdentity: String?
    package let records: [StoredRecord]
    /// The user for records without one, as JSON text.
    package let user: String?
    /// Whether the destination should first test its service with a harmless request.
    package let isProbe: Bool
    /// The part of the destination's rate limit that this host may use; nil if it shares the limit with no other one.
    private let rateShare: Double?
    /// After which time nothing of the batch may be sent, in milliseconds since 1970; nil if there is none.
    private let sendUntil: Int64?
    /// Whether the destination only says which requests it would make.
    package let isDryRun: Bool

    /// The maximum number of records in a batch.
    package static let recordLimit = BatchWindow.batchRecords
    /// The size in bytes after which a batch gets no further record.
    package static let byteLimit = BatchWindow.batchBytes

    package init(
        queue: String,
        identity: String? = nil,
        records: [StoredRecord],
        user: String?,
        isProbe: Bool = false,
        rateShare: Double? = nil,
        sendUntil: Int64? = nil,
        isDryRun: Bool = false
    ) {
        self.rateShare = rateShare
        self.sendUntil = sendUntil
        self.isDryRun = isDryRun
        self.queue = queue
        queueIdentity = identity
        self.records = records
        self.user = user
        self.isProbe = isProbe
    }

    /// The ids of the records.
    package var ids: IDRuns { IDRuns(records.map(\.id)) }

    /// The params of `deliver` as JSON text.
    package var params: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.reduce(256) { $0 + $1.bytes + (user?.utf8.count ?? 0) + 128 })
        bytes.append(literal: "{\"suite\":")
        JSON.string(queue).write(to: &bytes)
        bytes.append(literal: ",\"batch\":[")
        var time = WrittenTime()
        for (index, record) in records.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "{"))
            record.writeMembers(to: &bytes, user: user, &time)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "]"))
        if let queueIdentity { bytes.append(member: ",\"suiteIdentity\":", JSON.string(queueIdentity).description) }
        if isProbe { bytes.append(literal: ",\"probe\":true") }
        if let rateShare { bytes.append(member: ",\"rateShare\":", JSON.real(rateShare).description) }
        if let sendUntil { bytes.append(member: ",\"sendUntil\":", "\"\(Timestamp.format(sendUntil))\"") }
        if isDryRun { bytes.append(literal: ",\"dryRun\":true") }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// The beginning of each of ``lines``.
    package static let lineStart = Array(#"{"suite":"#.utf8)

    /// The records as lines of JSON, each with the name of its suite.
    package var lines: [UInt8] {
        var bytes: [UInt8] = []
        var time = WrittenTime()
        for record in records {
            bytes += Self.lineStart
            JSON.string(queue).write(to: &bytes)
            bytes.append(UInt8(ascii: ","))
            record.writeMembers(to: &bytes, user: user, &time)
            bytes.append(literal: "}\n")
        }
        return bytes
    }
}

extension StoredRecord {
    /// Appends the members that the record has in the params of `deliver`; stored JSON texts are copied unchanged.
    fileprivate func writeMembers(to bytes: inout [UInt8], user flushUser: String?, _ written: inout WrittenTime) {
        bytes.append(literal: "\"id\":")
        bytes.append(decimal: id)
        switch kind {
        case .customEvent: bytes.append(literal: ",\"kind\":\"customEvent\",\"name\":")
        case .customAttribute: bytes.append(literal: ",\"kind\":\"customAttribute\",\"key\":")
        case .userAttribute: bytes.append(literal: ",\"kind\":\"userAttribute\",\"field\":")
        }
        JSON.string(name).write(to: &bytes)
        if kind == .customEvent {
            if let value { bytes.append(member: ",\"properties\":", value) }
        } else {
            bytes.append(member: ",\"value\":", value ?? "null")
        }
        bytes.append(literal: ",\"time\":\"")
        written.write(time, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        if let user = user ?? flushUser { bytes.append(member: ",\"user\":", user) }
        if possiblySent > 0 {
            bytes.append(literal: ",\"possiblySent\":")
            bytes.append(decimal: possiblySent)
        }
    }
}

/// A time and its text.
private struct WrittenTime {
    private var time = Int64.min
    private var text: [UInt8] = []

    mutating func write(_ time: Int64, to bytes: inout [UInt8]) {
        if time != self.time {
            self.time = time
            text.removeAll(keepingCapacity: true)
            Timestamp.write(time, to: &text)
        }
        bytes.append(contentsOf: text)
    }
}

extension [UInt8] {
    /// Adds a member of an object, with the comma and the colon.
    mutating func append(member name: StaticString, _ text: String) {
        append(literal: name)
        append(contentsOf: text.utf8)
    }
}
