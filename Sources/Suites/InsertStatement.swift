internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import JSON

/// A row of a statement, read from SQLite directly: a flush reads each pending record, and GRDB's conversions cost more
/// than SQLite's part of them.
///
/// - Important: Must not be used after the call of the closure that received it.
struct DirectRow {
    fileprivate let statement: OpaquePointer

    /// The integer in a column, converted by SQLite's rules if the column contains something else.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

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
    func count(_ column: Int) -> Int64 { Swift.min(Swift.max(integer(column), 0), 1 << 53) }

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
