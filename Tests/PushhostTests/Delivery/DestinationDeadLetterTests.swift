import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// Dead letters: read page by page, retried, discarded.
@Suite(.waits, .wire) struct DestinationDeadLetterTests {
    private func open(_ body: (HostProcess, String, [Int64]) throws -> Void) throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(
                """
                def deliver(batch, n):
                    if os.path.exists("open"): return accept(batch)
                    return {"rejected": reasoned(batch)}
                """
            )
            let host = try workspace.host()
            let ids = try host.saveRecords(1_200)
            #expect(try host.deliver()["result"]?["rejected"] == 1_200)
            try Data().write(to: URL(filePath: "\(folder)/open"))
            try body(host, folder, ids)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Dead letters are returned page by page, with the record, the reason and the time")
    func pages() throws {
        try open { host, _, ids in
            let first = try host.result("deadLetters")
            #expect(first["deadLetters"]?.array?.count == 1_000)
            #expect(first["total"] == 1_200)
            let rest = try host.result("deadLetters", ["after": 1_000])
            #expect(rest["deadLetters"]?.array?.count == 200)
            #expect(rest["total"] == 1_200)
            #expect(try host.result("deadLetters", ["after": 1_200])["deadLetters"] == [])
            let page = try host.result("deadLetters", ["after": 9, "limit": 1])["deadLetters"]?.array?.first
            let letter = try #require(page?.object)
            #expect(letter["id"] == 10)
            #expect(letter["key"] == "i9")
            #expect(letter["value"] == ["inc": 1])
            #expect(letter["reason"] == "because")
            #expect(letter["diedAt"]?.string != nil)
            #expect(letter["time"]?.string != nil)
            #expect(try host.result("status")["deadLetters"] == 1_200)
            #expect(try host.all("deadLetters", "deadLetters").compactMap { $0["id"]?.integer } == ids)
            for limit in [0, 1_001] as [JSON] {
                #expect(try host.error("deadLetters", ["limit": limit]).data?["path"] == "/params/limit")
            }
        }
    }

    @Test("Retried dead letters are pending at their original places and delivered in order")
    func retried() throws {
        try open { host, folder, ids in
            let more = try host.saveRecords(5)
            #expect(try host.result("retryDeadLetters", ["ids": [3, 1, 3, 99_999]]) == ["retried": 2])
            #expect(try host.result("retryDeadLetters", ["ids": [3]]) == ["retried": 0])
            #expect(try host.result("retryDeadLetters", ["ids": []]) == ["retried": 0])
            #expect(try host.deliver()["result"]?["delivered"] == 7)
            #expect(try host.result("retryDeadLetters") == ["retried": 1_198])
            #expect(try host.deliver()["result"]?["delivered"] == 1_198)
            let kept = try DestinationWorkspace.kept(folder).compactMap { $0["id"]?.integer }
            #expect(kept == [1, 3] + more + ids.filter { $0 != 1 && $0 != 3 })
            #expect(try host.result("deadLetters")["total"] == 0)
        }
    }

    @Test("Discarded dead letters are gone")
    func discarded() throws {
        try open { host, _, _ in
            let discarded = try host.result("discardDeadLetters", ["ids": [3, 1, 3, 99_999]])
            #expect(discarded == ["discarded": 2])
            #expect(try host.result("discardDeadLetters", ["ids": [1]]) == ["discarded": 0])
            let left = try host.result("deadLetters", ["limit": 2])["deadLetters"]?.array
            #expect(left?.compactMap { $0["id"]?.integer } == [2, 4])
            #expect(try host.result("discardDeadLetters") == ["discarded": 1_198])
            #expect(try host.result("discardDeadLetters") == ["discarded": 0])
            #expect(try host.result("retryDeadLetters") == ["retried": 0])
            #expect(try host.deliver()["result"]?["delivered"] == 0)
            #expect(try host.result("deadLetters") == ["deadLetters": [], "total": 0])
        }
    }

    @Test("Invalid ids of dead letters are refused with their path, and nothing is changed")
    func wrong() throws {
        try open { host, _, _ in
            for method in ["retryDeadLetters", "discardDeadLetters"] {
                for ids in [[1, 0], [1, "2"], [1, 1.0], [1, .null], [1, -3]] as [JSON] {
                    #expect(try host.error(method, ["ids": ids]).data?["path"] == "/params/ids/1")
                }
                #expect(try host.error(method, ["ids": 1]).data?["path"] == "/params/ids")
            }
            let total = try host.result("deadLetters")["total"]
            #expect(total == 1_200)
        }
    }

    @Test("A suite that was never saved to is empty, and reading or flushing it creates no file")
    func noFile() throws {
        try DestinationWorkspace.open { workspace in
            try workspace.add("def deliver(batch, n): return accept(batch)")
            let host = try workspace.host()
            #expect(try host.result("deadLetters") == ["deadLetters": [], "total": 0])
            #expect(try host.result("retryDeadLetters") == ["retried": 0])
            #expect(try host.result("discardDeadLetters", ["ids": [1]]) == ["discarded": 0])
            #expect(try host.deliver()["result"]?["delivered"] == 0)
            #expect(try host.deliver(to: "file")["result"]?["remaining"] == 0)
            #expect(try host.result("flushPending") == ["calls": [], "remaining": 0])
            #expect(try host.result("suites") == ["suites": []])
            #expect(try host.finish() == .code(0))
            #expect(!FileManager.default.fileExists(atPath: workspace.bundles.data))
        }
    }

    @Test("A suite whose records were all removed is flushed as empty")
    func empty() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add("def deliver(batch, n): return accept(batch)")
            let host = try workspace.host()
            try host.saveRecords(10)
            try host.result("flushPending")
            #expect(try host.deliver()["result"]?["delivered"] == 0)
            #expect(try DestinationWorkspace.kept(folder).isEmpty)
            #expect(try host.finish() == .code(0))
        }
    }
}
