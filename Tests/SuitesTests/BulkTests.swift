import GRDB
import JSON
import Suites
import TestSupport
import Testing

/// Changes of many records in parts, compared with a simple model of a suite.
struct BulkTests {
    /// The contents of a suite: names by id; a dead letter of bytes has no name.
    private struct Model {
        var pending: [Int64: String] = [:]
        var dead: [Int64: String?] = [:]
    }

    /// The contents of the file, as another process sees them.
    private func found(_ store: SuiteStore) throws -> Model {
        let suite = SuiteStore(folder: store.folder).standard
        var model = Model()
        for record in try suite.all() { model.pending[record.id] = record.content.name }
        for letter in try suite.deadLetters.page(limit: .max, byteLimit: .max) {
            model.dead.updateValue(letter.record?.name, forKey: letter.id)
        }
        #expect(try suite.pending.total(nil) == Int64(model.pending.count))
        #expect(try suite.deadLetters.total() == Int64(model.dead.count))
        return model
    }

    @Test("After records of unknown kinds were removed, those that stay are counted with their sizes")
    func unknownKinds() throws {
        try withStore(limits: SuiteLimits(records: 3)) { store in
            let suite = store.standard
            try suite.save("a", "bb")
            try DatabaseQueue(path: store.path()).write {
                try $0.execute(sql: "UPDATE pending SET kind = 9 WHERE id = 2")
            }
            var bulk = try suite.pending.remove(RecordKind.allCases)
            try suite.save("ccc")
            while !bulk.isDone {
                try bulk.advance { false }
                try suite.commit()
            }
            #expect(try suite.names() == ["ccc"])
            try suite.save("d", "e")
            #expect(throws: SuiteError.full(records: 3, bytes: 5)) { try suite.pending.save(.event("f")) }
        }
    }

    @Test("An import that is published while records are removed stays whole", arguments: [false, true])
    func publishedMeanwhile(areDeadLetters: Bool) throws {
        try withStore { store in
            let suite = store.standard
            func row(_ name: String) -> StagedRow {
                areDeadLetters ? StagedRow(.event(name), reason: "no", at: 0) : StagedRow(.event(name))
            }
            func total() throws -> Int64 {
                areDeadLetters ? try suite.deadLetters.total() : try suite.pending.total(nil)
            }
            try suite.add(row("a"), row("b"))
            try suite.commit()
            let staged = StagedImport(suite)
            try staged.add([row("c"), row("d")])
            try suite.commit()
            staged.didCommit()
            var change = areDeadLetters ? try suite.deadLetters.remove(nil) : try suite.pending.remove([.customEvent])
            try staged.add([row("e")])
            try staged.publish([])
            try suite.commit()
            staged.end()
            while !change.isDone {
                try change.advance { false }
                try suite.commit()
            }
            #expect(change.count == 2)
            #expect(try total() == 3)
        }
    }

