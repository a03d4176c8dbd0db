/// The numbers and sizes of what a suite holds, as its open transaction sees them.
struct SuiteCounters {
    private let limits: SuiteLimits
    /// The totals at the start of the open transaction.
    private(set) var totals = Counters()
    /// The changes of the open transaction to the totals; nil if none is open.
    private(set) var changes: Counters?
    /// The number and size of the records of unfinished imports, as of the open transaction.
    var staged = Counters.Count()

    init(_ limits: SuiteLimits) { self.limits = limits }

    /// The totals with the changes of the open transaction.
    var current: Counters { changes.map { totals + $0 } ?? totals }

    mutating func beginTransaction(_ totals: Counters) {
        self.totals = totals
        changes = Counters()
    }

    mutating func endTransaction() { changes = nil }

    /// Counts changes that the open transaction made.
    mutating func add(_ change: Counters) { changes = changes.map { $0 + change } }

    /// Counts records that the open transaction added or removed.
    mutating func count(_ kind: RecordKind, records: Int64, bytes: Int64) {
        changes?.count(kind, records: records, bytes: bytes)
    }

    /// The greatest id that a record of the suite has or had, as of the open transaction.
    var newestID: Int64 { totals.newestID + (changes?.newestID ?? 0) }

    /// Counts a record that the open transaction added with the id after ``newestID``.
    mutating func countSaved(_ kind: RecordKind, bytes: Int64) {
        changes?.count(kind, records: 1, bytes: bytes)
        changes?.newestID += 1
    }

    /// Reserves all ids up to one.
    mutating func reserveIDs(through id: Int64) { changes?.newestID = id - totals.newestID }

    /// Counts keys and values that the open transaction added or removed.
    mutating func countDefaults(_ growth: Counters.Count) {
        changes?.defaults.records += growth.records
        changes?.defaults.bytes += growth.bytes
    }

    /// Counts idempotency keys that the open transaction added or removed.
    mutating func countKeys(_ keys: Int64) { changes?.keys += keys }

    /// Throws if the suite has no room for another record.
    ///
    /// Dead letters count too, so that they cannot grow unnoticed.
    func checkRoom(for size: Int64) throws(SuiteError) {
        let records = totals.roomRecords + (changes?.roomRecords ?? 0) + staged.records
        guard records < limits.records else { throw fullError }
        try checkRoom(forBytes: size)
    }

    /// Throws if the suite has no room for that many bytes.
    func checkRoom(forBytes size: Int64) throws(SuiteError) {
        let bytes = totals.roomBytes + (changes?.roomBytes ?? 0) + staged.bytes
        guard bytes + size <= limits.bytes else { throw fullError }
    }

    private var fullError: SuiteError {
        .full(records: current.roomRecords + staged.records, bytes: current.roomBytes + staged.bytes)
    }
}
