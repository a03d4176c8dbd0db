internal import GRDB

/// Records and bytes by kind, those of dead letters, of defaults and of idempotency keys: a suite's totals, or what a transaction adds to them.
struct Counters {
    /// Where the file keeps the dead letters' count: behind the kinds.
    private static let deadLettersRow = RecordKind.allCases.count
    /// Where it keeps the count of defaults.
    private static let defaultsRow = deadLettersRow + 1
    /// Where it keeps the count of idempotency keys.
    private static let keysRow = defaultsRow + 1

    struct Count {
        var records: Int64 = 0
        var bytes: Int64 = 0
    }

    // Fields and not an array: one of these is made and added up at every save.
    private var customEvents = Count()
    private var customAttributes = Count()
    private var userAttributes = Count()
    /// The dead letters.
    var deadLetters = Count()
    /// The keys of `store`, with the sizes of keys and values.
    var defaults = Count()
    /// The idempotency keys; they have a limit of their own, so they take no room.
    var keys: Int64 = 0

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

    /// Everything that counts for the suite's limits.
    var roomRecords: Int64 { allRecords + deadLetters.records }
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
        return sum
    }

    static func fetch(_ db: Database) throws -> Counters {
        var counters = Counters()
        let rows = try Row.fetchCursor(db.cachedStatement(sql: "SELECT kind, records, bytes FROM counters"))
        while let row = try rows.next() { counters.take(row) }
        return counters
    }

    /// Takes the total that a row of `counters` holds.
    mutating func take(_ row: Row) {
        let count = Count(records: row[1], bytes: row[2])
        if let kind = RecordKind(rawValue: row[0]) {
            self[kind] = count
        } else if row[0] == Self.deadLettersRow {
            deadLetters = count
        } else if row[0] == Self.defaultsRow {
            defaults = count
        } else if row[0] == Self.keysRow {
            keys = count.records
        }
    }

    /// Adds to the totals in the file; adding commutes with what other processes add.
    func add(_ db: Database) throws {
        let own = [
            (Self.deadLettersRow, deadLetters), (Self.defaultsRow, defaults), (Self.keysRow, Count(records: keys)),
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

extension Suite {
    /// The number of pending records of a kind, or of all kinds; counts nothing, so it costs the same at any size.
    public func total(_ kind: RecordKind?) throws(SuiteError) -> Int64 {
        let counters = try counters()
        return kind.map { counters[$0].records } ?? counters.allRecords
    }

    /// The number of dead letters; counts nothing either.
    public func totalDeadLetters() throws(SuiteError) -> Int64 { try counters().deadLetters.records }

    func counters() throws(SuiteError) -> Counters {
        if let changes { totals + changes } else { try read { try Counters.fetch($0) } ?? Counters() }
    }
}
