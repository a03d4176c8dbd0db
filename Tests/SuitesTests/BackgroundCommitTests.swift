import Foundation
import Suites
import Synchronization
import TestSupport
import Testing

/// A commit on the thread of the suite's connection.
@Testing.Suite(.hangs) struct BackgroundCommitTests {
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

    @Test("Whatever uses the suite before its end waits for it")
    func uses() throws {
        try withStore { store in
            let suite = store.standard
            for round in 1...50 {
                _ = try suite.pending.save(.event("saved \(round)"))
                #expect(try suite.beginCommit {})
                switch round % 4 {
                case 0: #expect(try suite.pending.total(nil) == Int64(2 * round - 1))
                case 1: break
                case 2: suite.rollback()
                default: suite.checkpoint(isIdle: true)
                }
                // A new transaction, which the end of the earlier one does not end.
                _ = try suite.pending.save(.event("next \(round)"))
                try suite.finishCommit()
                #expect(suite.isInTransaction)
                try suite.commit()
            }
            #expect(try suite.pending.total(nil) == 100)
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
        "If the disk is full, the whole transaction is lost, and the loss is reported at the end even if a read came first"
    )
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                let suite = store.standard
                try suite.save("kept")
                for readsFirst in [false, true] {
                    limitFiles(to: size(store.path() + "-wal") + 8_192)
                    _ = try suite.pending.save(.event("small"))
                    _ = try suite.pending.save(.event(bytes: 500_000))
                    #expect(try suite.beginCommit {})
                    if readsFirst { #expect(try suite.names() == ["kept"]) }
                    expectLost { () throws(SuiteError) in try suite.finishCommit() }
                    try expectOnly(["kept"], in: suite, of: store)
                    limitFiles(to: nil)
                }
                try suite.save("after")
                try expectOnly(["kept", "after"], in: suite, of: store)
            }
        }
    }
}
