import Foundation
import JSON
import TestSupport
import Testing

/// Files that the service extension attaches: which ones are accepted, and when they are removed.
@Suite(.waits, .wire) struct ServiceAttachmentTests {
    private static let fetching = ["--fetch-attachments"]

    private func attach(_ names: String..., title: String = "T") -> [(String, JSON)] {
        let files = names.map { ($0, JSON.string("GIF89a of \($0)")) }
        let attachments = names.map { name -> JSON in
            ["identifier": .string(name), "url": .string("FOLDER/\(name)"), "type": "gif"]
        }
        let change: JSON = ["title": .string(title), "attachments": JSON(attachments)]
        return [("files", .object(JSON.Object(files))), ("change", change)]
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func folder(of notification: ServedNotification) throws -> String {
        URL(filePath: try #require(notification.attachments.first)).deletingLastPathComponent().path
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test("The folder is private, is passed on only if attachments are allowed, and is removed with the host")
    func folderTold() throws {
        try ServiceWorkspace.withHost { host in
            let shown = try host.served([("do", "report")])
            #expect(shown.title == "none")
        }
        var path = ""
        try ServiceWorkspace.withHost(Self.fetching) { host in
            #expect(try host.served([("do", "report")]).title == "0o700")
            path = try folder(of: try host.served(attach("a.gif")))
            #expect(exists(path))
        }
        #expect(!path.isEmpty)
        #expect(!exists(path))
    }

    @Test("The content extension receives identifier, URL and type, and the file exists as long as its notification")
    func life() throws {
        try ServiceWorkspace.withHost(Self.fetching) { host in
            let first = try host.served(attach("a.gif", "b.gif"))
            let second = try host.served(attach("c.gif"))
            #expect(first.diagnostics == [])
            #expect(first.content["attachments"]?[1]?["identifier"] == "b.gif")
            #expect(first.content["attachments"]?[1]?["type"] == "gif")
            let files = first.attachments + second.attachments
            #expect(files.count == 3)
            #expect(files.allSatisfy(exists))
            #expect(try String(contentsOfFile: files[1], encoding: .utf8) == "GIF89a of b.gif")
            try host.result("dismiss", ["notification": first.notification])
            #expect(files.map(exists) == [false, false, true])
            kill(try host.pid(of: "echo"), SIGKILL)
            try Processes.wait(for: "the end of the presentation") { !exists(files[2]) }
        }
    }

    @Test("The attachments of a thread exist as long as its presentation")
    func thread() throws {
        try ServiceWorkspace.withHost(Self.fetching) { host in
            let first = try host.served(attach("a.gif"), thread: "t")
            let second = try host.served(attach("b.gif"), thread: "t")
            let refused = try host.call(
                "didReceive",
                ServiceWorkspace.notification(thread: "t", attach("c.gif", title: "refused"))
            )
            #expect(refused["error"]?["data"]?["reason"] == "extensionRefused")
            #expect(try names(try folder(of: first)) == ["a.gif", "b.gif"])
            try host.result("dismiss", ["notification": second.notification])
            #expect(try names(try folder(of: first)) == [])
        }
    }

    @Test("Files of failed or cancelled calls and refused files are removed")
    func leftovers() throws {
        try ServiceWorkspace.open { service in
            let gate = try Gate(service.service)
            let host = try service.bundles.host(Self.fetching)
            try host.result("subscribe", ["topics": ["$/log"]])
            let kept = try host.served(attach("kept.gif"))
            let folder = try folder(of: kept)
            for way in ["crash", "refuse"] {
                let shown = try host.served([("files", ["left.gif": "x"]), ("do", .string(way))])
                #expect(shown.reasons == ["serviceFailed"])
                #expect(try names(folder) == ["kept.gif"])
            }
            let refused = try host.call("didReceive", ServiceWorkspace.notification(attach("x.gif", title: "refused")))
            #expect(refused["error"] != nil)
            #expect(try names(folder) == ["kept.gif"])

            let call = try host.request("didReceive", ServiceWorkspace.notification(attach("y.gif") + [("do", "wait")]))
            #expect(try host.notification("$/log")["message"] == "waiting")
            #expect(try host.result("$/cancelRequest", ["id": call])["cancelled"] == true)
            #expect(try host.reply()["error"]?["code"] == -32800)
            #expect(try names(folder) == ["kept.gif", "y.gif"], "it is at work")
            try gate.releaseOne()
            #expect(try host.served([]).title == "T")
            #expect(try names(folder) == ["kept.gif"])
            #expect(try host.finish() == .code(0))
            #expect(!exists(folder))
        }
    }

    @Test("An attachment outside the folder or missing is dropped with a diagnostic; the text changes are kept")
    func outside() throws {
        try ServiceWorkspace.withHost(Self.fetching) { host in
            let urls = ["file:///etc/passwd", "https://example.com/a.gif", "FOLDER/../x", "FOLDER/gone.png", "FOLDER"]
            let attachments = urls.map { url -> JSON in
                ["identifier": .string(url), "url": .string(url), "type": "png"]
            }
            let shown = try host.served([("change", ["title": "changed", "attachments": JSON(attachments)])])
            #expect(shown.title == "changed")
            #expect(shown.content["attachments"] == [])
            #expect(shown.reasons == urls.map { _ in "ignoredAttachment" })
        }
    }

    @Test("A link that takes the place of a folder of an attachment does not make the host delete the file behind it")
    func replacedFolder() throws {
        try ServiceWorkspace.open { service in
            // A folder of the user with a file of the attachment's name.
            let own = "\(service.bundles.root)/own"
            try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
            try Data("precious".utf8).write(to: URL(filePath: "\(own)/a.gif"))
            let host = try service.bundles.host(Self.fetching)
            let first = try host.served(attach("sub/a.gif"))
            let link = try folder(of: first)
            let replacement: JSON = [.string(link), .string(own)]
            _ = try host.served([("do", "replace"), ("replacement", replacement)])
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == own)
            try host.result("dismiss", ["notification": first.notification])
            // The next answer makes the host remove what no notification shows.
            _ = try host.served([])
            #expect(!exists(link))
            #expect(exists("\(own)/a.gif"))
            #expect(try host.finish() == .code(0))
            #expect(exists("\(own)/a.gif"))
        }
    }

    @Test("Without the option every attachment is dropped, and the reply names the option")
    func withoutOption() throws {
        try ServiceWorkspace.withHost { host in
            let attachment: JSON = ["identifier": "a", "url": "file:///etc/passwd", "type": "png"]
            let shown = try host.served([("change", ["attachments": [attachment]])])
            #expect(shown.content["attachments"] == [])
            #expect(shown.reasons == ["ignoredAttachment"])
            #expect(shown.diagnostics[0]["message"]?.string?.contains("--fetch-attachments") == true)
        }
    }
}
