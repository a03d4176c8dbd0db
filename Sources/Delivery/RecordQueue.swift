package import Contract
package import Suites

/// Where records wait until a flush delivers them: a suite.
///
/// A change is durable only once its transaction is committed, which the queue's owner reports to the flush.
package protocol RecordQueue {
    /// Reads pending records in order of capture.
    ///
    /// - Parameters:
    ///   - range: The ids to read.
    ///   - records: The greatest number of records.
    ///   - bytes: No record is added once the ones before it have this many bytes.
    /// - Returns: The records, and rows in their range that are not records.
    /// - Throws: What keeps the queue from being read.
    func read(_ range: ClosedRange<Int64>, records: Int, bytes: Int) throws(SuiteError) -> QueuePage

    /// Stores, before they are sent, that records are on the way.
    ///
    /// - Returns: The number of the claim, and those records that are not pending any more.
    /// - Throws: What keeps the queue from being changed; then nothing may be sent.
    func claim(_ records: [Int64], for destination: String) throws(SuiteError) -> QueueClaim

    /// Ends a claim: stores what became of its records.
    ///
    /// - Parameters:
    ///   - claim: The number of the claim.
    ///   - settlement: What became of the records.
    ///   - destination: Where they were sent.
    ///   - state: How far the destination can be reached, if that changed.
    ///   - now: The wall time in milliseconds since 1970.
    /// - Throws: What keeps the queue from being changed; then the claim stands.
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

    package init(_ records: [StoredRecord], damaged: [DamagedRecord] = []) {
        self.records = records
        self.damaged = damaged
    }

    /// The last row; nil if there is none.
    var last: Int64? { [records.last?.id, damaged.map(\.id).max()].compactMap(\.self).max() }
}

/// A claim that a queue stored.
package struct QueueClaim {
    package let number: Int64
    /// Claimed records that are not pending any more.
    package let missing: Set<Int64>

    package init(_ number: Int64, missing: Set<Int64> = []) {
        self.number = number
        self.missing = missing
    }
}

extension Claims: RecordQueue {
    package func read(_ range: ClosedRange<Int64>, records: Int, bytes: Int) throws(SuiteError) -> QueuePage {
        var damaged: [DamagedRecord] = []
        let found = try deliverable(range, limit: records, byteLimit: bytes) { damaged.append($0) }
        return QueuePage(found, damaged: damaged)
    }

    package func claim(_ records: [Int64], for destination: String) throws(SuiteError) -> QueueClaim {
        let number = try claim(IDRuns(records), for: destination)
        // The transaction is open, so no other process can remove any from here on.
        return QueueClaim(number, missing: (try? missing(records)) ?? [])
    }
}

extension DamagedRecord {
    /// The diagnostic that names the row, and says what becomes of it.
    package var diagnostic: Diagnostic {
        let text =
            "the record \(id) is damaged: \(problem). It stays in the suite, counted as pending, and is passed over; "
            + "resetStorageKeys removes it with all other pending records"
        return Diagnostic("damagedRecord", text)
    }
}
