package import Contract
package import Suites

/// A queue of records for flushes to deliver; suites are such queues.
///
/// A change is durable only once its transaction is committed, which the queue's owner reports to the flush.
package protocol RecordQueue {
    /// Reads pending records in order of capture, until they have that number or more than those bytes.
    func read(_ range: ClosedRange<Int64>, records: Int, bytes: Int) throws(SuiteError) -> QueuePage

    /// Claims records before they are sent.
    ///
    /// - Returns: The number of the claim, and those records that are no longer pending.
    /// - Throws: An error if the queue cannot be changed; then nothing may be sent.
    func claim(_ records: [Int64], for destination: String) throws(SuiteError) -> QueueClaim

    /// Settles a claim: stores the outcome of its records.
    ///
    /// - Parameters:
    ///   - claim: The number of the claim.
    ///   - settlement: The outcome of the records.
    ///   - destination: The destination to which they were sent.
    ///   - state: The new state of the destination, if it changed.
    ///   - now: The wall-clock time in milliseconds since 1970.
    /// - Throws: An error if the queue cannot be changed; then the claim remains.
    func settle(
        _ claim: Int64,
        _ settlement: Settlement,
        destination: String,
        state: DestinationState?,
        now: Int64
    ) throws(SuiteError)
}

/// Records that were read from a queue, and damaged rows between them.
package struct QueuePage {
    package let records: [StoredRecord]
    package let damaged: [DamagedRecord]
    /// Whether records may follow at any time: the flush does not end with the last record, but waits for
    /// ``Flush/Event/available``.
    package let isOpenEnded: Bool

    package init(_ records: [StoredRecord], damaged: [DamagedRecord] = [], isOpenEnded: Bool = false) {
        self.records = records
        self.damaged = damaged
        self.isOpenEnded = isOpenEnded
    }

    /// The id of the last row; nil if the page is empty.
    var last: Int64? { [records.last?.id, damaged.map(\.id).max()].compactMap(\.self).max() }
}

/// A claim that a queue stored.
package struct QueueClaim {
    package let number: Int64
    /// The claimed records that are no longer pending.
    package let missing: Set<Int64>
    /// Whether the claim is durable already, before the end of any transaction; otherwise an event says when it is.
    package let isDurable: Bool

    package init(_ number: Int64, missing: Set<Int64> = [], isDurable: Bool = false) {
        self.number = number
        self.missing = missing
        self.isDurable = isDurable
    }
}

/// `settle` is that of ``Claims``; the others wrap what `Suites`, which does not know the types of queues, returns.
extension Claims: RecordQueue {
    package func read(_ range: ClosedRange<Int64>, records: Int, bytes: Int) throws(SuiteError) -> QueuePage {
        try read(range, records: records, bytes: bytes, withLeasesExpiredAt: nil)
    }

    /// Reads as a flush that begins at a time, which frees the records of leases that have expired then.
    package func read(
        _ range: ClosedRange<Int64>,
        records: Int,
        bytes: Int,
        withLeasesExpiredAt now: Int64?
    ) throws(SuiteError) -> QueuePage {
        var damaged: [DamagedRecord] = []
        let found = try deliverable(range, limit: records, byteLimit: bytes, withLeasesExpiredAt: now) {
            damaged.append($0)
        }
        return QueuePage(found, damaged: damaged)
    }

    package func claim(_ records: [Int64], for destination: String) throws(SuiteError) -> QueueClaim {
        let claim = try claim(ids: records, for: destination)
        return QueueClaim(claim.id, missing: claim.missing)
    }
}

extension DamagedRecord {
    /// The diagnostic that reports the row to the caller.
    package var diagnostic: Diagnostic {
        let text =
            "the record \(id) is damaged: \(problem). It stays in the suite, counts as pending and is skipped; "
            + "resetStorageKeys removes it with all other pending records"
        return Diagnostic("damagedRecord", text)
    }
}
