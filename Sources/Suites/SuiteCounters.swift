internal import GRDB

/// The numbers and sizes of a suite's contents, as its open transaction sees them.
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
    func checkRoom(for size: Int64, records added: Int64 = 1) throws(SuiteError) {
        let records = totals.roomRecords + (changes?.roomRecords ?? 0) + staged.records
        guard records + added <= limits.records else { throw fullError }
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

/// The totals of a suite, or the changes of a transaction to them: numbers and sizes of records by kind, of dead letters
/// and of defaults, and the number of idempotency keys.
struct Counters {
    /// The key of the dead letters' row in the table `counters`, after the rows of the kinds.
    private static let deadLettersRow = RecordKind.allCases.count
    /// The key of the row of the defaults.
    private static let defaultsRow = deadLettersRow + 1
    /// The key of the row of the idempotency keys.
    private static let keysRow = defaultsRow + 1
    /// The key of the row of the greatest id.
    private static let newestIDRow = keysRow + 1

    struct Count {
        var records: Int64 = 0
        var bytes: Int64 = 0
    }

    // Properties instead of an array, because every save makes a value of this type and adds it up.
    private var customEvents = Count()
    private var customAttributes = Count()
    private var userAttributes = Count()
    /// The dead letters.
    var deadLetters = Count()
    /// The keys of `store`, with the sizes of keys and values.
    var defaults = Count()
    /// The number of idempotency keys.
    ///
    /// They have their own limit, so they do not count towards the suite's.
    var keys: Int64 = 0
    /// The greatest id that a record of the suite has or had; of a transaction, the number of ids that it assigned.
    var newestID: Int64 = 0

    subscript(kind: RecordKind) -> Count {
        get {
            switch kind {
            case .customEvent: customEvents
            case .customAttribute: customAttributes
            case .userAttribute: userAttributes
            }
        }
        set {
            switch kind {
            case .customEvent: customEvents = newValue
            case .customAttribute: customAttributes = newValue
            case .userAttribute: userAttributes = newValue
            }
        }
    }

    var allRecords: Int64 { customEvents.records + customAttributes.records + userAttributes.records }
    var allBytes: Int64 { customEvents.bytes + customAttributes.bytes + userAttributes.bytes }

    /// The records that count towards the suite's limit.
    var roomRecords: Int64 { allRecords + deadLetters.records }
    /// The bytes that count towards the suite's limit.
    var roomBytes: Int64 { allBytes + deadLetters.bytes + defaults.bytes }

    mutating func count(_ kind: RecordKind, records: Int64, bytes: Int64) {
        self[kind].records += records
        self[kind].bytes += bytes
    }

    static func + (left: Counters, right: Counters) -> Counters {
        var sum = left
        for kind in RecordKind.allCases {
            sum.count(kind, records: right[kind].records, bytes: right[kind].bytes)
        }
        sum.deadLetters.records += right.deadLetters.records
        sum.deadLetters.bytes += right.deadLetters.bytes
        sum.defaults.records += right.defaults.records
        sum.defaults.bytes += right.defaults.bytes
        sum.keys += right.keys
        sum.newestID += right.newestID
        return sum
    }

    static func fetch(_ db: Database) throws -> Counters {
        var counters = Counters()
        let rows = try Row.fetchCursor(db.cachedStatement(sql: "SELECT kind, records, bytes FROM counters"))
        while let row = try rows.next() { counters.setTotal(from: row) }
        return counters
    }

    /// Sets one total to that of a row of the table `counters`.
    mutating func setTotal(from row: Row) {
        let count = Count(records: row.amount(1), bytes: row.amount(2))
        let number = Int(row.integer(0))
        if let kind = RecordKind(rawValue: number) {
            self[kind] = count
        } else if number == Self.deadLettersRow {
            deadLetters = count
        } else if number == Self.defaultsRow {
            defaults = count
        } else if number == Self.keysRow {
            keys = count.records
        } else if number == Self.newestIDRow {
            newestID = count.records
        }
    }

    /// Adds these changes to the totals in the file; additions of several processes commute.
    func addToTotals(_ db: Database) throws {
        let own = [
            (Self.deadLettersRow, deadLetters), (Self.defaultsRow, defaults), (Self.keysRow, Count(records: keys)),
            (Self.newestIDRow, Count(records: newestID)),
        ]
        let counts = RecordKind.allCases.map { ($0.rawValue, self[$0]) } + own
        for (row, count) in counts where count.records != 0 || count.bytes != 0 {
            let statement = try db.cachedStatement(
                sql: "UPDATE counters SET records = records + ?, bytes = bytes + ? WHERE kind = ?"
            )
            try statement.execute(arguments: [count.records, count.bytes, row])
        }
    }
}

/// The limits of a suite.
public struct SuiteLimits: Sendable {
    /// The maximum number of pending records.
    public var records: Int64
    /// The maximum size of their names, values and users, and of the keys and values of `store`, in bytes.
    public var bytes: Int64
    /// The maximum size of one record's value in bytes.
    public var valueBytes: Int
    /// The number of newest idempotency keys that are kept regardless of their age.
    public var idempotencyKeys: Int64
    /// How long a key is kept regardless of the number of newer ones, in milliseconds.
    public var idempotencyTime: Int64

    /// Limits for a suite.
    public init(
        records: Int64 = 10_000_000,
        bytes: Int64 = 4 << 30,
        valueBytes: Int = .max,
        idempotencyKeys: Int64 = .max,
        idempotencyTime: Int64 = .max
    ) {
        self.records = records
        self.bytes = bytes
        self.valueBytes = valueBytes
        self.idempotencyKeys = idempotencyKeys
        self.idempotencyTime = idempotencyTime
    }
}

/// The delivery totals of one destination, stored in the suite so that they survive restarts of the host.
public struct DeliveryTotals: Equatable, Sendable {
    /// The destination's name.
    public let destination: String
    /// The number of records that it has accepted.
    public var delivered: Int64 = 0
    /// The number of records that became dead letters.
    public var rejected: Int64 = 0
    /// How often the delivery of a record was ambiguous.
    public var ambiguousDeliveries: Int64 = 0
    /// The number of consecutive attempts that failed.
    public var failures = 0
    /// The time before which nothing is sent, in milliseconds since 1970; nil if there is no pause.
    public var notBefore: Int64?
    /// Why the last attempt failed.
    public var problem: String?

    /// The totals of a destination to which nothing was sent yet.
    public init(destination: String) { self.destination = destination }

    fileprivate init(_ row: Row) {
        destination = row.text(0) ?? ""
        delivered = row.amount(1)
        rejected = row.amount(2)
        ambiguousDeliveries = row.amount(3)
        failures = Int(row.amount(4))
        notBefore = row.hasNull(atIndex: 5) ? nil : row.time(5)
        problem = row.text(6)
    }

    static func add(_ db: Database, _ settlement: Settlement, destination: String) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO deliveries (destination, delivered, rejected, possibly_sent) VALUES (?, ?, ?, ?)
                ON CONFLICT (destination) DO UPDATE SET
                    delivered = delivered + excluded.delivered,
                    rejected = rejected + excluded.rejected,
                    possibly_sent = possibly_sent + excluded.possibly_sent
                """
        )
        let (delivered, rejected) = (settlement.delivered.count, settlement.deadLetters.count)
        try statement.execute(arguments: [destination, delivered, rejected, settlement.ambiguousRecords])
    }
}

/// Whether a destination could be reached, stored so that every host waits equally long before the next attempt.
public struct DestinationState: Equatable, Sendable {
    /// The number of consecutive attempts that failed.
    public var failures: Int
    /// The time before which nothing is sent, in milliseconds since 1970; nil if there is no pause.
    public var notBefore: Int64?
    /// Why the last attempt failed.
    public var problem: String?
    /// The configuration with which the destination was tried, such as its address and its key; only a hash is stored.
    public var configuration: String

    /// A state.
    public init(failures: Int = 0, notBefore: Int64? = nil, problem: String? = nil, configuration: String = "") {
        self.failures = failures
        self.notBefore = notBefore
        self.problem = problem
        self.configuration = configuration
    }

    /// Stores the state; the digest is the hash of the configuration.
    func store(_ db: Database, destination: String, digest: String) throws {
        try Schema.addConfigurations(db)
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO deliveries (destination, failures, not_before, problem, configuration)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (destination) DO UPDATE SET
                    failures = excluded.failures, not_before = excluded.not_before, problem = excluded.problem,
                    configuration = excluded.configuration
                """
        )
        try statement.execute(arguments: [destination, failures, notBefore, problem, digest])
    }
}

