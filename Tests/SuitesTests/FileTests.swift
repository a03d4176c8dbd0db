import Foundation
import JSON
import Platform
import TestSupport
import Testing

@testable import Suites

@Testing.Suite(.waits) struct FileTests {
    @Test("A suite without saves is empty, and reading it creates no file and no folder")
    func absent() throws {
        try withStore { store in
            let suite = store.standard
            #expect(try suite.all().isEmpty)
            #expect(try suite.pending.total(nil) == 0)
            #expect(try suite.defaults.retrieve(forKey: "k") == nil)
            #expect(try !suite.defaults.removeObject(forKey: "k"))
            #expect(try suite.removeAll([.customEvent]) == 0)
            #expect(throws: SuiteError.leaseExpired) { try suite.leases.acknowledge("t", now: 0) }
            try suite.commit()
            suite.rollback()
            suite.checkpoint(isIdle: true)
            #expect(try store.names().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: store.folder))
        }
    }

    @Test("Only the owner can access the folder and the files in it")
    func modes() throws {
        let mask = umask(0)
        defer { umask(mask) }
        try withStore { store in
            try store.standard.save("a")
            #expect(try mode(store.folder) == 0o700)
            let files = try FileManager.default.contentsOfDirectory(atPath: store.folder)
            let suffixes = [".lock", ".sqlite", ".sqlite-shm", ".sqlite-wal"]
            #expect(files.sorted() == [".lock"] + suffixes.map { "standard\($0)" })
            for file in files { #expect(try mode("\(store.folder)/\(file)") == 0o600, "\(file)") }
        }
    }

    @Test("A new suite does not take over the log of a removed one", arguments: [false, true])
    func removedWithoutLog(isOpen: Bool) throws {
        try withStore { store in
            try store.standard.save("lost with its file")
            try store.standard.commit()
            let (path, log) = (store.path(), store.path() + "-wal")
            if isOpen {
                try FileManager.default.removeItem(atPath: path)
            } else {
                try FileManager.default.copyItem(atPath: log, toPath: log + "2")
                store.close()
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.moveItem(atPath: log + "2", toPath: log)
            }
            let other = SuiteStore(folder: store.folder)
            try other.standard.save("other's")
            try other.standard.commit()
            try store.standard.save("kept")
            try store.standard.commit()
            #expect(try SuiteStore(folder: store.folder).standard.names() == ["other's", "kept"])
            #expect(try found(store) == ["other's", "kept"])
        }
    }

    @Test("After a file was removed or replaced, the current file is used", arguments: [false, true])
    func removed(isReplaced: Bool) throws {
        try withStore { store in
            try store.standard.save("lost with its file")
            try store.standard.commit()
            let path = "\(store.folder)/standard.sqlite"
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            if isReplaced {
                let other = SuiteStore(folder: store.folder)
                try other.standard.save("other's")
                try other.standard.commit()
                other.close()
            }
            try store.standard.save("kept")
            try store.standard.commit()
            let names = try SuiteStore(folder: store.folder).standard.names()
            #expect(names == (isReplaced ? ["other's", "kept"] : ["kept"]))
        }
    }

    @Test("An idle host closes a file that was removed, so that its space is free")
    func removedWhileIdle() throws {
        try withStore { store in
            try store.standard.save("lost with its file")
            try store.standard.commit()
            for file in try FileManager.default.contentsOfDirectory(atPath: store.folder) {
                try FileManager.default.removeItem(atPath: "\(store.folder)/\(file)")
            }
            #expect(store.standard.file != nil)
            store.standard.checkpoint(isIdle: true)
            #expect(store.standard.file == nil)
        }
    }

    @Test("A commit is not called lost if the system cannot tell whether its file is in place")
    func unknownPlace() throws {
        try withStore { store in
            try store.standard.save("kept")
            try store.standard.commit()
            try store.standard.save("committed meanwhile")
            // A link to itself is an error of the path, as a failing disk is, and does not say that the file is gone.
            let away = "\(store.folder).away"
            try FileManager.default.moveItem(atPath: store.folder, toPath: away)
            try FileManager.default.createSymbolicLink(atPath: store.folder, withDestinationPath: store.folder)
            try store.standard.commit()
            #expect(try SuiteStore(folder: away).standard.names() == ["kept", "committed meanwhile"])
        }
    }

    @Test("A commit is lost if its folder is gone, also if a file is in its place", arguments: [false, true])
    func lostFolder(hasFile: Bool) throws {
        try withStore { store in
            _ = try store.standard.pending.save(.event("a"))
            try FileManager.default.moveItem(atPath: store.folder, toPath: "\(store.folder).away")
            if hasFile { try Data().write(to: URL(filePath: store.folder)) }
            #expect(throws: SuiteError.transactionLost("the file was removed or replaced meanwhile")) {
                try store.standard.commit()
            }
        }
    }

    @Test("The folder of a file has no slash at its end, unless it is the root")
    func folders() {
        #expect(SuiteFile.folder(of: "/a/b/standard.sqlite") == "/a/b")
        #expect(SuiteFile.folder(of: "/standard.sqlite") == "/")
    }

    @Test("A closed store has no file open", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
    func descriptors() throws {
        try withStore { store in
            func openFiles() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
                    let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                    return file?.hasPrefix("\(store.folder)/") == true
                }
            }
            try store.standard.save("a")
            #expect(try openFiles() > 0)
            store.close()
            #expect(try openFiles() == 0)
        }
    }

    @Test("Names that were only asked for are forgotten, and a suite that somebody uses stays the same object")
    func forgotten() throws {
        try withStore { store in
            let held = store.suite(try #require(SuiteName("held")))
            weak let open = store.standard
            try open?.save("a")
            weak let asked = store.suite(try #require(SuiteName("asked")))
            for number in 0..<1_000 {
                let suite = store.suite(try #require(SuiteName("n\(number)")))
                #expect(try suite.pending.total(nil) == 0)
            }
            #expect(asked == nil)
            #expect(open != nil && store.standard === open)
            #expect(store.suite(held.name) === held)
        }
    }

    @Test("A folder that cannot exist is an error, not an empty suite", arguments: ["/dev/null", "/dev/null/data"])
    func unreachable(folder: String) throws {
        let store = SuiteStore(folder: folder)
        #expect(throws: SuiteError.self) { try store.standard.all() }
        #expect(throws: SuiteError.self) { try store.names() }
    }

    @Test("A name that differs only in case from an existing one is refused, and no file is created")
    func letterCase() throws {
        try withStore { store in
            try store.standard.save("a")
            let other = store.suite(try #require(SuiteName("Standard")))
            #expect(throws: SuiteError.nameTaken("standard")) { try other.pending.save(.event("b")) }
            #expect(throws: SuiteError.nameTaken("standard"), "empty would be a lie") { try other.all() }
            #expect(try store.names() == [.standard])
        }
    }

    @Test("A SQLite file of another program is refused and not changed")
    func foreign() throws {
        try withStore { store in
            try FileManager.default.createDirectory(atPath: store.folder, withIntermediateDirectories: true)
            try sqlite(store.path(), "CREATE TABLE notes (text); INSERT INTO notes VALUES ('keep')")
            try expectRefused(store, saying: "another program")
            #expect(try sqlite(store.path(), "SELECT text FROM notes") == ["keep"])
        }
    }

    @Test("An empty SQLite file with another program's application id is refused")
    func foreignMark() throws {
        try withStore { store in
            try FileManager.default.createDirectory(atPath: store.folder, withIntermediateDirectories: true)
            try sqlite(store.path(), "PRAGMA application_id = 7; VACUUM")
            try expectRefused(store, saying: "another program")
        }
    }

    @Test("A file that is not a SQLite file is refused and not changed")
    func garbage() throws {
        try withStore { store in
            try FileManager.default.createDirectory(atPath: store.folder, withIntermediateDirectories: true)
            let text = String(repeating: "This is a letter, not a database.\n", count: 500)
            try text.write(toFile: store.path(), atomically: true, encoding: .utf8)
            try expectRefused(store, saying: "not a database")
        }
    }

    @Test(
        "A file of another version is refused with its path, its version and what to do, and not changed",
        arguments: [0, 1, 4, 6, 99]
    )
    func otherVersion(version: Int) throws {
        try withStore { store in
            try store.standard.save("a")
            let folder = store.folder + "2"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let copy = SuiteStore(folder: folder)
            try sqlite(store.path(), "VACUUM INTO '\(copy.path())'")
            try sqlite(copy.path(), "PRAGMA user_version = \(version)")
            for word in [copy.path(), "version \(version)", "version 5", "move the file away"] {
                try expectRefused(copy, saying: word)
            }
        }
    }

    @Test("A symbolic link is not followed")
    func link() throws {
        try withStore { store in
            try FileManager.default.createDirectory(atPath: store.folder, withIntermediateDirectories: true)
            let target = store.folder + "/../elsewhere"
            try FileManager.default.createSymbolicLink(atPath: store.path(), withDestinationPath: target)
            for problem in ["No such file or directory", "Too many levels of symbolic links"] {
                let error = #expect(throws: SuiteError.self) { try store.standard.pending.save(.event("a")) }
                #expect(error?.text.contains(problem) == true, "\(String(describing: error))")
                // A link to a file is not followed either.
                #expect(FileManager.default.createFile(atPath: target, contents: nil))
            }
            #expect(FileManager.default.contents(atPath: target) == Data())
        }
    }

    private func expectRefused(_ store: SuiteStore, saying word: String) throws {
        let before = try bytes(store.path())
        for _ in 0..<2 {
            let errors = [
                #expect(throws: SuiteError.self) { try store.standard.pending.save(.event("a")) },
                #expect(throws: SuiteError.self) { try store.standard.all() },
            ]
            for error in errors {
                guard case .unreadable(let text) = error else {
                    Issue.record("\(String(describing: error)) is not unreadable")
                    continue
                }
                #expect(text.contains(word), "\(text)")
            }
        }
        #expect(try bytes(store.path()) == before)
    }

    /// How the log of an open file is removed.
    enum Removal: CaseIterable {
        case log, index, both, replacedByACopy, replacedByAnother

        func run(_ path: String) throws {
            let files = FileManager.default
            let (log, index) = (path + "-wal", path + "-shm")
            switch self {
            case .log: try files.removeItem(atPath: log)
            case .index: try files.removeItem(atPath: index)
            case .both: for file in [log, index] { try files.removeItem(atPath: file) }
            case .replacedByACopy:
                try files.copyItem(atPath: log, toPath: log + "2")
                guard rename(log + "2", log) == 0 else { throw TestFailure("the log cannot be replaced") }
            case .replacedByAnother:
                try files.removeItem(atPath: log)
                try Data("no log\n".utf8).write(to: URL(filePath: log))
            }
        }
    }

    /// The records that a host would find if this process were killed now.
    private func found(_ store: SuiteStore) throws -> [String] {
        try withTemporaryDirectory { folder in
            for file in ["standard.sqlite", "standard.sqlite-wal"] where size("\(store.folder)/\(file)") > 0 {
                try FileManager.default.copyItem(atPath: "\(store.folder)/\(file)", toPath: "\(folder)/\(file)")
            }
            return try SuiteStore(folder: folder).standard.names()
        }
    }

    @Test(
        "No committed record is lost if the log of an open file is removed",
        arguments: Removal.allCases,
        [false, true]
    )
    func log(removal: Removal, isSettled: Bool) throws {
        try withStore { store in
            try store.standard.save("before")
            // From then on, a check of the folder shows that nothing is missing.
            if isSettled {
                while FileStamp(of: store.folder)?.isReliable == false { _ = try store.standard.names() }
                _ = try store.standard.names()
            }
            try removal.run(store.path())
            try store.standard.save("next")
            #expect(try found(store) == ["before", "next"])
            _ = try store.standard.pending.save(.event("open"))
            try removal.run(store.path())
            try store.standard.commit()
            #expect(try found(store) == ["before", "next", "open"])
            try store.standard.save("read")
            try removal.run(store.path())
            #expect(try store.standard.names() == ["before", "next", "open", "read"])
            #expect(try found(store) == ["before", "next", "open", "read"])
            try store.standard.save("last")
            try removal.run(store.path())
            store.checkpoint(isIdle: true)
            #expect(try found(store).last == "last")
        }
    }

    @Test("A checkpoint during a transaction leaves it alone, so that its end still says that the file was removed")
    func checkpointDuringTransaction() throws {
        try withStore { store in
            _ = try store.standard.pending.save(.event("open"))
            try FileManager.default.removeItem(atPath: store.path())
            store.checkpoint(isIdle: true)
            expectLost { () throws(SuiteError) in try store.standard.commit() }
        }
    }

    @Test("An idle host returns the free space of a suite that uses up to 4 MiB", arguments: [1_024, 1_025])
    func freeSpace(used: Int) throws {
        try withStore { store in
            try store.standard.save("a")
            store.close()
            func count() throws -> Int {
                let pages = try sqlite(store.path(), "PRAGMA page_count; PRAGMA freelist_count").compactMap { Int($0) }
                return try #require(pages.first) - (try #require(pages.last))
            }
            // A row of this size has a page of its own.
            let row = "zeroblob(4000)"
            func rows(_ count: Int) -> String {
                "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) SELECT \(row) FROM n"
            }
            try sqlite(store.path(), "CREATE TABLE used (x); INSERT INTO used \(rows(900))")
            // The pages that lead to them are counted too, so that it takes some steps.
            while true {
                let missing = used - (try count())
                guard missing > 0 else { break }
                try sqlite(store.path(), "INSERT INTO used \(rows((missing + 1) / 2))")
            }
            #expect(try count() == used)
            try sqlite(store.path(), "CREATE TABLE free AS \(rows(1_200)); DROP TABLE free")
            #expect(try count() == used)
            func size() throws -> Int { try Data(contentsOf: URL(filePath: store.path())).count }
            let before = try size()
            #expect(try store.standard.names() == ["a"])
            store.checkpoint(isIdle: true)
            let after = try size()
            #expect(used > 1_024 ? after == before : after <= 4 << 20, "\(before) bytes became \(after)")
        }
    }

    @Test("Space that could not be reserved is reserved later")
    func reserve() throws {
        try withTemporaryDirectory { folder in
            let (reserve, path) = (Reserve(folder: folder), "\(folder)/.reserve")
            // No file can be created where a link is.
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(folder)/nowhere")
            reserve.restore()
            try FileManager.default.removeItem(atPath: path)
            reserve.restore()
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }
}
