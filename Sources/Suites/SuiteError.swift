internal import CSystem
internal import GRDB

/// Why a suite could not do what was asked.
public enum SuiteError: Error, Equatable, Sendable {
    /// Another process holds a lock; later it will go.
    case busy
    /// Another process has the right to flush; later it will not.
    case beingFlushed
    /// The change is not in the suite; nothing else was touched.
    case notStored(String)
    /// SQLite rolled back the whole transaction: nothing since the last commit is in the suite.
    case transactionLost(String)
    /// The suite holds as many records or bytes as it may.
    case full(records: Int64, bytes: Int64)
    /// The record's value is larger than one may be.
    case recordTooLarge(bytes: Int, limit: Int)
    /// The process has as many files open as it may; nothing was touched.
    case tooManyFiles(limit: Int)
    /// The file is not a suite, or cannot be read.
    case unreadable(String)
    /// A suite of that name in other case exists already.
    case nameTaken(String)
    /// The answer would be larger than a reply may be.
    case tooLarge(bytes: Int64)
    /// The lease ran out, was acknowledged, or never was; nothing was deleted.
    case leaseExpired
    /// An earlier save with this idempotency key had other content; its record has that id.
    case keyReused(id: Int64)
}

extension SuiteError: CustomStringConvertible {
    /// Whether it passes by itself: another process is at it now.
    public var isPassing: Bool { self == .busy || self == .beingFlushed }

    /// The process has as many files open as it may.
    static var tooManyFiles: SuiteError { .tooManyFiles(limit: csystem_descriptor_limit()) }

    /// A sentence for people: what SQLite or the operating system said, if they said anything.
    public var description: String {
        switch self {
        case .busy: "another process holds the suite"
        case .beingFlushed: "another process flushes the suite"
        case .notStored(let text), .unreadable(let text), .transactionLost(let text): text
        case .full(let records, let bytes): "the suite is full with \(records) records of \(bytes) bytes"
        case .recordTooLarge(let bytes, let limit): "a value has at most \(limit) bytes, this one \(bytes)"
        case .nameTaken(let other): "the suite \(other) exists and its name differs only in case"
        case .tooLarge(let bytes): "the records have more than \(bytes) bytes together"
        case .leaseExpired: "no such lease is live"
        case .keyReused(let id): "the idempotency key was used for the record \(id), which has other content"
        case .tooManyFiles(let limit): "this process has as many files open as it may, \(limit); raise ulimit -n"
        }
    }

    /// The same as ``description``.
    public var text: String { description }

    /// The error for a failure of SQLite outside a transaction of ours.
    init(_ error: any Error) {
        if let error = error as? SuiteError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            self = .notStored(String(describing: error))
            return
        }
        let text = "\(error.message ?? "SQLite error") (\(error.extendedResultCode))"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_FORMAT:
            self = .unreadable(text)
        default: self = .notStored(text)
        }
    }
}
