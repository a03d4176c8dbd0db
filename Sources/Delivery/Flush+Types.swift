package import Contract
package import Suites

/// The input and output of a flush.
extension Flush {
    /// Something that happened.
    package enum Event {
        /// The time of ``deadline`` has come.
        case expired
        /// The queue was read.
        case read(QueuePage)
        /// The queue stored the claim of a batch in the open transaction, or is storing it.
        case claimed(Int, QueueClaim)
        /// The queue stored the settlement of a batch in the open transaction, or is storing it.
        case settled(Int)
        /// Another process has locked the queue.
        case busy(Action)
        /// The queue cannot carry out an action.
        case refused(Action, SuiteError)
        /// The transaction of the queue is durable.
        case committed
        /// The transaction of the queue was lost, with every change in it.
        case lost(SuiteError)

        // From the queue of a relay, which has no transactions but stores claims and settlements one by one:

        /// These claims are durable; if there is a time, in milliseconds since 1970, nothing of them may be sent after it.
        case claimsDurable(Set<Int64>, sendUntil: Int64? = nil)
        /// The queue did not store these claims: none of their records may be sent before they are claimed again.
        case claimsRefused(Set<Int64>)
        /// The settlements of these claims are durable.
        case settlementsDurable(of: Set<Int64>)
        /// The queue did not store the settlements that it was given; the claims stay as they are.
        case settlementsLost(SuiteError)
        /// The queue has records again.
        case available
        /// The records must not be offered any more; those that are being sent are settled once the answer comes.
        case revoked(Set<Int64>)

        // From the destination and the client:

        /// The destination answered a batch.
        case answered(Int, DeliveryReply)
        /// A batch was not answered.
        case failed(Int, DeliveryFailure)
        /// The caller adds a diagnostic to the reply.
        case diagnosed(Diagnostic)
        /// The client sends no more requests, so the flush should not wait for the destination.
        case expedited
        /// The flush was cancelled and must not send another batch.
        case cancelled
    }

    /// An action that the caller must carry out.
    package enum Action: Equatable {
        /// Read records of the queue. The event is `read`, `busy` or `refused`.
        case read(ClosedRange<Int64>, records: Int, bytes: Int)
        /// Claim a batch in the queue. The event is `claimed`, `busy` or `refused`.
        case claim(Int, [StoredRecord])
        /// Store the settlement of a batch in the queue. The event is `settled`, `busy` or `refused`.
        case settle(Int, claim: Int64, Settlement, HealthChange?)
        /// Report the progress.
        case report
        /// Answer the request for the flush; the answer does not wait for `end`.
        case reply(Ending)
        /// The flush is over.
        case end(Ending)
    }

    /// How a flush ended.
    package enum Ending: Equatable {
        /// No further record can be offered.
        case done
        /// An operator must do this before the destination can continue.
        case stopped(String)
        /// The destination accepts nothing now.
        case unavailable(problem: String, retryAfter: Int64)
        case cancelled
        /// The queue cannot carry out an action.
        case refused(SuiteError)
    }

    /// A change of a destination's health for the queue to store; the pause is in milliseconds.
    package struct HealthChange: Equatable {
        package let failures: Int
        package let pause: Int64?
        package let problem: String?
    }

    /// The parameters of a flush.
    package struct Request {
        /// The id of the newest record to deliver; later records belong to the next flush.
        package var newest: Int64
        /// The maximum number of records to deliver.
        package var limit = Int64.max
        /// The maximum number of batches under way.
        package var batchesAtOnce = 1
        /// Whether an ambiguous record may be offered until it is confirmed.
        package var isIdempotent = false
        /// Whether records that the destination cannot accept as they are become dead letters, since the queue cannot go on
        /// without their settlement.
        package var rejectsHeldRecords = false
        /// The user for records without one, as JSON text.
        package var user: String?
        /// The shortest time between two reports of the progress, in milliseconds.
        package var reportInterval: Int64 = 0

        package init(newest: Int64) { self.newest = newest }
    }
}

