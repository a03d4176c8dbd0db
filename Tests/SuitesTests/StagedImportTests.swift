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

    @Test("An import whose file was replaced is refused, and leaves nothing in the new file", arguments: [0, 1, 2])
    func replaced(parts: Int) throws {
        try withStore { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            try staged.add(rows("x"))
            if parts == 2 { try staged.add([StagedDefault(key: "k", value: 1)]) }
            try suite.commit()
            staged.didCommit()
            let other = SuiteStore(folder: "\(store.folder)/other")
            defer { other.close() }
            try other.standard.save("y")
            other.close()
            for name in ["standard.sqlite", "standard.sqlite-wal", "standard.sqlite-shm"] {
                try? FileManager.default.removeItem(atPath: "\(store.folder)/\(name)")
            }
            try FileManager.default.copyItem(atPath: other.path(), toPath: store.path())
            let error = SuiteError.unreadable("its file was removed or replaced during the import")
            #expect(throws: error) {
                try staged.publish(parts == 0 ? [] : [StagedDefault(key: "l", value: 2)])
            }
            suite.rollback()
            staged.didRollBack()
            staged.end()
            #expect(try suite.names() == ["y"] && suite.pending.total(nil) == 1)
            #expect(try suite.defaults.retrieve(forKey: "l") == nil)
            #expect(try sqlite(store.path(), "SELECT count(*) FROM staged_defaults") == ["0"])
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

    @Test("A row that is the only one of an unfinished import is hidden, wherever a range or a page begins and ends")
    func onlyRow() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b", "staged", "c", "d")
            let dead = StagedRow([1], kind: nil, reason: "no", at: 0)
            try suite.add(dead, dead, dead, dead)
            try suite.commit()
            try sqlite(store.path(), "INSERT INTO staged VALUES (3, 3, 1), (7, 7, 1)")
            #expect(try suite.names() == ["a", "b", "c", "d"])
            func read(_ range: ClosedRange<Int64>, limit: Int = 9, bytes: Int = 99) throws -> [String] {
                try suite.claims.deliverable(range, limit: limit, byteLimit: bytes).map(\.name)
            }
            #expect(try read(1...9) == ["a", "b", "c", "d"])
            #expect(try read(1...1) == ["a"] && read(1...3) == ["a", "b"] && read(3...3) == [])
            #expect(try read(3...4) == ["c"] && read(4...5) == ["c", "d"])
            #expect(try read(1...9, limit: 2) == ["a", "b"] && read(1...9, limit: 3) == ["a", "b", "c"])
            #expect(try read(1...9, bytes: 1) == ["a", "b"] && read(1...9, bytes: 2) == ["a", "b", "c"])
            #expect(try suite.claims.newestRecord() == 5)
            #expect(try suite.pending.records(nil, after: 2, limit: 9, byteLimit: .max).map(\.id) == [4, 5])
            #expect(try suite.pending.records(nil, limit: 3, byteLimit: .max).map(\.id) == [1, 2, 4])
            func letters(after: Int64 = 0, limit: Int64 = 9, bytes: Int64 = .max) throws -> [Int64] {
                try suite.deadLetters.page(after: after, limit: limit, byteLimit: bytes).map(\.id)
            }
            #expect(try letters() == [6, 8, 9] && letters(after: 6) == [8, 9])
            #expect(try letters(limit: 2) == [6, 8] && letters(bytes: 2) == [6])
        }
    }

    @Test("The rest of an import is removed or moved in slices, and nobody sees a part", arguments: [false, true])
    func slices(isPublished: Bool) throws {
        try withStore { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            try staged.add((0..<250).map { StagedRow(.event("e\($0)")) })
            try staged.add((0..<250).map { StagedDefault(key: "k\($0)", value: 1) })
            if isPublished { try staged.publish([]) }
            try suite.commit()
            staged.didCommit()
            staged.end()
            var slices = 0
            while try suite.imports.sweep(while: { false }) {
                slices += 1
                #expect(try suite.names().count == (isPublished ? 250 : 0))
                guard isPublished else { continue }
                #expect(throws: SuiteError.busy) { try suite.defaults.retrieve(forKey: "k0") }
            }
            #expect(slices > 2)
            #expect(try suite.pending.total(nil) == (isPublished ? 250 : 0))
            for key in ["k0", "k249"] { #expect(try (suite.defaults.retrieve(forKey: key) != nil) == isPublished) }
            for table in ["staged", "staged_defaults", "imports"] {
                #expect(try sqlite(store.path(), "SELECT count(*) FROM \(table)") == ["0"])
            }
            #expect(try sqlite(store.path(), "SELECT count(*) FROM pending") == [isPublished ? "250" : "0"])
        }
    }

    @Test("An abandoned import is removed although one with a smaller id goes on")
    func sweepBehindRunning() throws {
        try withStore { store in
            let suite = store.standard
            func ids() throws -> [Int64] { try sqlite(store.path(), "SELECT id FROM imports").compactMap { Int64($0) } }
            var imports: [Int64: StagedImport] = [:]
            for _ in 1...2 {
                let staged = StagedImport(suite)
                try staged.add(rows("x"))
                try suite.commit()
                staged.didCommit()
                for id in try ids() where imports[id] == nil { imports[id] = staged }
            }
            let (running, abandoned) = (try #require(imports.keys.min()), try #require(imports.keys.max()))
            imports[abandoned]?.end()
            #expect(try suite.imports.sweep { true } == false)
            #expect(try ids() == [running])
            imports[running]?.end()
        }
    }

    @Test("A sweep that fails leaves no transaction open, and succeeds later")
    func failedSweep() throws {
        try withStore { store in
            let suite = store.standard
            let dead = StagedImport(suite)
            try dead.add(rows("x"))
            try suite.commit()
            dead.didCommit()
            dead.end()
            // The rows are removed before the range that hides them.
            try suite.refuse("DELETE ON main.staged")
            #expect(throws: SuiteError.self) { try suite.imports.sweep { true } }
            #expect(!suite.isInTransaction)
            try suite.refuseNothing()
            #expect(try suite.imports.sweep { true } == false)
            #expect(try sqlite(store.path(), "SELECT count(*) FROM imports") == ["0"])
        }
    }

    @Test("An import without rows makes no suite, neither when it is published nor at its end")
    func nothing() throws {
        try withStore { store in
            let staged = StagedImport(store.standard)
            try staged.add([] as [StagedRow])
            try staged.add([] as [StagedDefault])
            try staged.publish([])
            #expect(!store.standard.isInTransaction)
            #expect(try !staged.finish { true })
            #expect(try store.names().isEmpty)
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

    @Test("An imported record has everything that it has in the import")
    func whole() throws {
        try withStore { store in
            let suite = store.standard
            let record = RecordContent.event("e", ["a": 1], time: 5, user: ["braze_id": "ada"])
            try suite.add(StagedRow(record), StagedRow(.attribute("k", .null)), StagedRow(record, reason: "no", at: 8))
            let records = try suite.all()
            try #require(records.count == 2)
            #expect(records.map(\.content.kind) == [.customEvent, .customAttribute])
            #expect(records.map(\.content.name) == ["e", "k"] && records.map(\.content.time) == [5, 0])
            #expect(records[0].content.value == ["a": 1] && records[0].content.user == ["braze_id": "ada"])
            #expect(records[1].content.value == .null && records[1].content.user == nil)
            let letter = try #require(try suite.deadLetters.page(limit: 9, byteLimit: 99).first)
            #expect(letter.record?.name == "e" && letter.record?.time == 5 && letter.died == 8)
        }
    }

    @Test("Ids that are left of a range are used before it grows")
    func restOfARange() throws {
        try withStore { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            for name in ["x0", "x1"] {
                try staged.add(rows(name))
                try suite.commit()
                staged.didCommit()
                if name == "x0" { try suite.save("s") }
            }
            // The second range has twice as many ids as the first one.
            try staged.add(rows("x2", "x3", "x4"))
            try staged.publish([])
            try suite.save("last")
            #expect(try suite.all().map(\.id) == [1, 2, 3, 4, 5, 6, 7])
            #expect(try suite.names() == ["x0", "s", "x1", "x2", "x3", "x4", "last"])
        }
    }

    @Test("The rows of an import count towards the limits at once, and only once after they are published")
    func limits() throws {
        try withStore(limits: SuiteLimits(records: 3, bytes: 20)) { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            let tooMany = rows("a", "b", "c", "d")
            let tooLarge = [StagedRow(.event(bytes: 15)), StagedRow(.event(bytes: 6))]
            for (part, error) in [
                (tooMany, SuiteError.full(records: 3, bytes: 3)),
                (tooLarge, SuiteError.full(records: 1, bytes: 15)),
            ] {
                #expect(throws: error) { try staged.add(part) }
                suite.rollback()
                staged.didRollBack()
            }
            // 8 bytes, and 3 bytes with the reason
            try staged.add(rows("12345678", "†"))
            try staged.publish([])
            #expect(throws: SuiteError.full(records: 2, bytes: 11)) { try suite.pending.save(.event(bytes: 10)) }
            _ = try suite.pending.save(.event(bytes: 9))
            #expect(throws: SuiteError.full(records: 3, bytes: 20)) { try suite.pending.save(.event("")) }
            try suite.commit()
            #expect(throws: SuiteError.full(records: 3, bytes: 20)) { try suite.pending.save(.event("")) }
        }
    }

    @Test("The defaults of an import count towards the limit together, and those of a part that was rolled back do not")
    func defaultsLimit() throws {
        try withStore(limits: SuiteLimits(bytes: 10)) { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            try staged.add([StagedDefault(key: "k", value: 1_234)])
            suite.rollback()
            staged.didRollBack()
            // 5 bytes each
            try staged.add([StagedDefault(key: "k", value: 1_234), StagedDefault(key: "ä", value: 123)])
            try suite.commit()
            staged.didCommit()
            #expect(throws: SuiteError.full(records: 0, bytes: 0)) {
                try staged.add([StagedDefault(key: "", value: 1)])
            }
            suite.rollback()
            staged.didRollBack()
        }
    }

    @Test("The end of an import removes its lock, and is noted once")
    func end() throws {
        try withStore { store in
            let suite = store.standard
            let staged = StagedImport(suite)
            try staged.add(rows("x"))
            try suite.commit()
            staged.didCommit()
            func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: store.folder) }
            #expect(try files().contains { $0.contains("import") })
            #expect(store.drainUnfinishedImports().isEmpty)
            for expected in [[SuiteName.standard], []] {
                staged.end()
                #expect(store.drainUnfinishedImports().map(\.name) == expected)
            }
            #expect(try !files().contains { $0.contains("import") })
        }
    }

    @Test("A process that only reads a suite notes the unfinished import of another one, also if it began later")
    func noted() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            let (early, late) = (SuiteStore(folder: store.folder), SuiteStore(folder: store.folder))
            defer { for each in [early, late] { each.close() } }
            #expect(try early.standard.names() == ["a"])
            #expect(!early.hasUnfinishedImports)
            let staged = StagedImport(suite)
            try staged.add([StagedDefault(key: "k", value: 1)])
            try staged.publish([])
            try suite.commit()
            staged.didCommit()
            staged.end()
            #expect(try late.standard.names() == ["a"])
            #expect(late.drainUnfinishedImports().map(\.name) == [.standard])
            #expect(throws: SuiteError.busy) { try early.standard.defaults.retrieve(forKey: "k") }
            #expect(early.drainUnfinishedImports().map(\.name) == [.standard])
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
            for key in ["b", "a", "c"] { try suite.defaults.store(.string(key), forKey: key) }
            try suite.save("a", "b", "c")
            let snapshot = try #require(try SuiteSnapshot(suite))
            _ = try suite.removeAll([.customEvent])
            try suite.defaults.store(1, forKey: "d")
            try suite.save("d")
            #expect(try snapshot.defaults(after: nil, limit: 2).map { $0.key } == ["a", "b"])
            #expect(try snapshot.defaults(after: "a", limit: 9).map { $0.value } == ["b", "c"])
            #expect(try snapshot.total(.customEvent) == 3 && snapshot.total(.customAttribute) == 0)
            #expect(try snapshot.records(.customEvent, after: 1, limit: 1).map(\.content.name) == ["b"])
            #expect(try snapshot.records(.customEvent, after: 0, limit: 9).map(\.content.name) == ["a", "b", "c"])
            #expect(try suite.names() == ["d"])
        }
    }
}
