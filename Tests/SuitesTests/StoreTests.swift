import Foundation
import TestSupport
import Testing

@testable import Suites

/// A folder of suites: how it is made, what it lists, and what it opens and closes.
@Testing.Suite(.waits) struct StoreTests {
    private func contents(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test("The names of suites are sorted, and other files in the folder are none")
    func names() throws {
        try withStore { store in
            for name in ["b", "a", "c"] { try store.suite(try #require(SuiteName(name))).save("e") }
            for file in ["d.plist", "_e.sqlite"] {
                #expect(FileManager.default.createFile(atPath: "\(store.folder)/\(file)", contents: nil))
            }
            #expect(try store.names().map(\.text) == ["a", "b", "c"])
        }
    }

    @Test("A folder is made with its parents, also if its path names one twice, and again after it was removed")
    func folders() throws {
        try withTemporaryDirectory { folder in
            let store = SuiteStore(folder: "\(folder)/a/./b")
            defer { store.close() }
            for name in ["first", "second"] {
                try store.standard.save(name)
                #expect(try store.standard.names() == [name])
                #expect(FileManager.default.fileExists(atPath: "\(folder)/a/b/standard.sqlite"))
                try FileManager.default.removeItem(atPath: "\(folder)/a")
            }
        }
    }

    @Test(
        "A folder that cannot be made is an error that names it",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc"))
    )
    func impossibleFolder() throws {
        let store = SuiteStore(folder: "/proc/pushhost-tests/data")
        let error = try #require(throws: SuiteError.self) { try store.standard.pending.save(.event("a")) }
        guard case .notStored(let text) = error else {
            Issue.record("\(error) is not notStored")
            return
        }
        #expect(text.hasPrefix("cannot make the folder /proc/pushhost-tests: "), "\(text)")
    }

    @Test("A new suite removes what a killed process left of it, but not what is left of others")
    func leftovers() throws {
        try withStore { store in
            try FileManager.default.createDirectory(atPath: store.folder, withIntermediateDirectories: true)
            for name in ["standard", "standards", "other"] {
                try "old".write(toFile: "\(store.folder)/.\(name).new-a", atomically: false, encoding: .utf8)
            }
            try store.standard.save("a")
            #expect(try contents(store.folder).filter { $0.contains("new-") } == [".other.new-a", ".standards.new-a"])
        }
    }

    @Test("If the rest of a removed suite stays, no new one appears", arguments: ["-journal", "-wal", "-shm"])
    func remains(ending: String) throws {
        try withStore { store in
            // Only an empty folder could be removed, and not as a file.
            let remains = store.path() + ending
            try FileManager.default.createDirectory(atPath: remains, withIntermediateDirectories: true)
            let error = try #require(throws: SuiteError.self) { try store.standard.pending.save(.event("a")) }
            #expect(error.text.hasPrefix("cannot remove \(remains): "), "\(error)")
            #expect(try contents(store.folder) == [".lock", "standard.sqlite\(ending)"])
        }
    }

    @Test("A folder in which no file can be made is an error that names it")
    func noFile() throws {
        try withTemporaryDirectory { folder in
            let error = try #require(throws: SuiteError.self) { _ = try TemporarySuite(of: "a", in: "\(folder)/none") }
            #expect(error.text.hasPrefix("cannot make a file in \(folder)/none: "), "\(error)")
        }
    }

    @Test("A closed store has no file open, and leaves an empty log to other processes")
    func closed() throws {
        try withStore { store in
            let other = SuiteStore(folder: store.folder)
            try store.standard.save("a")
            #expect(try other.standard.names() == ["a"])
            let log = store.path() + "-wal"
            #expect(size(log) > 0)
            store.close()
            #expect(size(log) == 0)
            other.close()
            #expect(descriptors(of: store.path()).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: log))
        }
    }

    @Test("Suites with unfinished imports are listed once, by name, and no longer after the store was closed")
    func unfinishedImports() throws {
        try withStore { store in
            let other = SuiteStore(folder: store.folder)
            defer { other.close() }
            let imports = try ["b", "a"].map { StagedImport(other.suite(try #require(SuiteName($0)))) }
            defer { for staged in imports { staged.end() } }
            for staged in imports {
                try staged.add([StagedRow(.event("x"))])
                try staged.suite.commit()
                staged.didCommit()
            }
            func look() throws {
                for staged in imports { #expect(try store.suite(staged.suite.name).names().isEmpty) }
            }
            try look()
            #expect(store.hasUnfinishedImports)
            #expect(store.drainUnfinishedImports().map(\.name.text) == ["a", "b"])
            #expect(!store.hasUnfinishedImports && store.drainUnfinishedImports().isEmpty)
            store.close()
            try look()
            #expect(store.hasUnfinishedImports)
            store.close()
            #expect(!store.hasUnfinishedImports)
        }
    }

    @Test("Names that were only asked for are kept until there are four times as many as suites may be open")
    func forgotten() throws {
        try withStore { store in
            weak let first = store.suite(try #require(SuiteName("n0")))
            for number in 1..<4 * SuiteStore.openLimit { _ = store.suite(try #require(SuiteName("n\(number)"))) }
            #expect(first != nil)
            _ = store.standard
            #expect(first == nil)
        }
    }

    @Test("A folder with a relative path is made in the current one, with its parents", .exits)
    func relativeFolder() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryDirectory { folder in
                #expect(FileManager.default.changeCurrentDirectoryPath(folder))
                for path in ["a", "b/c"] {
                    let store = SuiteStore(folder: path)
                    defer { store.close() }
                    try store.standard.save("e")
                    #expect(FileManager.default.fileExists(atPath: "\(folder)/\(path)/standard.sqlite"))
                }
            }
        }
    }

    // MARK: Descriptors

    @Test("A suite for which there are too few descriptors is not opened, and the error has the limit", .exits)
    func tooFewDescriptors() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                try store.standard.save("a")
                store.close()
                limitDescriptors(to: 60)
                var (taken, copy): ([Int32], Int32) = ([], dup(0))
                while copy >= 0 {
                    taken.append(copy)
                    copy = dup(0)
                }
                #expect(throws: SuiteError.tooManyFiles(limit: 60)) { try store.names() }
                // Three are enough for the locks, but not for the database and its log.
                for copy in taken.suffix(3) { close(copy) }
                #expect(try store.names() == [.standard])
                #expect(throws: SuiteError.tooManyFiles(limit: 60)) { try store.standard.names() }
                for copy in taken.dropLast(3) { close(copy) }
                limitDescriptors(to: nil)
                #expect(try store.standard.names() == ["a"])
            }
        }
    }

    @Test("Descriptors that are kept for libdispatch are given back once, when the first suite is opened", .exits)
    func keptDescriptors() async {
        await #expect(processExitsWith: .success) {
            try withStore { store in
                // They are copies of the standard input.
                func copies() -> Int {
                    let files = openFiles()
                    return files.values.count { $0 == files[0] }
                }
                let before = copies()
                SuiteStore.reserveDescriptors()
                #expect(copies() == before + 3)
                try store.standard.save("a")
                #expect(copies() == before)
                let files = openFiles()
                try store.suite(try #require(SuiteName("other"))).save("b")
                // Their numbers belong to others now.
                let later = openFiles()
                #expect(files.allSatisfy { later[$0.key] == $0.value })
            }
        }
    }
}

/// The files to which the descriptors of this process lead.
private func openFiles() -> [Int32: [UInt64]] {
    var status = stat()
    var files: [Int32: [UInt64]] = [:]
    for descriptor in Int32(0)..<256 where fstat(descriptor, &status) == 0 {
        files[descriptor] = [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
    return files
}

/// Limits the number of descriptors of this process; nil removes the limit.
private func limitDescriptors(to count: Int?) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = count.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
