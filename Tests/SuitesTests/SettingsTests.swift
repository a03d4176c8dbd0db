import Foundation
import GRDB
import JSON
import TestSupport
import Testing

@testable import Suites

@Testing.Suite(.waits) struct SettingsTests {
    @Test("A commit waits for the disk: the setting synchronous is FULL in a new file and in an existing one")
    func synchronous() throws {
        try withStore { store in
            try store.standard.save("a")
            for suite in [store.standard, SuiteStore(folder: store.folder).standard] {
                #expect(try suite.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
                #expect(try suite.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
            }
        }
    }

    @Test("A statement waits for another process up to 50 ms")
    func patience() throws {
        try withStore { store in
            try store.standard.save("a")
            #expect(try store.standard.read { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") } == 50)
        }
    }

    @Test("A hash of a text has 32 hexadecimal digits, and the identity of a suite is one")
    func digests() throws {
        try withStore { store in
            try store.standard.save("a")
            var digests = Set([try #require(try store.standard.identity())])
            // One half in sixteen begins with a zero.
            for number in 0..<500 { digests.insert(try #require(try store.standard.digest(of: "\(number)"))) }
            #expect(digests.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
            #expect(digests.count == 501)
        }
    }

    @Test("SQLite never checkpoints by itself, and the log grows until a checkpoint is requested")
    func noAutomaticCheckpoint() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            let before = size(store.path())
            for _ in 0..<60 {
                _ = try suite.pending.save(.event(bytes: 200_000))
                try suite.commit()
            }
            #expect(size(store.path()) == before)
            #expect(size(store.path() + "-wal") > 12_000_000)
        }
    }

    @Test("A checkpoint empties a large log at once, and a small one when idle, and readers see all records")
    func checkpoint() throws {
        try withStore { store in
            let suite = store.standard
            let log = store.path() + "-wal"
            let other = SuiteStore(folder: store.folder).standard
            try suite.save("a")
            #expect(try other.names() == ["a"])
            store.checkpoint(isIdle: false)
            #expect(size(log) > 0)
            store.checkpoint(isIdle: true)
            #expect(size(log) == 0)
            #expect(try other.names() == ["a"])
            for _ in 0..<30 { _ = try suite.pending.save(.event(bytes: 200_000)) }
            store.checkpoint(isIdle: true)
            #expect(suite.isInTransaction, "a checkpoint leaves an open transaction alone")
            try suite.commit()
            #expect(size(log) > 4 << 20)
            store.checkpoint(isIdle: false)
            #expect(size(log) == 0)
            #expect(try other.pending.total(nil) == 31)
            #expect(try other.all().count == 31)
            try other.save("z")
            #expect(try suite.names().last == "z")
        }
    }

    @Test("Between the slices of a long job a log of more than 1 MiB is emptied, and otherwise one of more than 4 MiB")
    func slices() throws {
        try withStore { store in
            let suite = store.standard
            let log = store.path() + "-wal"
            try suite.save("a")
            suite.checkpoint(isIdle: false, isBetweenSlices: true)
            #expect(size(log) > 0)
            _ = try suite.pending.save(.event(bytes: 2 << 20))
            try suite.commit()
            suite.checkpoint(isIdle: false)
            #expect(size(log) > 2 << 20)
            suite.checkpoint(isIdle: false, isBetweenSlices: true)
            #expect(size(log) == 0)
        }
    }

    @Test("A checkpoint is not made while another connection writes, and is possible afterwards")
    func writers() throws {
        try withStore { store in
            let other = SuiteStore(folder: store.folder)
            try store.standard.save("a")
            _ = try other.standard.pending.save(.event("b"))
            store.checkpoint(isIdle: true)
            #expect(size(store.path() + "-wal") > 0)
            try other.standard.commit()
            store.checkpoint(isIdle: true)
            #expect(size(store.path() + "-wal") == 0)
            #expect(try store.standard.names() == ["a", "b"])
        }
    }

    @Test("The header has pushhost's application id and the schema's version")
    func header() throws {
        try withStore { store in
            try store.standard.save("a")
            #expect(try sqlite(store.path(), "PRAGMA application_id; PRAGMA user_version") == ["1886745448", "5"])
            #expect(try sqlite(store.path(), "PRAGMA integrity_check") == ["ok"])
        }
    }

    @Test("More suites than may be open at a time all keep their records")
    func many() throws {
        try withStore { store in
            let names = try (0..<300).map { try #require(SuiteName("s\($0)")) }
            for name in names.prefix(200) { _ = try store.suite(name).pending.save(.event(name.text)) }
            for suite in store.drainTransactions() { try suite.commit() }
            for name in names.dropFirst(200) { try store.suite(name).save(name.text) }
            #expect(try store.names().count == 300)
            for name in names { #expect(try store.suite(name).names() == [name.text]) }
        }
    }

    @Test("Free space is returned to the file system when the store is idle and little of the file is in use")
    func freedSpace() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            for key in 0..<20 {
                try suite.defaults.store(.string(String(repeating: "x", count: 1 << 20)), forKey: "k\(key)")
            }
            try suite.commit()
            store.checkpoint(isIdle: true)
            #expect(size(store.path()) > 20 << 20)
            for key in 0..<10 { _ = try suite.defaults.removeObject(forKey: "k\(key)") }
            try suite.save("b")
            store.checkpoint(isIdle: true)
            #expect(size(store.path()) > 20 << 20, "too much is in use to be written anew")
            for key in 10..<20 { _ = try suite.defaults.removeObject(forKey: "k\(key)") }
            try suite.save("c")
            store.checkpoint(isIdle: false)
            #expect(size(store.path()) > 20 << 20)
            store.checkpoint(isIdle: true)
            #expect(size(store.path()) < 1 << 20)
            #expect(try suite.save("d") == [4])
            #expect(try suite.names() == ["a", "b", "c", "d"])
            store.close()
            #expect(try sqlite(store.path(), "PRAGMA integrity_check") == ["ok"])
        }
    }

    @Test(
        "A file keeps 256 free pages, and as many as are in use",
        arguments: [(100, 256, false), (100, 257, true), (300, 300, false), (300, 301, true)]
    )
    func freePages(used: Int, free: Int, isShrunk: Bool) throws {
        try withStore { store in
            try store.standard.save("a")
            store.close()
            let queue = try DatabaseQueue(path: store.path())
            func pages() throws -> (used: Int, free: Int) {
                try queue.read { db in
                    let count = try #require(try Int.fetchOne(db, sql: "PRAGMA page_count"))
                    let free = try #require(try Int.fetchOne(db, sql: "PRAGMA freelist_count"))
                    return (count - free, free)
                }
            }
            func execute(_ sql: String) throws { try queue.write { try $0.execute(sql: sql) } }
            // A row of this size has a page of its own.
            func rows(_ count: Int) -> String {
                "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) SELECT zeroblob(4000) FROM n"
            }
            try execute("CREATE TABLE used (x)")
            while true {
                let missing = used - (try pages().used)
                guard missing > 0 else { break }
                try execute("INSERT INTO used \(rows((missing + 1) / 2))")
            }
            // The table has one more page, which leads to the others.
            try execute("CREATE TABLE free AS \(rows(free - 1)); DROP TABLE free")
            let found = try pages()
            #expect(found.used == used && found.free == free)
            try queue.close()
            let before = size(store.path())
            #expect(try store.standard.names() == ["a"])
            store.checkpoint(isIdle: true)
            #expect((size(store.path()) < before) == isShrunk, "\(before) bytes became \(size(store.path()))")
        }
    }
}
