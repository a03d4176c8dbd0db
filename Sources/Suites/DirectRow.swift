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

    /// The text in a column.
    ///
    /// - Parameters:
    ///   - column: The index of the column.
    ///   - previous: A text that is likely the same; it is returned if it is, and then nothing is copied.
    /// - Returns: The text; nil if the column is NULL.
    func text(_ column: Int32, likely previous: String? = nil) -> String? {
        guard let start = sqlite3_column_text(statement, column) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        if let previous, previous.isEqual(to: bytes) { return previous }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What a row contains, by the same rules: GRDB's subscripts end the program if a damaged file has a value of another type.
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
            let connection = sqlite3_db_handle(sqliteStatement)
            throw DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
                message: String(cString: sqlite3_errmsg(connection))
            )
        }
    }
}
