internal import GRDB

/// Records and bytes by kind: a suite's totals, or what a transaction adds to them.
struct Counters {
    private(set) var records: [Int64] = [0, 0, 0]
    private(set) var bytes: [Int64] = [0, 0, 0]

    var allRecords: Int64 { records[0] + records[1] + records[2] }
    var allBytes: Int64 { bytes[0] + bytes[1] + bytes[2] }

    mutating func count(_ kind: RecordKind, records added: Int64, bytes size: Int64) {
        records[kind.rawValue] += added
        bytes[kind.rawValue] += size
    }

    static func + (left: Counters, right: Counters) -> Counters {
        var sum = left
        for kind in RecordKind.allCases {
            sum.count(kind, records: right.records[kind.rawValue], bytes: right.bytes[kind.rawValue])
        }
        return sum
    }

    static func fetch(_ db: Database) throws -> Counters {
        var counters = Counters()
        let rows = try Row.fetchCursor(db.cachedStatement(sql: "SELECT kind, records, bytes FROM counters"))
        while let row = try rows.next() {
            guard let kind = RecordKind(rawValue: row[0]) else { continue }
            counters.count(kind, records: row[1], bytes: row[2])
        }
        return counters
    }

    /// Adds to the totals in the file; adding commutes with what other processes add.
    func add(_ db: Database) throws {
        for kind in RecordKind.allCases where records[kind.rawValue] != 0 || bytes[kind.rawValue] != 0 {
            let statement = try db.cachedStatement(
                sql: "UPDATE counters SET records = records + ?, bytes = bytes + ? WHERE kind = ?"
            )
            try statement.execute(arguments: [records[kind.rawValue], bytes[kind.rawValue], kind.rawValue])
        }
    }
}

extension Suite {
    /// The number of pending records of a kind, or of all kinds; counts nothing, so it costs the same at any size.
    ///
    /// - Parameter kind: The kind, or all of them.
    public func total(_ kind: RecordKind?) throws(SuiteError) -> Int64 {
        let counters =
            if let changes { totals + changes } else { try read { try Counters.fetch($0) } ?? Counters() }
        return kind.map { counters.records[$0.rawValue] } ?? counters.allRecords
    }
}