/// The progress of a flush.
package struct FlushProgress: Equatable {
    package private(set) var delivered: Int64 = 0
    /// The number of records that became dead letters: rejected, or ambiguous and not to be sent again.
    package private(set) var deadLetters: Int64
    /// How often the delivery of a record was ambiguous.
    package private(set) var ambiguousDeliveries: Int64
    /// How often a record was offered again.
    package private(set) var retried: Int64 = 0
    /// The number of records that stay pending because the destination cannot accept them as they are, by its reasons.
    package private(set) var held: [String: Int64] = [:]
    private var otherDiagnostics: [Diagnostic] = []

    /// The number of reasons that are counted one by one, and of diagnostics that are kept, which bounds the reply.
    private static let limit = 20

    /// A flush that begins.
    ///
    /// - Parameters:
    ///   - deadLetters: The number of records that a host was sending when it died and that became dead letters.
    ///   - ambiguousDeliveries: The number of records that such a host may have sent.
    package init(deadLetters: Int64 = 0, ambiguousDeliveries: Int64 = 0) {
        self.deadLetters = deadLetters
        self.ambiguousDeliveries = ambiguousDeliveries
    }

    /// The number of records that were delivered or became dead letters.
    package var settled: Int64 { delivered + deadLetters }

    package var heldRecords: Int64 { held.values.reduce(0, +) }

    /// Why records stay pending, and the diagnostics of the destination.
    package var diagnostics: [Diagnostic] {
        held.sorted { $0.key < $1.key }
            .map { Diagnostic("recordsHeld", "\($1) \($1 == 1 ? "record stays" : "records stay") pending: \($0)") }
            + otherDiagnostics
    }

    mutating func add(_ settlement: Settlement, _ diagnostics: [Diagnostic]) {
        delivered += Int64(settlement.delivered.count)
        deadLetters += Int64(settlement.deadLetters.count)
        ambiguousDeliveries += settlement.ambiguousRecords
        for diagnostic in diagnostics { add(diagnostic) }
    }

    /// Keeps a diagnostic for the reply, once and up to a limit.
    mutating func add(_ diagnostic: Diagnostic) {
        guard otherDiagnostics.count < Self.limit, !otherDiagnostics.contains(diagnostic) else { return }
        otherDiagnostics.append(diagnostic)
    }

    mutating func addRetried(_ count: Int) { retried += Int64(count) }

    mutating func addHeld(_ reason: String) {
        let isListed = held[reason] != nil || held.count < Self.limit
        held[isListed ? reason : "other reasons", default: 0] += 1
    }
}

/// Decides when the progress of a flush is reported.
struct ReportPacer {
    /// The shortest time between two reports, in milliseconds.
    let interval: Int64
    private var last: (time: Int64, settled: Int64)?
    private var isDue = false

    init(interval: Int64) { self.interval = interval }

    /// Makes a report due if records were settled since the last one and the interval is over; called when a settlement
    /// has become durable.
    mutating func committed(_ progress: FlushProgress, at now: Int64) {
        let isPaused = last.map { now - $0.time < interval } ?? false
        isDue = hasSettledMore(progress) && !isPaused
    }

    /// Returns whether a report is due, and marks it as made.
    mutating func consumeReport(_ progress: FlushProgress, at now: Int64) -> Bool {
        guard isDue else { return false }
        (isDue, last) = (false, (now, progress.settled))
        return true
    }

    /// Returns whether the final report is due because records were settled since the previous one, and marks it as
    /// made.
    mutating func consumeFinalReport(_ progress: FlushProgress, at now: Int64) -> Bool {
        isDue = hasSettledMore(progress)
        return consumeReport(progress, at: now)
    }

    /// Whether records were settled since the last report.
    private func hasSettledMore(_ progress: FlushProgress) -> Bool { progress.settled != (last?.settled ?? 0) }
}
