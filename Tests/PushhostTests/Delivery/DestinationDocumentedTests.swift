import Foundation
import JSON
import TestSupport
import Testing

/// The destination that the contract shows, unchanged.
@Suite(.waits, .wire) struct DestinationDocumentedTests {
    @Test("The contract's example destination appends every record to its file")
    func documented() throws {
        let page = try Page("protocol/guides/destination.md")
        let files = Dictionary(uniqueKeysWithValues: page.files)
        // The name of the file under which the audit looks for it.
        let program = try #require(files["archive.py"]).replacing("archived.jsonl", with: "kept")
        let list = try #require(files["Info.plist"])
        try Workspace.open { workspace in
            let bundle = "\(workspace.plugins)/archive"
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            try writeExecutable(program, to: "\(bundle)/archive.py")
            try Data(list.utf8).write(to: URL(filePath: "\(bundle)/Info.plist"))
            let file = ["ARCHIVE_FOLDER": bundle]
            let host = try workspace.host(environment: ProcessInfo.processInfo.environment.merging(file) { $1 })
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
