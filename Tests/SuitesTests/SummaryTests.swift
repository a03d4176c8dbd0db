import Foundation
import Platform
import TestSupport
import Testing

@testable import Suites

/// What suites hold in numbers, read only if somebody changed them.
struct SummaryTests {
    /// A store, and the names of more suites with one record each than may be open at a time.
    private func withManySuites(_ body: (SuiteStore, [SuiteName]) throws -> Void) throws {
        try withStore { store in
            try store.standard.save("a")
            store.close()
            let names = try (0..<SuiteStore.openLimit + 20).map { try #require(SuiteName("s\($0)")) }
            for name in names {
                try FileManager.default.copyItem(atPath: store.path(), toPath: store.path(name))
                let longAgo: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSince1970: 1_000_000)]
                try FileManager.default.setAttributes(longAgo, ofItemAtPath: store.path(name))
            }
            try body(store, names)
        }
    }

    @Test("A second look at more suites than may be open opens no file, and neither look closes one that is in use")
    func many() throws {
        try withManySuites { store, names throws in
            let used = names.prefix(100).map(store.suite)
            for suite in used { #expect(try suite.pending.total(nil) == 1) }
            let files = used.map(\.file)
            for _ in 1...2 {
                // SQLite adds a log to the folder when it opens a file, which changes the folder's time.
                while FileStamp(of: store.folder)?.isReliable == false {}
                let folder = FileStamp(of: store.folder)
                let isKnown = store.summaries.count == names.count
                for name in names { #expect(try store.summary(of: name).pending == 1) }
                #expect((FileStamp(of: store.folder) == folder) == isKnown)
                #expect(zip(used, files).allSatisfy { $0.file === $1 })
                #expect(names.dropFirst(100).allSatisfy { store.suite($0).file == nil })
            }
            #expect(store.summaries.count == names.count)
        }
    }

    @Test("With the maximum number of suites open, the one that was opened first is closed for the next")
    func oldest() throws {
        try withManySuites { store, names throws in
            let (first, rest) = (names.prefix(SuiteStore.openLimit), names.dropFirst(SuiteStore.openLimit))
            for name in first + rest { #expect(try store.suite(name).pending.total(nil) == 1) }
            let open = names.filter { store.suite($0).file != nil }
            #expect(open == Array(names.suffix(SuiteStore.openLimit)))
        }
    }

    @Test("A store is crowded when as many suites have open transactions as may be open, and names them in their order")
    func crowded() throws {
        try withManySuites { store, names throws in
            let crowd = names.prefix(SuiteStore.openLimit).reversed().map(store.suite)
            for suite in crowd {
                #expect(!store.isCrowded)
                _ = try suite.pending.save(.event("b"))
            }
            #expect(store.isCrowded && store.hasTransactions)
            let drained = store.drainTransactions()
            #expect(drained.map(\.name) == crowd.map(\.name))
            #expect(!store.isCrowded && !store.hasTransactions)
            for suite in drained { suite.rollback() }
        }
    }

    /// Reads the summary until it is kept, which a file that was just changed postpones by some milliseconds.
    private func kept(_ store: SuiteStore) throws -> SuiteSummary {
        while true {
            let summary = try store.summary(of: .standard)
            if store.summaries[.standard] != nil { return summary }
        }
    }

    @Test("A change by another process, a checkpoint or the removal of the file shows in the next summary")
    func others() throws {
        try withStore { store in
            let suite = store.standard
            let other = SuiteStore(folder: store.folder)
            try suite.save("a")
            #expect(try kept(other).pending == 1)
            try suite.save("b")
            #expect(try other.summary(of: .standard).pending == 2)
            _ = try kept(other)
            store.checkpoint(isIdle: true)
            #expect(try kept(other).pending == 2)
            #expect(try suite.takeAll().names == ["a", "b"])
            #expect(try kept(other).pending == 0)
            store.close()
            try FileManager.default.removeItem(atPath: store.path())
            #expect(try other.summary(of: .standard).pending == 0)
            #expect(other.summaries.isEmpty)
        }
    }

    @Test("A look at a suite that is in use keeps no other process from saving")
    func unlocked() throws {
        try withStore { store in
            let other = SuiteStore(folder: store.folder)
            defer { other.close() }
            try store.standard.save("a")
            #expect(try kept(store).pending == 1)
            try other.standard.save("b")
            #expect(try store.summary(of: .standard).pending == 2)
        }
    }

    @Test("Numbers that are read while another process is about to commit are not kept")
    func committing() throws {
        try withStore { store in
            let suite = store.standard
            let other = SuiteStore(folder: store.folder)
            defer { other.close() }
            try suite.save("a")
            _ = try suite.pending.save(.event("b"))
            for path in [store.path(), store.path() + "-wal"] { while FileStamp(of: path)?.isReliable == false {} }
            #expect(try other.summary(of: .standard).pending == 1)
            #expect(other.summaries.isEmpty)
            suite.rollback()
            #expect(try kept(other).pending == 1)
        }
    }

    @Test("A summary has the numbers of pending records, dead letters, deliveries and records that may have been sent")
    func numbers() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a", "b", "c", "d", "e", "f")
            var settlement = Settlement()
            settlement.delivered = [1]
            settlement.deadLetters = [(2, "no"), (3, "no")]
            settlement.ambiguousPending = [4]
            settlement.ambiguousRecords = 1
            try suite.claims.settle(0, settlement, destination: "x", now: 0)
            try suite.commit()
            var totals = DeliveryTotals(destination: "x")
            totals.delivered = 1
            totals.rejected = 2
            totals.ambiguousDeliveries = 1
            let summary = try store.summary(of: .standard)
            #expect(summary.pending == 3 && summary.deadLetters == 2 && summary.possiblySent == 1)
            #expect(summary.deliveries == [totals])
        }
    }

    @Test("The open transaction counts, and what it lost does not")
    func transaction() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("a")
            #expect(try kept(store).pending == 1)
            _ = try suite.pending.save(.event("b"))
            #expect(try store.summary(of: .standard).pending == 2)
            suite.rollback()
            #expect(try store.summary(of: .standard).pending == 1)
        }
    }

    @Test("While a checkpoint runs beside the event loop, which changes the files, no numbers are known")
    func checkpoint() throws {
        try withStore { store in
            let suite = store.standard
            for _ in 0..<25 { _ = try suite.pending.save(.event(bytes: 200_000)) }
            try suite.commit()
            #expect(try kept(store) == store.knownSummary(of: .standard))
            let hasBegun = suite.beginCheckpoint(onEnd: {})
            #expect(hasBegun)
            #expect(store.knownSummary(of: .standard) == nil)
            suite.finishCheckpoint()
            #expect(try store.summary(of: .standard).pending == 25)
        }
    }

    @Test("While a host sends records, and after its death, the summary is read again, as only a lock shows the death")
    func claims() throws {
        try withStore { store in
            try store.standard.save("a", "b")
            _ = try store.standard.claims.claim(ids: [1], for: "x")
            try store.standard.commit()
            let other = SuiteStore(folder: store.folder)
            var lock = try store.standard.lockFlush()
            while FileStamp(of: store.folder)?.isReliable == false {}
            #expect(try lock != nil && other.summary(of: .standard).possiblySent == 0)
            #expect(try other.summary(of: .standard).possiblySent == 0)
            lock = nil
            #expect(try other.summary(of: .standard).possiblySent == 1)
        }
    }
}
