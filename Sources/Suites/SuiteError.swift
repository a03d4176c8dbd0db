internal import CSystem
internal import GRDB

/// Why an operation on a suite failed.
public enum SuiteError: Error, Equatable, Sendable {
    /// Another process has locked the suite; a later attempt can succeed.
    case busy
    /// Another process has the flush lock; a later attempt can succeed.
    case beingFlushed
    /// The change was not stored; the rest of the transaction is unaffected.
    case notStored(String)
    /// SQLite rolled back the whole transaction: nothing since the last commit is in the suite.
    case transactionLost(String)
    /// The suite has reached its maximum number of records or bytes.
    case full(records: Int64, bytes: Int64)
    /// The record's value exceeds the size limit.
    case recordTooLarge(bytes: Int, limit: Int)
    /// The process has reached its limit of open files; nothing was changed.
    case tooManyFiles(limit: Int)
    /// The file is not a suite, or cannot be read.
    case unreadable(String)
    /// A suite with this name exists, which differs from the requested one only in case.
    case nameTaken(String)
    /// The answer would exceed the size limit of a reply.
    case tooLarge(bytes: Int64)
    /// The lease has expired, was acknowledged before, or never existed; nothing was deleted.
    case leaseExpired
    /// An earlier save with this idempotency key had other content; its record has that id.
    case keyReused(id: Int64)
}

extension SuiteError: CustomStringConvertible {
    /// Whether the error is temporary: another process is using the suite.
    public var isPassing: Bool { self == .busy || self == .beingFlushed }

    /// The error with the current limit of open files.
    static var tooManyFilesNow: SuiteError { .tooManyFiles(limit: csystem_descriptor_limit()) }

    /// A human-readable message, with the message of SQLite or the operating system if there is one.
    public var description: String {
        switch self {
        case .busy: "another process holds the suite"
        case .beingFlushed: "another process flushes the suite"
        case .notStored(let text), .unreadable(let text), .transactionLost(let text): text
        case .full(let records, let bytes): "the suite is full with \(records) records of \(bytes) bytes"
        case .recordTooLarge(let bytes, let limit): "a value has at most \(limit) bytes, this one \(bytes)"
        case .nameTaken(let other): "the suite \(other) exists and its name differs only in case"
        case .tooLarge(let bytes): "the records have more than \(bytes) bytes together"
        case .leaseExpired: "there is no such lease, or it has expired"
        case .keyReused(let id): "the idempotency key was used for the record \(id), which has other content"
        case .tooManyFiles(let limit): "this process has as many files open as it may, \(limit); raise ulimit -n"
        }
    }

    /// The same as ``description``.
    public var text: String { description }

    /// The error for a failure of SQLite outside the suite's transaction.
    init(_ error: any Error) {
        if let error = error as? SuiteError {
            self = error
            return
        }
        if error is RowDecodingError {
            self = .unreadable("a row of it has a value of another type")
            return
        }
        guard let error = error as? DatabaseError else {
            self = .notStored(String(describing: error))
            return
        }
        let text = "\(error.message ?? "SQLite error") (SQLite \(error.extendedResultCode.rawValue))"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_FORMAT:
            self = .unreadable(text)
        default: self = .notStored(text)
        }
    }
}
