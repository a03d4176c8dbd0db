internal import GRDB
internal import GRDBSQLite
public import JSON
internal import Platform

/// The pending records of a suite.
public struct PendingRecords {
    let suite: Suite

    /// Adds a record and returns its id; the cost does not depend on the number of pending records.
    public func save(_ record: RecordContent) throws(SuiteError) -> Int64 {
        try suite.change { file in try insert(record, into: file) }
    }

    /// Adds records and returns their ids: all of them, or none if there is no room or one is too large.
    public func save(_ records: [RecordContent]) throws(SuiteError) -> [Int64] {
        try suite.change { file in
            var bytes: Int64 = 0
            for record in records {
                let valueBytes = record.value?.bytes.count ?? 0
                try checkSize(valueBytes)
                bytes += Int64(record.name.utf8.count + valueBytes + (record.user?.bytes.count ?? 0))
            }
            try suite.counters.checkRoom(for: bytes, records: Int64(records.count))
            do {
                return try records.map { try insert($0, into: file) }
            } catch {
                // Otherwise those before it stay.
                file.rollback()
                throw error
            }
        }
    }

    private func checkSize(_ bytes: Int) throws(SuiteError) {
        let limit = suite.store.limits.valueBytes
        guard bytes <= limit else { throw .recordTooLarge(bytes: bytes, limit: limit) }
    }

    /// Adds a record within the open transaction.
    func insert(_ record: RecordContent, into file: SuiteFile) throws -> Int64 {
        let id = suite.counters.newestID + 1
        let bytes = try file.saveStatement().insert(record, id: id) { valueSize, size in
            try checkSize(valueSize)
            try suite.counters.checkRoom(for: size)
        }
        suite.counters.countSaved(record.kind, bytes: bytes)
        return id
    }

    /// The number of pending records of a kind, or of all kinds; reads a stored total, so the cost does not grow with
    /// the suite.
    public func total(_ kind: RecordKind?) throws(SuiteError) -> Int64 {
        let counters = try suite.currentCounters()
        return kind.map { counters[$0].records } ?? counters.allRecords
    }

    /// Pending records in order of their ids.
    ///
    /// - Parameters:
    ///   - kind: The kind, or nil for all kinds.
    ///   - after: Only records with greater ids.
    ///   - limit: The maximum number of records.
    ///   - byteLimit: The size in bytes after which no further record is added.
    ///   - damaged: Called for each row that cannot be read; the row is skipped.
    /// - Returns: The records; none if the suite has no file.
    /// - Throws: ``SuiteError/unreadable(_:)`` when the file is damaged.
    public func records(
        _ kind: RecordKind?,
        after: Int64 = 0,
        limit: Int64,
        byteLimit: Int64,
        damaged: (DamagedRecord) -> Void = { _ in }
    ) throws(SuiteError) -> [Record] {
        try suite.readState { db in
            try Record.fetch(db, kind, after: after, limit: limit, byteLimit: byteLimit, onlyFree: false, damaged)
        } ?? []
    }

    /// Pending rows of unknown kinds, which reads by kind never return.
    public func recordsOfUnknownKind(limit: Int) throws(SuiteError) -> [DamagedRecord] {
        try suite.read { try DamagedRecord.ofUnknownKind($0, limit: limit) } ?? []
    }

    /// The estimated overhead of a record's flat form, in bytes.
    private static let flatOverhead: Int64 = 24

    /// Throws if the records of some kinds are too large in their flat form; uses the counters and reads no rows.
    ///
    /// - Parameters:
    ///   - kinds: The kinds.
    ///   - byteLimit: The maximum size of the records.
    /// - Returns: The number of records and their size.
    /// - Throws: ``SuiteError/tooLarge(bytes:)`` if they exceed the limit.
    @discardableResult
    public func checkFlatSize(_ kinds: [RecordKind], byteLimit: Int64) throws(SuiteError) -> (
        records: Int64, bytes: Int64
    ) {
        // The names of members count too: a million records with short values still make a long reply.
        let counters = try suite.currentCounters()
        let records = kinds.reduce(0) { $0 + counters[$1].records }
        let bytes = kinds.reduce(0) { $0 + counters[$1].bytes } + records * Self.flatOverhead
        guard bytes <= byteLimit else { throw .tooLarge(bytes: byteLimit) }
        return (records, bytes)
    }

    /// Every record of a kind in the flat form that Braze's guide stores, oldest first.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - byteLimit: The maximum size of the records.
    /// - Returns: An array, or nil if no record of the kind is pending.
    /// - Throws: ``SuiteError/tooLarge(bytes:)`` if they exceed the limit.
    public func flatRecords(_ kind: RecordKind, byteLimit: Int64) throws(SuiteError) -> JSON? {
        try checkFlatSize([kind], byteLimit: byteLimit)
        var damaged: DamagedRecord?
        let records = try records(kind, limit: .max, byteLimit: .max) { damaged = $0 }
        // The flat form has no member that could report a skipped record.
        if let damaged { throw .unreadable("the record \(damaged.id) is damaged: \(damaged.problem)") }
        return records.isEmpty ? nil : JSON(records.lazy.map(\.content.flat))
    }
}

