import Foundation
import JSON
import TestSupport
import Testing

/// Rows of a suite that are not valid records.
@Suite(.waits, .wire) struct DestinationDamagedTests {
    /// A host and a suite of 300 events, two of which are damaged.
    private func open(_ body: (HostProcess, DestinationWorkspace, [Int64]) throws -> Void) throws {
        try DestinationWorkspace.open { workspace in
            let first = try workspace.host()
            for number in 0..<300 { try first.request("saveCustomEvent", ["name": .string("e\(number)")]) }
            let ids = try (0..<300).map { _ in try #require(try first.reply()["result"]?["id"]?.integer) }
            #expect(try first.finish() == .code(0))
            let script = """
                import sqlite3, sys
                suite = sqlite3.connect(sys.argv[1])
                suite.execute("UPDATE pending SET kind = 99 WHERE id = ?", [sys.argv[2]])
                suite.execute("UPDATE pending SET value = '{' WHERE id = ?", [sys.argv[3]])
                suite.commit()
                """
            let arguments = ["\(workspace.bundles.data)/standard.sqlite", "\(ids[0])", "\(ids[299])"]
            let child = try ChildProcess(try Tool.python.path(), ["-c", script] + arguments)
            #expect(try child.wait() == .code(0))
            let host = try workspace.host()
            try body(host, workspace, ids)
            #expect(try host.finish() == .code(0))
        }
    }

    /// Expects diagnostics about the two damaged rows, and no others.
    private func expectDamageReported(_ reply: JSON, _ ids: [Int64], at location: SourceLocation = #_sourceLocation) {
        let diagnostics = reply["diagnostics"]?.array.map(Array.init) ?? []
        #expect(diagnostics.map { $0["reason"] } == ["damagedRecord", "damagedRecord"], sourceLocation: location)
        let texts = diagnostics.compactMap { $0["message"]?.string }.joined(separator: "; ")
        #expect(texts.contains("the record \(ids[0]) is damaged: its kind is 99"), sourceLocation: location)
        #expect(texts.contains("the record \(ids[299]) is damaged: its value"), sourceLocation: location)
    }

    @Test(
        "A flush to a destination delivers all valid records and names the damaged ones, which stay until resetStorageKeys"
    )
    func delivered() throws {
        try open { host, workspace, ids in
            let result = try host.result("flushPending", ["to": "file"])
            #expect(result["delivered"] == 298)
            #expect(result["remaining"] == 2)
            expectDamageReported(result, ids)
            #expect(try host.result("pending")["total"] == 2)
            #expect(try host.result("resetStorageKeys") == ["removed": 2])
            #expect(try host.result("pending") == ["records": [], "total": 0])
            try host.saveRecords(1)
            #expect(try host.result("flushPending", ["to": "file"])["remaining"] == 0)
        }
    }

    @Test("A flush to the caller returns all valid records and names the damaged ones", arguments: [false, true])
    func called(hasLease: Bool) throws {
        try open { host, workspace, ids in
            let result = try host.result("flushPending", hasLease ? ["lease": 60] : [:])
            #expect(result["calls"]?.array?.count == 298)
            #expect(result["remaining"] == 2)
            expectDamageReported(result, ids)
        }
    }

    @Test("Reads and exports skip damaged records and name them")
    func read() throws {
        try open { host, workspace, ids in
            let page = try host.result("pending")
            #expect(page["records"]?.array?.count == 298)
            #expect(page["total"] == 300)
            expectDamageReported(page, ids)
            #expect(try host.result("pending", ["limit": 1])["records"]?[0]?["id"] == JSON.integer(ids[1]))
            let export = try host.result("exportSuite", ["path": .string("\(workspace.bundles.root)/out.plist")])
            #expect(export["exported"]?["customEvent"] == 298)
            let texts = export["diagnostics"]?.description ?? ""
            #expect(
                texts.contains("the record \(ids[0]) is damaged") && texts.contains("the record \(ids[299]) is damaged")
            )
        }
    }
}
