import Foundation
import JSON
import TestSupport
import Testing

/// Files that are not property lists: none of their content is disclosed.
@Suite(.waits, .wire) struct PlistRefusedFilesTests {
    private static let secret = "s3cret-in-a-file"

    @Test(
        "A file that does not begin like a property list is refused, and none of it is stored",
        arguments: [
            "KEY=\(secret)\0PATH=/bin\0", "-----BEGIN PRIVATE KEY-----\n\(secret)\n", "SQLite format 3\0\(secret)",
            "<?xml version=\"1.0\"?><settings><password>\(secret)</password></settings>", "bplist\(secret)",
            "{ password = \"\(secret)\"; }", "<html>\(secret)</html>",
        ]
    )
    func foreign(text: String) throws {
        try withTemporaryDirectory { folder in
            let recording = "\(folder)/a.session.jsonl"
            try PlistFiles.with(["--record", recording], unchecked: "it records itself") { files in
                try files.write(text.utf8, "a.plist")
                let refusal = try files.refusal("importSuite", ["path": "a.plist"])
                #expect(
                    refusal == "220 fileUnreadable /params/path a.plist is not a property list: "
                        + "it begins neither as XML nor as the binary form does"
                )
                let dead = try files.host.result("deadLetters", ["suite": PlistFiles.suite])
                #expect(dead["total"] == 0)
            }
            let recorded = try String(contentsOfFile: recording, encoding: .utf8)
            #expect(!recorded.contains(Self.secret))
            #expect(!recorded.contains(Data(text.utf8).base64EncodedString()))
        }
    }

    @Test(
        "The environment file of a process is refused as a property list",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/environ"))
    )
    func environment() throws {
        try PlistFiles.with { files in
            let refusal = try files.refusal("importSuite", ["path": "/proc/self/environ"])
            #expect(refusal.contains(" is not a property list: "))
        }
    }

    @Test("A device and a link to a device are refused as files", arguments: ["/dev/zero", "link"])
    func device(path: String) throws {
        try PlistFiles.with { files in
            try FileManager.default.createSymbolicLink(atPath: files.path("link"), withDestinationPath: "/dev/zero")
            let refusal = try files.refusal("importSuite", ["path": .string(path)])
            #expect(refusal.contains("\(path) is a device and not a file"))
        }
    }
}
