import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct FilesTests {
    @Test("A temporary folder is new and private, and is removed with its contents")
    func temporary() throws {
        let folder = try TemporaryFolder(prefix: "pushhost-tests")
        let other = try TemporaryFolder(prefix: "pushhost-tests")
        defer { other.remove() }
        #expect(folder.path != other.path)
        #expect(Paths.resolved(folder.path) == folder.path)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        try Data("x".utf8).write(to: URL(filePath: "\(folder.path)/file"))
        folder.remove()
        #expect(FileStamp(of: folder.path) == nil)
    }

    @Test("The links of a path are resolved, unless a target is missing")
    func paths() throws {
        try withTemporaryDirectory { folder in
            let root = try #require(Paths.resolved(folder))
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "/etc/..")
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/broken", withDestinationPath: "missing")
            #expect(Paths.resolved("\(folder)/link") == "/")
            #expect(Paths.resolved("\(folder)/broken") == nil)
            #expect(Paths.resolved("\(folder)/.") == root)
        }
    }

    @Test(
        "The parent of a path is what stands before its last slash, whatever accents follow",
        arguments: [
            ("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("/a/b/", "/a"), ("/a//b", "/a"), ("/a/.b", "/a"),
            ("/a/\u{301}b", "/a"), ("/a\u{301}/b", "/a\u{301}"),
        ]
    )
    func parents(path: String, parent: String) {
        #expect(Array(Paths.parent(of: path).utf8) == Array(parent.utf8))
    }

    @Test("A folder of another spelling of the same letter is another folder")
    func spellings() {
        #expect(Paths.lies("/\u{E9}/b", in: "/\u{E9}") && !Paths.lies("/e\u{301}/b", in: "/\u{E9}"))
    }

    @Test(
        "A path is in a folder only if it is below the folder",
        arguments: [
            ("/a/b", "/a", true), ("/a", "/a", false), ("/ab", "/a", false), ("/a", "/", true), ("/b/a", "/a", false),
        ]
    )
    func inside(path: String, folder: String, lies: Bool) {
        #expect(Paths.lies(path, in: folder) == lies)
    }

    @Test("A stamp differs after a file was changed, replaced, or became another kind of file")
    func stamps() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/file"
            #expect(FileStamp(of: path) == nil)
            try Data("one".utf8).write(to: URL(filePath: path))
            let first = try #require(FileStamp(of: path))
            #expect(first.kind == .file)
            #expect(first.size == 3)
            #expect(FileStamp(of: path) == first)
            try Data("longer".utf8).write(to: URL(filePath: path))
            #expect(FileStamp(of: path) != first)
            let copy = "\(folder)/copy"
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            #expect(FileStamp(of: copy)?.identity != FileStamp(of: path)?.identity)
            #expect(FileStamp(of: folder)?.kind == .folder)
            #expect(FileStamp(of: "/dev/null")?.kind == .other)
        }
    }

    @Test("The stamp of a folder differs after an entry was added, even if the time of modification was set back")
    func folders() throws {
        try withTemporaryDirectory { folder in
            let times = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_000_000)]
            try FileManager.default.setAttributes(times, ofItemAtPath: folder)
            while FileStamp(of: folder)?.isReliable == false {}
            let first = try #require(FileStamp(of: folder))
            try Data().write(to: URL(filePath: "\(folder)/file"))
            try FileManager.default.setAttributes(times, ofItemAtPath: folder)
            #expect(FileStamp(of: folder) != first)
            #expect(FileStamp(of: folder)?.identity == first.identity)
        }
    }

    @Test("A stamp is settled if its time is in the past, but not if it is now")
    func settled() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/file"
            try Data().write(to: URL(filePath: path))
            let times = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -60)]
            try FileManager.default.setAttributes(times, ofItemAtPath: path)
            #expect(try #require(FileStamp(of: path)).isReliable)
            let later = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: 60)]
            try FileManager.default.setAttributes(later, ofItemAtPath: path)
            #expect(try !#require(FileStamp(of: path)).isReliable)
        }
    }

    @Test("A replacement replaces the file when it is finished, and not before", arguments: [true, false])
    func replacement(exists: Bool) throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/file"
            if exists { try Data("old".utf8).write(to: URL(filePath: path)) }
            let bytes = [UInt8](repeating: UInt8(ascii: "n"), count: 1_200_000)
            let file = try FileReplacement(of: path)
            try file.write(Array(bytes[..<500_000]))
            try file.write(Array(bytes[500_000...]))
            #expect(FileManager.default.contents(atPath: path) == (exists ? Data("old".utf8) : nil))
            try file.finish()
            #expect(FileManager.default.contents(atPath: path) == Data(bytes))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("An unfinished replacement leaves no files")
    func unfinished() throws {
        try withTemporaryDirectory { folder in
            do {
                let file = try FileReplacement(of: "\(folder)/file")
                try file.write([1, 2, 3])
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test("A missing folder is an error for a replacement and for a sync")
    func missingFolder() {
        #expect(throws: SystemError(ENOENT)) { _ = try FileReplacement(of: "/nowhere/file") }
        #expect(throws: SystemError(ENOENT)) { try Folders.sync("/nowhere") }
        #expect(throws: SystemError(ENOTDIR)) { try Folders.sync("/dev/null") }
    }

    @Test("The names in a folder are sorted, and a folder that cannot be read is no empty one")
    func names() throws {
        try withTemporaryDirectory { folder in
            #expect(try Folders.names(in: folder) == [])
            for name in ["b", ".hidden", "ä"] { try Data().write(to: URL(filePath: "\(folder)/\(name)")) }
            #expect(try Folders.names(in: folder) == [".hidden", "b", "ä"])
            #expect(throws: SystemError(ENOTDIR)) { try Folders.names(in: "\(folder)/b") }
            #expect(throws: SystemError(ENOENT)) { try Folders.names(in: "\(folder)/none") }
        }
    }

    @Test("A named file is read up to its limit, also one of the system that has no end")
    func limited() throws {
        try withTemporaryDirectory { folder in
            try Data("hello".utf8).write(to: URL(filePath: "\(folder)/file"))
            #expect(try NamedFile.contents(at: "\(folder)/file", limit: 5) == Array("hello".utf8))
            #expect(throws: NamedFile.Problem.larger(than: 4)) {
                try NamedFile.contents(at: "\(folder)/file", limit: 4)
            }
            #expect(throws: NamedFile.Problem.larger(than: 9)) {
                try NamedFile.contents(at: "/dev/zero", limit: 9, awaitsPipes: true)
            }
            #expect(throws: NamedFile.Problem.notRegular(.other)) {
                try NamedFile.contents(at: "/dev/zero", limit: 9)
            }
        }
    }

    @Test("The beginning of a named file is read without waiting for a pipe")
    func beginning() throws {
        try withTemporaryDirectory { folder in
            try Data("hello".utf8).write(to: URL(filePath: "\(folder)/file"))
            #expect(try NamedFile.beginning(of: "\(folder)/file", count: 4) == Array("hell".utf8))
            #expect(try NamedFile.beginning(of: "\(folder)/file", count: 9) == Array("hello".utf8))
            #expect(throws: NamedFile.Problem.notRegular(.folder)) { try NamedFile.beginning(of: folder, count: 4) }
            try #require(mkfifo("\(folder)/pipe", 0o600) == 0)
            #expect(throws: NamedFile.Problem.notRegular(.other)) {
                try NamedFile.beginning(of: "\(folder)/pipe", count: 4)
            }
        }
    }
}