    @Test("Removed records of unknown kinds leave no lease behind, and those of an unfinished import are not counted")
    func besidesUnknownKinds() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b")
            _ = try suite.takeAll(lease: Lease(token: "t", expires: 9))
            let staged = StagedImport(suite)
            try staged.add([StagedRow(.event("hidden"))])
            try suite.commit()
            staged.didCommit()
            try DatabaseQueue(path: store.path()).write {
                try $0.execute(sql: "UPDATE pending SET kind = 9 WHERE id = 2")
            }
            #expect(try suite.removeAll(RecordKind.allCases) == 2)
            try suite.commit()
            #expect(try suite.pending.total(nil) == 0 && suite.leases.freeRecords(now: 0) == 0)
            try staged.publish([])
            try suite.commit()
            staged.end()
            #expect(try suite.names() == ["hidden"] && suite.pending.total(nil) == 1)
        }
    }

    @Test("A change goes on until it may not, and commits what it did by then; its total is known from the beginning")
    func slices() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b")
            _ = try suite.pending.save(.attribute("k", 1))
            try suite.commit()
            var bulk = try suite.pending.remove([.customEvent, .customAttribute])
            #expect(bulk.total == 3)
            try bulk.advance { false }
            #expect(bulk.count == 2 && !bulk.isDone && !suite.isInTransaction)
            #expect(try found(store).pending == [3: "k"])
            try bulk.advance { true }
            #expect(bulk.count == 3 && bulk.isDone)
            #expect(try found(store).pending.isEmpty)
        }
    }

    @Test("Dead letters are changed in the order of their ids, whatever order a caller names them in")
    func order() throws {
        try withStore { store in
            let dead = StagedRow(.event("a"), reason: "no", at: 0)
            try store.standard.add(dead, dead, dead, dead)
            try store.standard.commit()
            var bulk = try store.standard.deadLetters.remove([4, 1])
            try bulk.advance { false }
            #expect(bulk.count == 1 && !bulk.isDone)
            #expect(try found(store).dead.keys.sorted() == [2, 3, 4])
            var next = try store.standard.deadLetters.retry([4, 2])
            try next.advance { false }
            #expect(next.count == 1 && !next.isDone)
            #expect(try found(store).pending.keys.sorted() == [2])
        }
    }

    @Test("A change that fails has changed nothing since its last commit, and can be tried again")
    func failure() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b")
            _ = try suite.pending.save(.attribute("k", 1))
            try suite.commit()
            // The removal of the events succeeds before that of the attribute fails.
            try suite.refuse("DELETE ON main.pending WHEN OLD.kind = 1")
            var bulk = try suite.pending.remove([.customEvent, .customAttribute])
            #expect(throws: SuiteError.self) { try bulk.advance { true } }
            #expect(!suite.isInTransaction && bulk.count == 0)
            #expect(try suite.names() == ["a", "b", "k"])
            try suite.refuseNothing()
            try bulk.advance { true }
            #expect(bulk.count == 3 && bulk.isDone)
            #expect(try found(store).pending.isEmpty)
        }
    }

    @Test("After each slice a change empties the log before it is large, so that the next one has room on a full disk")
    func log() throws {
        try withStore { store in
            let suite = store.standard
            for _ in 0..<6 { _ = try suite.pending.save(.event(bytes: 200_000)) }
            try suite.commit()
            let log = store.path() + "-wal"
            #expect(size(log) > 1 << 20 && size(log) < 4 << 20)
            var bulk = try suite.pending.remove([.customEvent])
            try bulk.advance { true }
            #expect(size(log) == 0)
        }
    }

    @Test("Dead letters can be removed although the file has lost the greatest id")
    func lostID() throws {
        try withStore { store in
            let suite = store.standard
            try suite.add(StagedRow(.event("a"), reason: "no", at: 0))
            try suite.commit()
            try DatabaseQueue(path: store.path()).write {
                try $0.execute(sql: "UPDATE counters SET records = 0 WHERE kind = 6")
            }
            var bulk = try suite.deadLetters.remove(nil)
            #expect(try bulk.finish() == 1)
            suite.rollback()
        }
    }

    @Test(
        "Imports, retries, discards, flushes and saves of many records have the same effects as in a simple model",
        arguments: 1...6
    )
    func fuzz(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try withStore { store in
            let suite = store.standard
            var model = Model()
            for step in 0..<40 {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0, 1, 2: try addImport(store, &model, step, &generator)
                case 3: try change(.retry, suite, &model, step, &generator)
                case 4: try change(.discard, suite, &model, step, &generator)
                case 5: try save(suite, &model, "s\(step)")
                case 6:
                    let limit = Int64.random(in: 1...300, using: &generator)
                    for record in try suite.leases.take(limit: limit, byteLimit: .max, lease: nil, now: 0).records {
                        #expect(model.pending.removeValue(forKey: record.id) == record.content.name)
                    }
                    try suite.commit()
                default:
                    let ids = model.pending.keys.sorted().prefix(Int.random(in: 0...50, using: &generator))
                    guard !ids.isEmpty else { continue }
                    let claim = try suite.claims.claim(ids: Array(ids), for: "d").id
                    var settlement = Settlement()
                    settlement.deadLetters = ids.map { ($0, "no") }
                    try suite.claims.settle(claim, settlement, destination: "d", now: 0)
                    try suite.commit()
                    for id in ids { model.dead.updateValue(model.pending.removeValue(forKey: id), forKey: id) }
                }
                let found = try found(store)
                #expect(found.pending == model.pending, "seed \(seed), step \(step)")
                #expect(found.dead == model.dead, "seed \(seed), step \(step)")
            }
            _ = try suite.removeAll(RecordKind.allCases)
            var discard = try suite.deadLetters.remove(nil)
            _ = try discard.finish()
            try suite.commit()
            store.close()
            #expect(
                try sqlite(
                    store.path(),
                    "SELECT sum(abs(records) + abs(bytes)) FROM counters WHERE kind < 6; SELECT count(*) FROM imports"
                )
                    == ["0", "0"]
            )
        }
    }

    private func save(_ suite: Suites.Suite, _ model: inout Model, _ name: String) throws {
        let id = try suite.pending.save(.event(name))
        try suite.commit()
        #expect(model.pending.updateValue(name, forKey: id) == nil && model.dead[id] == nil)
    }

    /// Imports in parts, between which others save; some imports are abandoned, and removed by another process.
    private func addImport(
        _ store: SuiteStore,
        _ model: inout Model,
        _ step: Int,
        _ generator: inout SeededGenerator
    ) throws {
        let suite = store.standard
        let other = SuiteStore(folder: store.folder)
        let staged = StagedImport(suite)
        var records = 0
        var letters: [String?] = []
        for part in 0..<Int.random(in: 1...4, using: &generator) {
            var rows: [StagedRow] = []
            let before = (records, letters)
            for number in 0..<Int.random(in: 0...300, using: &generator) {
                let name = "i\(step).\(part).\(number)"
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    rows.append(StagedRow(.event(name)))
                    records += 1
                case 1:
                    rows.append(StagedRow(.event(name), reason: "no", at: 0))
                    letters.append(name)
                default:
                    rows.append(StagedRow([0xFF], kind: nil, reason: "no", at: 0))
                    letters.append(nil)
                }
            }
            try staged.add(rows)
            guard Int.random(in: 0..<5, using: &generator) > 0 else {
                suite.rollback()
                staged.didRollBack()
                (records, letters) = before
                continue
            }
            try suite.commit()
            staged.didCommit()
            if Bool.random(using: &generator) { try save(suite, &model, "m\(step).\(part)") }
        }
        guard Int.random(in: 0..<4, using: &generator) > 0 else {
            staged.end()
            var isLeft = true
            while isLeft { isLeft = try other.standard.imports.sweep { false } }
            return
        }
        try staged.publish([])
        try suite.commit()
        staged.end()
        // The suite chooses the ids: the new ones, in order.
        let new = try suite.all().filter { model.pending[$0.id] == nil }
        #expect(new.count == records)
        for record in new { model.pending[record.id] = record.content.name }
        let dead = try suite.deadLetters.page(limit: .max, byteLimit: .max).filter { model.dead[$0.id] == nil }
        #expect(dead.map(\.record?.name) == letters)
        for letter in dead { model.dead.updateValue(letter.record?.name, forKey: letter.id) }
    }

    private enum Change {
        case retry
        case discard
    }

    private func change(
        _ change: Change,
        _ suite: Suites.Suite,
        _ model: inout Model,
        _ step: Int,
        _ generator: inout SeededGenerator
    ) throws {
        let all = Bool.random(using: &generator)
        let known = model.dead.keys.sorted()
        let ids = all ? known : known.filter { _ in Bool.random(using: &generator) } + [999_999]
        var bulk =
            try change == .retry ? suite.deadLetters.retry(all ? nil : ids) : suite.deadLetters.remove(all ? nil : ids)
        var expected: Int64 = 0
        for id in ids {
            guard let name = model.dead[id] else { continue }
            if change == .retry {
                guard let name else { continue }
                model.pending[id] = name
            }
            model.dead.removeValue(forKey: id)
            expected += 1
        }
        while !bulk.isDone {
            try bulk.advance { false }
            if Int.random(in: 0..<4, using: &generator) == 0 { try save(suite, &model, "c\(step)") }
        }
        #expect(bulk.count == expected)
    }
}
