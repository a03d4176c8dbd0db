import Foundation
import Suites
import Synchronization
import TestSupport
import Testing

/// A commit on the thread of the suite's connection.
@Testing.Suite(.waits) struct BackgroundCommitTests {
    @Test("It reports its end once, and what it committed is durable")
    func end() throws {
        try withStore { store in
            let ended = DispatchSemaphore(value: 0)
            let suite = store.standard
            _ = try suite.pending.save(.event("a"))
            #expect(try suite.beginCommit { ended.signal() })
            ended.wait()
            try suite.finishCommit()
            #expect(!suite.isInTransaction)
            #expect(try SuiteStore(folder: store.folder).standard.names() == ["a"])
            #expect(try !suite.beginCommit { ended.signal() }, "nothing is left to commit")
            #expect(ended.wait(timeout: .now()) == .timedOut, "it reported twice")
        }
    }

    /// Uses a suite between the beginning and the end of a commit, or does not, and closes it.
    private static func commit(using number: Int?) throws {
        try withStore { store in
            let suite = store.standard
            _ = try suite.pending.save(.event("a"))
            guard try suite.beginCommit(onEnd: {}) else { return }
            // Only the check may end the process, not an error.
            switch number {
            case 0: _ = try? suite.defaults.retrieve(forKey: "k")
            case 1: _ = try? suite.pending.save(.event("b"))
            case 2: suite.rollback()
            case 3: try? suite.commit()
            case 4: _ = try? suite.beginCommit(onEnd: {})
            case 5: _ = suite.beginCheckpoint(onEnd: {})
            case 6: suite.checkpoint(isIdle: true)
            default: break
            }
            try? suite.finishCommit()
        }
    }

    @Test(
        "A use of the suite between its beginning and its end, which would wait for the disk, ends the process",
        .exits,
        arguments: 0..<7
    )
    func uses(number: Int) async {
        await #expect(processExitsWith: .success) { try Self.commit(using: nil) }
        await #expect(processExitsWith: .failure) { [number] in try Self.commit(using: number) }
    }

    @Test("If the totals cannot be stored, the commit does not begin, and the transaction is lost")
    func unstoredTotals() throws {
        try withStore { store in
            let suite = store.standard
            try suite.save("before")
            try suite.refuse("UPDATE ON main.counters")
            _ = try suite.pending.save(.event("lost"))
            expectLost { () throws(SuiteError) in _ = try suite.beginCommit {} }
            #expect(!suite.isInTransaction)
            try suite.refuseNothing()
            try suite.save("after")
            #expect(try suite.names() == ["before", "after"])
        }
    }

    @Test("A large log is emptied beside the event loop, if nobody writes, and others can write only after that")
    func checkpoint() throws {
        try withStore { store in
            let suite = store.standard
            let other = SuiteStore(folder: store.folder)
            defer { other.close() }
            let ended = DispatchSemaphore(value: 0)
            try suite.save("a")
            #expect(!suite.beginCheckpoint { ended.signal() }, "the log is small")
            _ = try suite.pending.save(.event(bytes: 5 << 20))
            #expect(!suite.beginCheckpoint { ended.signal() }, "a transaction is open")
            try suite.commit()
            _ = try other.standard.pending.save(.event("b"))
            #expect(!suite.beginCheckpoint { ended.signal() }, "another connection writes")
            try other.standard.commit()
            #expect(ended.wait(timeout: .now()) == .timedOut)

            #expect(suite.beginCheckpoint { ended.signal() })
            #expect(throws: SuiteError.busy) { try other.standard.pending.save(.event("c")) }
            suite.finishCheckpoint()
            #expect(ended.wait(timeout: .now()) == .success, "it did not wait for the end")
            #expect(size(store.path() + "-wal") == 0)
            try other.standard.save("c")
            #expect(try suite.pending.total(nil) == 4)
        }
    }

    @Test("The commits of several suites run at once, and a closed store has stored all of them")
    func several() throws {
        try withStore { store in
            let count = Mutex(0)
            let suites = try (0..<20).map { store.suite(try #require(SuiteName("group.s\($0)"))) }
            for suite in suites {
                _ = try suite.pending.save(.event("a"))
                #expect(try suite.beginCommit { count.withLock { $0 += 1 } })
            }
            for suite in suites { try suite.finishCommit() }
            #expect(count.withLock { $0 } == 20)
            store.close()
            let read = SuiteStore(folder: store.folder)
            for suite in suites { #expect(try read.suite(suite.name).names() == ["a"]) }
        }
    }

    @Test(
        "If the disk is full, the whole transaction is lost, and the loss is reported at the end",
        .exits
    )
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                let suite = store.standard
                try suite.save("kept")
                limitFiles(to: size(store.path() + "-wal") + 8_192)
                _ = try suite.pending.save(.event("small"))
                _ = try suite.pending.save(.event(bytes: 500_000))
                #expect(try suite.beginCommit {})
                expectLost { () throws(SuiteError) in try suite.finishCommit() }
                try expectOnly(["kept"], in: suite, of: store)
                limitFiles(to: nil)
                try suite.save("after")
                try expectOnly(["kept", "after"], in: suite, of: store)
            }
        }
    }
}