extension Record {
    /// Reads records in order of their ids.
    static func fetch(
        _ db: Database,
        _ kind: RecordKind?,
        after: Int64,
        limit: Int64,
        byteLimit: Int64,
        onlyFree: Bool,
        _ damaged: (DamagedRecord) -> Void
    ) throws -> [Record] {
        var conditions = "id BETWEEN ? AND ?"
        var arguments: StatementArguments = []
        if let kind {
            conditions += " AND kind = ?"
            arguments += [kind.rawValue]
        }
        if onlyFree { conditions += " AND lease IS NULL" }
        let statement = try db.cachedStatement(
            sql: "SELECT \(Schema.recordColumns) FROM pending WHERE \(conditions) ORDER BY id"
        )
        var records: [Record] = []
        var bytes: Int64 = 0
        guard after < .max else { return [] }
        for part in try VisibleRows.ranges(db, in: after + 1...Int64.max)
        where Int64(records.count) < limit && bytes <= byteLimit {
            let range: StatementArguments = [part.lowerBound, part.upperBound]
            let rows = try Row.fetchCursor(statement, arguments: range + arguments)
            while Int64(records.count) < limit, bytes <= byteLimit, let row = try rows.next() {
                do throws(DamagedRecord) {
                    let record = try Record(row)
                    bytes += record.bytes
                    records.append(record)
                } catch {
                    damaged(error)
                }
            }
        }
        return records
    }

    private init(_ row: Row) throws(DamagedRecord) {
        id = row.integer(0)
        let kind = try DamagedRecord.kind(row)
        do throws(SuiteError) {
            content = RecordContent(
                kind: kind,
                name: row.text(2) ?? "",
                value: try row.text(3).map { text throws(SuiteError) in try JSON(stored: text) },
                time: row.integer(4),
                user: try row.text(5).map { text throws(SuiteError) in try JSON(stored: text) }
            )
        } catch {
            throw DamagedRecord(id: row.integer(0), problem: "its value or user is not JSON")
        }
        try DamagedRecord.check(time: content.time, of: id)
        isLeased = row.integer(6) != 0
        possiblySent = row.amount(7)
        bytes = row.integer(8)
    }
}

/// A row of a statement, read from SQLite directly: a flush reads each pending record, and GRDB's conversions cost more
/// than SQLite's part of them.
///
/// - Important: Must not be used after the call of the closure that received it.
struct DirectRow {
    fileprivate let statement: OpaquePointer

    /// The integer in a column, converted by SQLite's rules if the column contains something else.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// A number in a column, within limits in which sums cannot overflow.
    func amount(_ column: Int32) -> Int64 { Swift.min(Swift.max(integer(column), 0), 1 << 53) }

