import Foundation
import GRDB
import JSON
import Suites
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
            let kept = try store.standard.save("d")
            // Not committed: the copy has what its suite has on the disk.
            _ = try store.suite(try #require(SuiteName("other"))).pending.save(.event("open"))
            #expect(try copy(store, to: target) == 1)
            let files = try FileManager.default.contentsOfDirectory(atPath: target.folder).sorted()
            #expect(files == [".lock", "standard.sqlite"])
            let attributes = try FileManager.default.attributesOfItem(atPath: target.path())
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try target.standard.identity() == store.standard.identity())
            #expect(try target.standard.all().map(\.id) == kept)
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
