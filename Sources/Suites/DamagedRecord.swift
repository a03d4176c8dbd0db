internal import GRDB

/// A pending row that is not a valid record: another program wrote to the file, or the disk damaged it.
///
/// The row stays in the file, and the rows after it are still read.
public struct DamagedRecord: Error, Equatable {
    /// The row's number.
    public let id: Int64
    /// What is wrong with the row, as a clause for an error message.
    public let problem: String

    /// A row that is not a valid record.
    public init(id: Int64, problem: String) {
        self.id = id
        self.problem = problem
    }

    /// The kind of a row whose first two columns are id and kind.
    static func kind(_ row: Row) throws(DamagedRecord) -> RecordKind {
        guard let kind = RecordKind(rawValue: Int(row.integer(1))) else {
            throw DamagedRecord(id: row.integer(0), problem: "its kind is \(row.text(1) ?? "NULL")")
        }
        return kind
    }

    /// The pending rows whose kind is unknown, at most `limit` of them.
    static func ofUnknownKind(_ db: Database, limit: Int) throws -> [DamagedRecord] {
        let (first, last) = (RecordKind.allCases.first?.rawValue, RecordKind.allCases.last?.rawValue)
        let statement = try db.cachedStatement(
            sql:
                "SELECT id, kind FROM pending WHERE kind < ? UNION ALL SELECT id, kind FROM pending WHERE kind > ? LIMIT ?"
        )
        return try Row.fetchAll(statement, arguments: [first, last, limit]).map {
            DamagedRecord(id: $0.integer(0), problem: "its kind is \($0.text(1) ?? "NULL")")
        }
    }
}
