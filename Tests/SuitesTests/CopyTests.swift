import Foundation
import GRDB
import JSON
import Suites
import Synchronization
import TestSupport
import Testing

/// Copies of suites, which are their backups.
struct CopyTests {
    /// Passes a store and another one, neither of whose folders exists yet, to the closure.
    private func withStores(_ body: (SuiteStore, SuiteStore) throws -> Void) throws {
        try withStore { store in
            let target = SuiteStore(folder: "\(store.folder)-copy/deep")
            defer { target.close() }
            try body(store, target)
        }
    }

    /// Copies the suite `standard`, and returns the number of its pending records.
    private func copy(_ store: SuiteStore, to target: SuiteStore) throws -> Int64 {
        try SuiteCopy(of: store.standard, to: target.folder).make()
    }

    private func error(_ body: () throws -> Void) throws -> SuiteError {
        try #require(throws: SuiteError.self, performing: body)
    }

    @Test("A copy has the identity, the records and the ids of its suite, in one file that only its owner can read")
    func contents() throws {
        try withStores { store, target in
            try store.standard.save("a", "b", "c")
            try store.standard.defaults.store(["n": 1], forKey: "key")
            _ = try store.standard.removeAll([.customEvent])
            try store.standard.commit()
            let kept = [
                try store.standard.pending.save(.event("d")), try store.standard.pending.save(.field("email", "a@b.c")),
            ]
            try store.standard.add(StagedRow(.event("dead"), reason: "no", at: 0))
            try store.standard.commit()
            // Not committed: the copy has what its suite has on the disk.
            _ = try store.suite(try #require(SuiteName("other"))).pending.save(.event("open"))
            #expect(try copy(store, to: target) == 2)
            let files = try FileManager.default.contentsOfDirectory(atPath: target.folder).sorted()
            #expect(files == [".lock", "standard.sqlite"])
            let attributes = try FileManager.default.attributesOfItem(atPath: target.path())
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try target.standard.identity() == store.standard.identity())
            #expect(try target.standard.all().map(\.id) == kept && target.standard.deadLetters.total() == 1)
            #expect(try target.standard.defaults.retrieve(forKey: "key") == ["n": 1])
            #expect(try target.standard.save("e") == store.standard.save("f"), "the next id is the same in both")
        }
    }

    @Test("A copy replaces nothing: no suite, no log without its database, and no suite of another case")
    func refusals() throws {
        for file in ["standard.sqlite", "standard.sqlite-wal", "standard.sqlite-shm", "Standard.sqlite"] {
            try withStores { store, target in
                try store.standard.save("a")
                try FileManager.default.createDirectory(atPath: target.folder, withIntermediateDirectories: true)
                try "old".write(toFile: "\(target.folder)/\(file)", atomically: true, encoding: .utf8)
                let isOtherCase = file.hasPrefix("S")
                let expected: SuiteError =
                    isOtherCase
                    ? .nameTaken("Standard")
                    : .notStored("\(target.folder)/\(file) exists, and a copy replaces nothing")
                #expect(try error { try target.requireAbsent(.standard) } == expected)
                #expect(try error { _ = try copy(store, to: target) } == expected)
                #expect(try String(contentsOfFile: "\(target.folder)/\(file)", encoding: .utf8) == "old")
                let files = try FileManager.default.contentsOfDirectory(atPath: target.folder).sorted()
                #expect(files == [".lock", file], "nothing stays of the copy")
            }
        }
    }

    @Test(
        "A copy removes what a killed one left, but not what another process is writing, and a cancelled copy leaves nothing"
    )
    func leftovers() throws {
        try withStores { store, target in
            try store.standard.save("a")
            try FileManager.default.createDirectory(atPath: target.folder, withIntermediateDirectories: true)
            let (left, written) = (".standard.new-aaaaaa", ".standard.new-bbbbbb")
            for file in [left, written] {
                try "old".write(toFile: "\(target.folder)/\(file)", atomically: true, encoding: .utf8)
            }
            let writer = open("\(target.folder)/\(written)", O_RDONLY)
            defer { close(writer) }
            #expect(flock(writer, LOCK_EX) == 0)
            let cancelled = try SuiteCopy(of: store.standard, to: target.folder)
            cancelled.cancel()
            #expect(try error { _ = try cancelled.make() } == .notStored("the copy was cancelled"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: target.folder) == [written])
            #expect(try copy(store, to: target) == 1)
            let files = try FileManager.default.contentsOfDirectory(atPath: target.folder).sorted()
            #expect(files == [".lock", written, "standard.sqlite"])
            #expect(descriptors(of: "\(target.folder)/\(written)") == [writer])
        }
    }

    @Test("A copy that is cancelled while it is written does not go on, and leaves nothing")
    func cancelled() throws {
        try withStores { store, target in
            for _ in 0..<64 { _ = try store.standard.pending.save(.event(bytes: 1 << 18)) }
            try store.standard.commit()
            func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: target.folder)) ?? [] }
            let failure = Mutex<SuiteError?>(nil)
            // A copy may be complete before it is cancelled, but not each of so many.
            for _ in 0..<50 where failure.withLock({ $0 == nil }) {
                try? FileManager.default.removeItem(atPath: target.path())
                let copy = try SuiteCopy(of: store.standard, to: target.folder)
                let ended = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    do throws(SuiteError) { _ = try copy.make() } catch { failure.withLock { $0 = error } }
                    ended.signal()
                }
                while ended.wait(timeout: .now()) == .timedOut {
                    let written = files().first { $0.hasPrefix(".standard.new-") }
                    if let written, size("\(target.folder)/\(written)") > 0 { copy.cancel() }
                }
            }
            let text = failure.withLock { $0?.text }
            #expect(text?.contains("interrupt") == true, "\(String(describing: text))")
            #expect(!files().contains { $0.contains("standard") })
        }
    }

    @Test("A copy that is damaged gets no name")
    func checked() throws {
        try withStores { store, target in
            try store.standard.add(StagedRow(.event("a"), reason: "no", at: 0))
            try store.standard.commit()
            store.close()
            // NULL in a column of NOT NULL, which only a check of the whole file finds.
            func replace(_ old: String, _ new: String) throws {
                let change = "UPDATE sqlite_master SET sql = replace(sql, '\(old)', '\(new)')"
                try sqlite(store.path(), "PRAGMA writable_schema = ON; \(change) WHERE name = 'dead_letters'")
            }
            try replace("reason TEXT NOT NULL", "reason TEXT")
            try sqlite(store.path(), "UPDATE dead_letters SET reason = NULL")
            try replace("reason TEXT,", "reason TEXT NOT NULL,")
            let damaged = SuiteError.unreadable("its copy is damaged: NULL value in dead_letters.reason")
            #expect(try error { _ = try copy(store, to: target) } == damaged)
            #expect(try FileManager.default.contentsOfDirectory(atPath: target.folder) == [])
        }
    }

    @Test("A suite that is damaged, or that does not exist, gets no copy")
    func damage() throws {
        try withStores { store, target in
            let missing = try error { _ = try copy(store, to: target) }
            #expect(missing == .unreadable("there is no suite standard in \(store.folder)"))
            try store.standard.save("a")
            store.close()
            let file = try #require(FileHandle(forUpdatingAtPath: store.path()))
            try file.seek(toOffset: 4_096)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 8_192))
            try file.close()
            _ = try error { _ = try copy(store, to: target) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: target.folder) == [])
        }
    }
}
