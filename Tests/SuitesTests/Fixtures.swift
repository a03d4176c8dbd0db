import Foundation
import JSON
import Suites
import TestSupport
import Testing

/// Passes a store whose folder does not exist yet to the closure.
func withStore<Result>(limits: SuiteLimits = SuiteLimits(), _ body: (SuiteStore) throws -> Result) throws -> Result {
    try withTemporaryDirectory { folder in
        let store = SuiteStore(folder: "\(folder)/data", limits: limits)
        // A store that is not closed keeps its files open, which slows down every later start of a process.
        defer { store.close() }
        return try body(store)
    }
}

extension RecordContent {
    static func event(_ name: String, _ properties: JSON? = nil, time: Int64 = 0, user: JSON? = nil) -> RecordContent {
        RecordContent(kind: .customEvent, name: name, value: properties, time: time, user: user)
    }

    static func attribute(_ key: String, _ value: JSON) -> RecordContent {
        RecordContent(kind: .customAttribute, name: key, value: value, time: 0, user: nil)
    }

    static func field(_ field: String, _ value: JSON) -> RecordContent {
        RecordContent(kind: .userAttribute, name: field, value: value, time: 0, user: nil)
    }

    /// An event of a number of bytes.
    static func event(bytes: Int) -> RecordContent { event(String(repeating: "x", count: bytes)) }
}

extension SuiteStore {
    var standard: Suites.Suite { suite(.standard) }

    /// The path of a suite's file.
    func path(_ name: SuiteName = .standard) -> String { "\(folder)/\(name).sqlite" }
}

extension Suites.Suite {
    /// Every pending record, in order of ids.
    func all(_ kind: RecordKind? = nil) throws -> [Record] { try pending.records(kind, limit: .max, byteLimit: .max) }

    func names() throws -> [String] { try all().map(\.content.name) }

    /// Saves events with these names in a transaction of their own.
    @discardableResult
    func save(_ names: String...) throws -> [Int64] {
        let ids = try names.map { try pending.save(.event($0)) }
        try commit()
        return ids
    }

    /// Deletes every record of some kinds.
    func removeAll(_ kinds: [RecordKind]) throws -> Int64 {
        var change = try pending.remove(kinds)
        return try change.finish()
    }

    /// Imports some rows, or none if that fails; the caller must commit the import.
    func add(_ rows: StagedRow...) throws {
        let staged = StagedImport(self)
        defer { staged.end() }
        do {
            try staged.add(rows)
        } catch {
            rollback()
            throw error
        }
        try staged.publish([])
    }

    /// Takes all available records, and commits.
    func takeAll(lease: Lease? = nil, now: Int64 = 0) throws -> (names: [String], remaining: Int64) {
        let taken = try leases.take(limit: .max, byteLimit: .max, lease: lease, now: now)
        try commit()
        return (taken.records.map(\.content.name), taken.remaining)
    }
}

/// Starts a Python script.
func python(_ script: String, _ arguments: String...) throws -> ChildProcess {
    do {
        return try ChildProcess("python3", ["-c", script] + arguments)
    } catch {
        throw TestFailure("python3 is needed (Debian package python3): \(error)")
    }
}

/// Runs SQL on a file with Python's SQLite, and returns the first column of the rows.
@discardableResult
func sqlite(_ path: String, _ sql: String) throws -> [String] {
    let script = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        for statement in sys.argv[2].split(';'):
            for row in connection.execute(statement): print(row[0])
        connection.close()
        """
    let child = try python(script, path, sql)
    let output = try child.readToEnd()
    let status = try child.wait()
    guard status == .code(0) else { throw TestFailure("SQL failed: \(child.standardError)") }
    return output.split(separator: "\n").map(String.init)
}

/// The content of a file.
func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

/// The permission bits of a file.
func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}

func size(_ path: String) -> Int { (try? bytes(path).count) ?? 0 }

/// The descriptors of this process that lead to a file.
func descriptors(of path: String) -> [Int32] {
    var (file, other) = (stat(), stat())
    guard stat(path, &file) == 0 else { return [] }
    return (Int32(0)..<4_096).filter {
        fstat($0, &other) == 0 && other.st_dev == file.st_dev && other.st_ino == file.st_ino
    }
}
