import Foundation
import JSON
import TestSupport
import Testing

/// The destination that the contract shows, unchanged.
@Suite(.waits, .wire) struct DestinationDocumentedTests {
    @Test("The contract's example destination appends every record to its file")
    func documented() throws {
        let page = try Page("protocol/guides/destination.md")
        let program = try #require(page.blocks("python").first { $0.contains("def deliver") })
        let list = try #require(page.blocks("xml").first { $0.contains("pushhost.destination") })
        try Workspace.open { workspace in
            let bundle = "\(workspace.plugins)/archive"
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            let path = "/tmp/records.jsonl"
            try #require(program.contains(path))
            try writeExecutable(program.replacing(path, with: "\(bundle)/kept"), to: "\(bundle)/archive.py")
            try Data(list.utf8).write(to: URL(filePath: "\(bundle)/Info.plist"))
            let host = try workspace.host()
            let ids = try host.saveRecords(2_500)
            let shown = try host.all("pending", "records")
            #expect(
                try host.deliver(to: "archive")["result"]
                    == ["delivered": 2_500, "rejected": 0, "possiblySent": 0, "remaining": 0, "diagnostics": []]
            )
            try DestinationAudit(host, bundle, to: "archive").expectKept(ids)
            #expect(try DestinationWorkspace.kept(bundle) == shown)
            #expect(try host.finish() == .code(0))
        }
    }
}