extension Claims {
    /// Whether a destination could be reached when it was last tried with this configuration.
    ///
    /// The state of another one is replaced in the suite: a corrected address or key must not wait for the pause of the
    /// wrong one.
    ///
    /// - Parameters:
    ///   - destination: The destination.
    ///   - configuration: Its configuration now.
    /// - Returns: The state.
    /// - Throws: An error if the suite cannot be read or changed.
    public func refreshedState(of destination: String, configuration: String) throws(SuiteError) -> DestinationState {
        var state = DestinationState(configuration: configuration)
        guard let known = try deliveries().first(where: { $0.destination == destination }),
            known.failures > 0 || known.notBefore != nil || known.problem != nil
        else { return state }
        let digest = try suite.digest(of: configuration) ?? ""
        let stored = try suite.read { db in
            guard try Schema.hasConfigurations(db) else { return nil as String? }
            let statement = try db.cachedStatement(sql: "SELECT configuration FROM deliveries WHERE destination = ?")
            return try String.fetchOne(statement, arguments: [destination])
        }
        // A state without a configuration is that of an earlier program.
        if let stored = stored ?? nil, stored != digest {
            suite.store.reserve.releaseIfFull()
            try suite.write { try state.store($0, destination: destination, digest: digest) }
        } else {
            (state.failures, state.notBefore, state.problem) = (known.failures, known.notBefore, known.problem)
        }
        return state
    }

    /// The totals of every destination that the suite was flushed to, by name.
    public func deliveries() throws(SuiteError) -> [DeliveryTotals] {
        try suite.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT destination, delivered, rejected, possibly_sent, failures, not_before, problem
                    FROM deliveries ORDER BY destination
                    """
            )
            return try Row.fetchAll(statement).map(DeliveryTotals.init)
        } ?? []
    }
}
