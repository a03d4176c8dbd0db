internal import GRDB

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
        let count = Count(records: row.count(1), bytes: row.count(2))
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
