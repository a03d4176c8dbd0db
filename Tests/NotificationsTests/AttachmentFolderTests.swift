import Foundation
import Testing

@testable import Notifications

@Suite struct AttachmentFolderTests {
    /// Passes a folder with the file `a.png` and the folder `sub` to the closure.
    private func with(_ body: (AttachmentFolder) throws -> Void) throws {
        let folder = try AttachmentFolder()
        defer { folder.removeFolder() }
        try Data("x".utf8).write(to: URL(filePath: "\(folder.path)/a.png"))
        try FileManager.default.createDirectory(atPath: "\(folder.path)/sub", withIntermediateDirectories: true)
        try body(folder)
    }

    private func names(_ folder: AttachmentFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func attachment(_ path: String) -> AttachedFile {
        AttachedFile(identifier: "a", path: path, type: "png")
    }

    @Test("Only its user may enter it, and it is removed with its contents")
    func life() throws {
        let folder = try AttachmentFolder()
        let other = try AttachmentFolder()
        defer { other.removeFolder() }
        #expect(folder.path != other.path)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        try Data("x".utf8).write(to: URL(filePath: "\(folder.path)/a.png"))
        folder.removeFolder()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("A file in it is found by each of its URLs")
    func inside() throws {
        try with { folder in
            let file = "\(folder.path)/a.png"
            try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link.png", withDestinationPath: file)
            for url in [
                "file://\(file)", "file://localhost\(file)", "file:\(file)", "file://\(folder.path)/sub/../a.png",
                "file://\(folder.path)/%61.png", "file://\(folder.path)/link.png",
            ] {
                #expect(try folder.file(url) == file, "\(url)")
            }
        }
    }

    @Test("A path outside the folder, anything but a file, and other URLs are refused")
    func outside() throws {
        try with { folder in
            let manager = FileManager.default
            try manager.createSymbolicLink(atPath: "\(folder.path)/out.png", withDestinationPath: "/etc/passwd")
            try manager.createSymbolicLink(atPath: "\(folder.path)/up", withDestinationPath: "/etc")
            #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
            let twin = "\(folder.path)-twin"
            try manager.createDirectory(atPath: twin, withIntermediateDirectories: true)
            defer { try? manager.removeItem(atPath: twin) }
            try Data("x".utf8).write(to: URL(filePath: "\(twin)/a.png"))
            for (url, why) in [
                ("file:///etc/passwd", "leads out"), ("file://\(folder.path)/out.png", "leads out"),
                ("file://\(folder.path)/up/passwd", "leads out"), ("file://\(folder.path)/../../etc/passwd", "lead"),
                ("file://\(folder.path)/%2e%2e/%2E%2E/etc/passwd", "lead"), ("file://\(twin)/a.png", "leads out"),
                ("file://\(folder.path)", "leads out"), ("file://\(folder.path)/sub", "is not a regular file"),
                ("file://\(folder.path)/pipe", "is not a regular file"),
                ("file://\(folder.path)/gone.png", "does not lead to a file"),
                ("\(folder.path)/a.png", "is not a file: URL"), ("https://example.com/a.png", "is not a file: URL"),
                ("file://example.com\(folder.path)/a.png", "is not a file: URL"), ("", "is not a file: URL"),
                ("file://\(folder.path)/a.png?x", "is not a file: URL"),
                ("file://\(folder.path)/a.png%00", "is not a file: URL"),
                ("file:////\(folder.path)/a.png", "is not a file: URL"), ("file:a.png", "is not a file: URL"),
            ] {
                let error = #expect(throws: AttachmentError.self, "\(url)") { try folder.file(url) }
                #expect(error?.text.contains(why) == true, "\(url) \(error?.text ?? "")")
            }
        }
    }

    @Test("Files of ended notifications, and files that no notification shows, are removed")
    func removal() throws {
        try with { folder in
            for name in ["b.png", "sub/c.png", "d.png"] {
                try Data("x".utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
            }
            folder.remove([attachment("\(folder.path)/d.png"), attachment("\(folder.path)/gone.png")])
            #expect(try names(folder) == ["a.png", "b.png", "sub"])
            folder.sweep(keeping: [attachment("\(folder.path)/a.png"), attachment("\(folder.path)/sub/c.png")])
            #expect(try names(folder) == ["a.png", "sub"])
            folder.sweep(keeping: [])
            #expect(try names(folder) == [])
        }
    }

    @Test("What a link in it leads to stays, wherever the link is; folders in folders are removed")
    func links() throws {
        try with { folder in
            let manager = FileManager.default
            let own = "\(folder.path)-own"
            defer { try? manager.removeItem(atPath: own) }
            for parent in [own, "\(own)/b", "\(folder.path)/sub/deep"] {
                try manager.createDirectory(atPath: parent, withIntermediateDirectories: true)
                try Data("x".utf8).write(to: URL(filePath: "\(parent)/a.png"))
            }
            for link in ["c", "sub/d", "sub/deep/e"] {
                try manager.createSymbolicLink(atPath: "\(folder.path)/\(link)", withDestinationPath: own)
            }
            for path in ["\(folder.path)/c/a.png", "\(folder.path)/sub/d/b/a.png", "\(own)/a.png"] {
                folder.remove([attachment(path)])
            }
            folder.sweep(keeping: [attachment("\(folder.path)/a.png")])
            #expect(try names(folder) == ["a.png"])
            for path in ["\(own)/a.png", "\(own)/b/a.png"] { #expect(manager.fileExists(atPath: path), "\(path)") }
        }
    }

    @Test(
        "A path survives the conversion to a URL and back",
        arguments: ["/a", "/a b/ü%20?#.png", "/tmp/'\"<>\\^`{|}~-._"]
    )
    func urls(path: String) {
        let text = FileURL.text(path)
        #expect(FileURL.path(text) == path)
        #expect(URL(string: text, encodingInvalidCharacters: false)?.path(percentEncoded: false) == path)
    }
}
