import Delivery
import Suites
import TestSupport

@testable import Calls
@testable import Delivering
@testable import HostCore
@testable import JSONRPC

/// A queue in memory, with transactions, claims and faults; it replaces a suite, without a file.
final class MemoryQueue: RecordQueue {
    private struct State {
        var pending: [Int64: StoredRecord] = [:]
        var claims: [Int64: Set<Int64>] = [:]
        var delivered: Set<Int64> = []
        var deadLetters: [Int64: String] = [:]
        var lastClaim: Int64 = 0
    }

    enum Access { case read, claim, settle }

    /// The error with which an access fails, or nil; called before each access.
    var fault: (Access) -> SuiteError? = { _ in nil }
    private var state = State()
    /// The committed state, which remains after a lost transaction.
    private var durable = State()
    private(set) var lastState: DestinationState?

    init(_ records: [StoredRecord]) {
        state.pending = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
        durable = state
    }

    var pending: Set<Int64> { Set(durable.pending.keys) }
    var delivered: Set<Int64> { durable.delivered }
    var deadLetters: [Int64: String] { durable.deadLetters }
    var hasClaims: Bool { !durable.claims.isEmpty }

    /// Whether one durable claim contains all these records.
    func hasClaimed(_ ids: [Int64]) -> Bool { durable.claims.values.contains { $0.isSuperset(of: ids) } }

    func commit() { durable = state }

    func rollback() { state = durable }

    /// Removes a record, as a request of another client would.
    func remove(_ id: Int64) { state.pending[id] = nil }

    /// Whether a claim is in the open transaction.
    var hasOpenClaim: Bool { state.lastClaim != durable.lastClaim }

    private func check(_ access: Access) throws(SuiteError) {
        guard let error = fault(access) else { return }
        if case .transactionLost = error { rollback() }
        throw error
    }

    func read(_ range: ClosedRange<Int64>, records: Int, bytes: Int) throws(SuiteError) -> QueuePage {
        try check(.read)
        let found = state.pending.values.filter { range.contains($0.id) }.sorted { $0.id < $1.id }
        return QueuePage(Array(found.prefix(records)))
    }

    func claim(_ records: [Int64], for destination: String) throws(SuiteError) -> QueueClaim {
        try check(.claim)
        state.lastClaim += 1
        state.claims[state.lastClaim] = Set(records)
        return QueueClaim(state.lastClaim, missing: Set(records.filter { state.pending[$0] == nil }))
    }

    func settle(
        _ claim: Int64,
        _ settlement: Settlement,
        destination: String,
        state change: DestinationState?,
        now: Int64
    ) throws(SuiteError) {
        try check(.settle)
        state.claims[claim] = nil
        for id in settlement.delivered where state.pending.removeValue(forKey: id) != nil { state.delivered.insert(id) }
        for (id, reason) in settlement.deadLetters where state.pending.removeValue(forKey: id) != nil {
            state.deadLetters[id] = reason
        }
        if let change { lastState = change }
    }
}

/// A destination in memory, which answers when the test says so.
final class MemoryDestination: Destination {
    let name = "memory"
    let batchesAtOnce: Int
    var isIdempotent = false
    var isReady = true
    var settingsToHash = ""
    private(set) var batches: [(batch: OutgoingBatch, completion: (DeliveryOutcome) -> Void)] = []
    /// The dry runs without an answer.
    private(set) var dryRuns: [(batch: OutgoingBatch, completion: (Result<DryRunReply, RPCError>) -> Void)] = []
    /// How often each record arrived.
    private(set) var arrived: [Int64: Int] = [:]

    init(batchesAtOnce: Int = 1) { self.batchesAtOnce = batchesAtOnce }

    func deliver(_ batch: OutgoingBatch, completion: @escaping (DeliveryOutcome) -> Void) {
        batches.append((batch, completion))
    }

    func dryRun(
        _ batch: OutgoingBatch,
        _ arguments: Arguments,
        completion: @escaping (Result<DryRunReply, RPCError>) -> Void
    ) {
        dryRuns.append((batch, completion))
    }

    func check(_ arguments: Arguments, completion: @escaping (Result<CheckReply, RPCError>) -> Void) {
        completion(.success(CheckReply(isReachable: true, isAccepted: true, message: "")))
    }

    /// Answers the oldest dry run without an answer.
    func answerDryRun(_ reply: DryRunReply) { dryRuns.removeFirst().completion(.success(reply)) }

    /// Accepts the oldest batch without an answer.
    func accept() { answer { DeliveryReply(accepting: $0.records.map(\.id)) } }

    /// Answers the oldest batch without an answer.
    func answer(_ reply: (OutgoingBatch) -> DeliveryReply) {
        let (batch, completion) = batches.removeFirst()
        let reply = reply(batch)
        for (id, verdict) in reply.verdicts where verdict == .accepted { arrived[id, default: 0] += 1 }
        completion(DeliveryOutcome(.success(reply)))
    }

    /// Fails the oldest batch without an answer.
    func fail(_ failure: DeliveryFailure) {
        let (batch, completion) = batches.removeFirst()
        if failure.mayHaveArrived { for record in batch.records { arrived[record.id, default: 0] += 1 } }
        completion(DeliveryOutcome(.failure(failure)))
    }
}
