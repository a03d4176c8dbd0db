package import Contract
internal import Suites

/// The progress of a flush.
package struct FlushProgress: Equatable {
    package private(set) var delivered: Int64 = 0
    /// The number of records that became dead letters: rejected, or ambiguous and not to be sent again.
    package private(set) var rejected: Int64
    /// The number of ambiguous deliveries.
    package private(set) var possiblySent: Int64
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
    ///   - rejected: The number of records that a host was sending when it died and that became dead letters.
    ///   - possiblySent: The number of records that such a host may have sent.
    package init(rejected: Int64 = 0, possiblySent: Int64 = 0) {
        self.rejected = rejected
        self.possiblySent = possiblySent
    }

    /// The number of records that were delivered or became dead letters.
    package var settled: Int64 { delivered + rejected }

    package var heldRecords: Int64 { held.values.reduce(0, +) }

    /// Why records stay pending, and the diagnostics of the destination.
    package var diagnostics: [Diagnostic] {
        held.sorted { $0.key < $1.key }
            .map { Diagnostic("recordsHeld", "\($1) \($1 == 1 ? "record stays" : "records stay") pending: \($0)") }
            + otherDiagnostics
    }

    mutating func add(_ settlement: Settlement, _ diagnostics: [Diagnostic]) {
        delivered += Int64(settlement.delivered.count)
        rejected += Int64(settlement.deadLetters.count)
        possiblySent += settlement.possiblySent
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