    /// The text in a column; nil if the column is NULL, and without a copy if it is the same as the likely one.
    func text(_ column: Int32, likely previous: String? = nil) -> String? {
        guard let start = sqlite3_column_text(statement, column) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        if let previous, previous.isEqual(to: bytes) { return previous }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The contents of a row, by the same rules: GRDB's subscripts end the program if a damaged file has a value of another type.
extension Row {
    /// The integer in a column; 0 if the column contains none.
    func integer(_ column: Int) -> Int64 {
        switch (self[column] as DatabaseValue).storage {
        case .int64(let value): value
        case .double(let value): Int64(exactly: value.rounded(.towardZero)) ?? 0
        case .string(let text): Int64(text) ?? 0
        case .null, .blob: 0
        }
    }

    /// A number or size in a column, within limits in which sums cannot overflow.
    func amount(_ column: Int) -> Int64 { Swift.min(Swift.max(integer(column), 0), 1 << 53) }

    /// A time in a column, or the nearest one that can be written, in milliseconds since 1970.
    func time(_ column: Int) -> Int64 {
        Swift.min(Swift.max(integer(column), Schema.times.lowerBound), Schema.times.upperBound)
    }

    /// The text in a column; nil if the column is NULL.
    func text(_ column: Int) -> String? {
        switch (self[column] as DatabaseValue).storage {
        case .string(let text): text
        case .int64(let value): String(value)
        case .double(let value): String(value)
        case .blob(let data): String(decoding: data, as: UTF8.self)
        case .null: nil
        }
    }

    /// The bytes in a column; nil if the column is NULL.
    func bytes(_ column: Int) -> [UInt8]? {
        if case .blob(let data) = (self[column] as DatabaseValue).storage { return [UInt8](data) }
        return text(column).map { [UInt8]($0.utf8) }
    }
}

extension Statement {
    /// Runs the statement, whose two parameters are the ends of a range of ids, and visits its rows.
    ///
    /// - Parameters:
    ///   - range: The ids.
    ///   - body: Called for each row; returns whether to go on.
    /// - Throws: A `DatabaseError`, or an error of the closure.
    func visit(_ range: ClosedRange<Int64>, _ body: (DirectRow) throws -> Bool) throws {
        sqlite3_reset(sqliteStatement)
        sqlite3_bind_int64(sqliteStatement, 1, range.lowerBound)
        sqlite3_bind_int64(sqliteStatement, 2, range.upperBound)
        defer { sqlite3_reset(sqliteStatement) }
        var code = sqlite3_step(sqliteStatement)
        while code == SQLITE_ROW, try body(DirectRow(statement: sqliteStatement)) {
            code = sqlite3_step(sqliteStatement)
        }
        guard code == SQLITE_ROW || code == SQLITE_DONE else {
            throw DatabaseError(lastOf: sqlite3_db_handle(sqliteStatement))
        }
    }
}

/// The prepared `INSERT` statement of every save, which calls SQLite directly.
///
/// GRDB's arguments and its hop through a queue cost as much as SQLite's own
/// work on a row, and saving is the most frequent operation. Only one thread
/// uses the connection, so nothing else runs on it meanwhile.
final class InsertStatement {
    private let connection: OpaquePointer
    private let statement: OpaquePointer
    /// The text of the value, followed by that of the user; a property so that its capacity is reused.
    @exclusivity(unchecked) private var text: [UInt8] = []

    /// Prepares the statement; the object must be released before the connection is closed.
    convenience init(_ db: Database) throws {
        try self.init(db, sql: "INSERT INTO pending (id, kind, name, value, time, user) VALUES (?, ?, ?, ?, ?, ?)")
    }

    /// Prepares a statement that inserts a row; the object must be released before the connection is closed.
    init(_ db: Database, sql: String) throws {
        guard let connection = db.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
        self.connection = connection
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw DatabaseError(lastOf: connection) }
        self.statement = statement
    }

    deinit { sqlite3_finalize(statement) }

    /// Inserts a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - id: Its id.
    ///   - checkSizes: Called with the sizes of the value and of the whole record in bytes before anything is stored.
    /// - Returns: The record's size in bytes.
    /// - Throws: The error of `checkSizes`, or a `DatabaseError`.
    func insert(_ record: RecordContent, id: Int64, checkSizes: (Int, Int64) throws -> Void) throws -> Int64 {
        text.removeAll(keepingCapacity: true)
        record.value?.write(to: &text)
        let valueEnd = text.count
        record.user?.write(to: &text)
        let size = Int64(record.name.utf8.count + text.count)
        try checkSizes(valueEnd, size)
        var name = record.name
        let code = name.withUTF8 { name in
            text.withUnsafeBytes { text in
                sqlite3_bind_int64(statement, 1, id)
                sqlite3_bind_int64(statement, 2, Int64(record.kind.rawValue))
                bind(3, UnsafeRawBufferPointer(name))
                bind(4, record.value == nil ? nil : UnsafeRawBufferPointer(rebasing: text[..<valueEnd]))
                sqlite3_bind_int64(statement, 5, record.time)
                bind(6, record.user == nil ? nil : UnsafeRawBufferPointer(rebasing: text[valueEnd...]))
                return sqlite3_step(statement)
            }
        }
        defer { sqlite3_reset(statement) }
        guard code == SQLITE_DONE else { throw DatabaseError(lastOf: connection) }
        return size
    }

    /// A value of a row; texts are UTF-8.
    enum Column {
        case null
        case integer(Int64)
        case text([UInt8])
        case blob([UInt8])
    }

    /// Inserts a row of arbitrary values, in the order of the statement's parameters.
    func insert(_ columns: Column...) throws {
        defer { sqlite3_reset(statement) }
        for (index, column) in columns.enumerated() {
            let index = Int32(index + 1)
            switch column {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let value): sqlite3_bind_int64(statement, index, value)
            case .text(let bytes): copy(index, bytes) { sqlite3_bind_text64($0, $1, $2, $3, $4, UInt8(SQLITE_UTF8)) }
            case .blob(let bytes): copy(index, bytes) { sqlite3_bind_blob64($0, $1, $2, $3, $4) }
            }
        }
        guard sqlite3_step(statement) == SQLITE_DONE else { throw DatabaseError(lastOf: connection) }
    }

    private typealias Destructor = @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// Binds bytes that SQLite copies, as they do not outlive the call.
    private func copy(
        _ index: Int32,
        _ bytes: [UInt8],
        _ bind: (OpaquePointer, Int32, UnsafePointer<CChar>?, UInt64, Destructor) -> Int32
    ) {
        // SQLITE_TRANSIENT, which Swift does not import.
        let transient = unsafeBitCast(-1, to: Destructor.self)
        bytes.withUnsafeBytes { buffer in
            // For a null pointer, SQLite would store NULL instead of an empty text.
            let none: StaticString = ""
            let start =
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                ?? UnsafeRawPointer(none.utf8Start).assumingMemoryBound(to: CChar.self)
            _ = bind(statement, index, start, UInt64(buffer.count), transient)
        }
    }

    /// Binds a text that outlives the step; without a destructor SQLite does not copy it.
    private func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer?) {
        guard let bytes else {
            sqlite3_bind_null(statement, index)
            return
        }
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text64(statement, index, start, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
    }
}

extension DatabaseError {
    /// The last error of a connection.
    fileprivate init(lastOf connection: OpaquePointer?) {
        self.init(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection))
        )
    }
}
