import Foundation
import JSON
import Suites
import TestSupport
import Testing

/// Imports whose parts are in the file before they are visible.
struct StagedImportTests {
    /// The visible contents of a suite: the names of pending records, the ids of dead letters, and a default.
    private func seen(_ suite: Suites.Suite) throws -> [String] {
        let letters = try suite.deadLetters.page(limit: 99, byteLimit: .max)
        #expect(try suite.pending.total(nil) == Int64(suite.names().count))
        #expect(try suite.deadLetters.total() == Int64(letters.count))
        return try suite.names() + letters.map { "†\($0.id)" } + [
            suite.defaults.retrieve(forKey: "k")?.description ?? "-"
        ]
    }

    private func rows(_ names: String...) -> [StagedRow] {
        names.map { $0.hasPrefix("†") ? StagedRow([1], kind: nil, reason: "no", at: 0) : StagedRow(.event($0)) }
    }

    @Test("Committed parts are invisible until the import is published, and then all of them are visible")
    func publish() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            let other = SuiteStore(folder: store.folder).standard
            let staged = StagedImport(suite)
            for part in [rows("x", "†"), rows("y")] {
                try staged.add(part)
                #expect(try seen(suite) == ["a", "-"])
                try suite.commit()
                staged.didCommit()
                #expect(try seen(suite) == ["a", "-"] && seen(other) == ["a", "-"])
                #expect(try other.claims.newestRecord() == 1)
                #expect(try other.claims.deliverable(1...Int64.max, limit: 9, byteLimit: .max).map(\.name) == ["a"])
                #expect(try other.removeAll([.customAttribute]) == 0)
            }
            try other.save("b")
            try staged.add(rows("z"))
            try staged.publish([StagedDefault(key: "k", value: 7)])
            #expect(try seen(other) == ["a", "b", "-"])
            try suite.commit()
            staged.end()
            #expect(try seen(suite) == ["a", "x", "y", "b", "z", "†3", "7"] && seen(other) == seen(suite))
            #expect(try other.claims.newestRecord() == 6)
            #expect(
                try sqlite(store.path(), "SELECT count(*) FROM imports; SELECT count(*) FROM staged") == ["0", "0"]
            )
        }
    }

    @Test("Ids have no gaps unless others save during the import, and are never used twice")
    func ids() throws {
        try withStore { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            for round in 0..<20 {
                try staged.add(rows("x\(round)"))
                try suite.commit()
                staged.didCommit()
                if round >= 10 { try suite.save("s\(round)") }
            }
            try staged.publish([])
            try suite.commit()
            let ids = try suite.all().map(\.id)
            #expect(ids.count == 30 && Set(ids).count == 30 && Array(ids.prefix(11)) == Array(1...11))
            #expect(try suite.names().filter { $0.hasPrefix("x") } == (0..<20).map { "x\($0)" })
        }
    }

    @Test("Ids that were reserved while others saved are used up before others are reserved")
    func reservedIDs() throws {
        try withStore { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            func add(_ name: String) throws {
                try staged.add(rows(name))
                try suite.commit()
                staged.didCommit()
            }
            for round in 0..<4 {
                try add("x\(round)")
                try suite.save("s\(round)")
            }
            let reserved = { try sqlite(store.path(), "SELECT first, last FROM staged ORDER BY first") }
            let ranges = try reserved()
            #expect(ranges.count == 3)
            for round in 4..<7 { try add("x\(round)") }
            #expect(try reserved() == ranges)
            try add("x7")
            #expect(try reserved().count == 4)
        }
    }

    @Test("A row that is the only one of an unfinished import is hidden")
    func onlyRow() throws {
        try withStore { store in
            try store.standard.save("a", "staged", "b")
            try sqlite(store.path(), "INSERT INTO staged VALUES (2, 2, 1)")
            #expect(try store.standard.names() == ["a", "b"])
        }
    }

    @Test("A rollback removes the part of the import in its transaction, and the part can be added again")
    func rollback() throws {
        try withStore { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            for _ in 0..<2 {
                try staged.add(rows("x"))
                suite.rollback()
                staged.didRollBack()
            }
            try staged.add(rows("x"))
            try suite.commit()
            staged.didCommit()
            try staged.add(rows("y"))
            suite.rollback()
            staged.didRollBack()
            try staged.add(rows("y"))
            try staged.publish([])
            try suite.commit()
            staged.end()
            #expect(try seen(suite) == ["x", "y", "-"])
        }
    }

    @Test(
        "The parts of an abandoned import count towards the limits until they are removed; those of a running one are kept"
    )
    func sweep() throws {
        try withStore(limits: SuiteLimits(records: 3)) { store in
            let suite = store.standard
            try suite.save("a")
            let other = SuiteStore(folder: store.folder, limits: store.limits)
            let dead = StagedImport(suite)
            try dead.add(rows("x", "†"))
            try dead.add([StagedDefault(key: "k", value: 1)])
            try suite.commit()
            dead.didCommit()
            #expect(throws: SuiteError.full(records: 3, bytes: 5)) { try other.standard.pending.save(.event("b")) }
            other.standard.rollback()
            #expect(other.drainUnfinishedImports().map(\.name) == [.standard])
            #expect(try other.standard.imports.sweep { true } == false)
            #expect(throws: SuiteError.self) { try other.standard.pending.save(.event("b")) }
            other.standard.rollback()

            #expect(store.drainUnfinishedImports().isEmpty)
            dead.end()
            #expect(store.drainUnfinishedImports().map(\.name) == [.standard])
            #expect(try other.standard.imports.sweep { true } == false)
            try other.standard.save("b", "c")
            #expect(try seen(suite) == ["a", "b", "c", "-"])
            #expect(try sqlite(store.path(), "SELECT count(*) FROM dead_letters") == ["0"])
            let names = try FileManager.default.contentsOfDirectory(atPath: store.folder)
            #expect(!names.contains { $0.contains("import") })
        }
    }

    @Test("The bytes of an unfinished import count towards the limit of the suite")
    func bytes() throws {
        try withStore(limits: SuiteLimits(bytes: 10)) { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            try staged.add(rows("12345678"))
            try suite.commit()
            staged.didCommit()
            let full = SuiteError.full(records: 1, bytes: 8)
            #expect(throws: full) { try suite.pending.save(.event("abc")) }
            try suite.save("ab")
            staged.end()
        }
    }

    @Test(
        "Until the defaults of a published import are moved, defaults are busy, and any process can finish the move"
    )
    func defaults() throws {
        try withStore { store in
            let suite = store.standard
            try suite.defaults.store("old", forKey: "k")
            let staged = StagedImport(suite)
            try staged.add([StagedDefault(key: "k", value: "new"), StagedDefault(key: "l", value: 1)])
            try suite.commit()
            staged.didCommit()
            #expect(try suite.defaults.retrieve(forKey: "k") == "old")
            try staged.add(rows("x"))
            try staged.publish([StagedDefault(key: "l", value: 2)])
            try suite.commit()
            #expect(try suite.names() == ["x"])
            #expect(throws: SuiteError.busy) { try suite.defaults.retrieve(forKey: "k") }
            #expect(throws: SuiteError.busy) { try suite.defaults.store(1, forKey: "other") }
            suite.rollback()
            #expect(throws: SuiteError.busy) { _ = try SuiteSnapshot(suite) }
            staged.end()
            #expect(try SuiteStore(folder: store.folder).standard.imports.sweep { true } == false)
            #expect(try suite.defaults.retrieve(forKey: "k") == "new" && suite.defaults.retrieve(forKey: "l") == 2)
            #expect(try suite.names() == ["x"])
        }
    }

    @Test("An import whose file was removed meanwhile fails, and leaves nothing in the new file")
    func replaced() throws {
        try withStore { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            try staged.add(rows("x"))
            try suite.commit()
            staged.didCommit()
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path() + end) }
            #expect(throws: SuiteError.self) { try staged.add(rows("y")) }
            suite.rollback()
            staged.didRollBack()
            #expect(try seen(suite) == ["-"])
        }
    }

    @Test("A snapshot shows the contents at the time when it was made, while others save")
    func snapshot() throws {
        try withStore { store in
            let suite = store.standard
            #expect(try SuiteSnapshot(suite) == nil)
            try suite.save("a", "b", "c")
            let snapshot = try #require(try SuiteSnapshot(suite))
            _ = try suite.removeAll([.customEvent])
            try suite.save("d")
            #expect(try snapshot.total(.customEvent) == 3)
            #expect(try snapshot.records(.customEvent, after: 1, limit: 1).map(\.content.name) == ["b"])
            #expect(try snapshot.records(.customEvent, after: 0, limit: 9).map(\.content.name) == ["a", "b", "c"])
            #expect(try suite.names() == ["d"])
        }
    }
}
