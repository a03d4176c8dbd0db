import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// Retry delays after failures, and which records of a suite a flush delivers.
@Suite(.waits, .wire) struct DestinationRetryTests {
    private static let takes = "def deliver(batch, n): return accept(batch)"

    @Test("A delay that the destination requests is reported, survives a restart, and is respected by every host")
    func pauseIsKept() throws {
        let program = """
            def deliver(batch, n):
                if n == 1: return accept(batch[:5]) | {"retryAfter": 3600000}
                return accept(batch)
            """
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(program)
            let host = try workspace.host(["--retry-patience", "1000"])
            let ids = try host.saveRecords(20)
            let reply = try host.deliver()
            #expect(reply["error"]?["code"] == 302)
            #expect(reply["error"]?["data"]?["delivered"] == 5)
            #expect(reply["error"]?["data"]?["remaining"] == 15)
            let retryAfter = try #require(reply["error"]?["data"]?["retryAfter"]?.integer)
            #expect(retryAfter > 3_000_000)
            #expect(retryAfter <= 3_600_000)
            let notBefore = try #require(try host.deliveryStatus()["notBefore"]?.string)
            #expect(try host.finish() == .code(0))
            for patience in ["0", "1000"] {
                let next = try workspace.host(["--retry-patience", patience])
                #expect(try next.deliveryStatus()["notBefore"]?.string == notBefore)
                let reply = try next.deliver()
                #expect(reply["error"]?["data"]?["reason"] == "destinationUnavailable", "\(reply)")
                #expect(reply["error"]?["message"]?.string?.contains("pause") == true)
                #expect(try next.deliveryStatus()["notBefore"]?.string == notBefore)
                #expect(try next.finish() == .code(0))
            }
            let audit = try DestinationAudit(try workspace.host(), folder)
            audit.expectOnce(ids)
            #expect(audit.kept.count == 5)
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/batches")).count == 1)
        }
    }

    @Test("A flush waits for a short delay, which is forgotten after the next success")
    func pauseIsOver() throws {
        let program = """
            def deliver(batch, n):
                if n == 1: return {"retryAfter": 300}
                return accept(batch)
            """
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(program)
            let host = try workspace.host(["--retry-patience", "0"])
            let ids = try host.saveRecords(20)
            #expect(try host.deliver()["error"]?["data"]?["reason"] == "destinationUnavailable")
            let second = try workspace.host()
            #expect(try second.deliver()["result"]?["delivered"] == 20)
            #expect(
                try second.deliveryStatus() == ["to": "tried", "delivered": 20, "rejected": 0, "possiblySent": 0]
            )
            try DestinationAudit(second, folder).expectKept(ids)
        }
    }

    @Test("A flush without records to send does not wait for a requested delay")
    func throughDespitePause() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add("def deliver(batch, n): return accept(batch) | {'retryAfter': 3600000}")
            let host = try workspace.host(["--retry-patience", "86400000"])
            let ids = try host.saveRecords(20)
            #expect(try host.deliver()["result"]?["delivered"] == 20)
            try DestinationAudit(host, folder).expectKept(ids)
            #expect(try host.deliveryStatus()["notBefore"] != nil)
        }
    }

    @Test("Consecutive failures are counted across restarts, and a success resets the count")
    func failures() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(
                """
                def deliver(batch, n): return {} if not os.path.exists("open") else accept(batch)
                """
            )
            var last: Int64 = 0
            for _ in 0..<2 {
                let host = try workspace.host(["--retry-patience", "50"])
                try host.saveRecords(2)
                #expect(try host.deliver()["error"]?["code"] == 302)
                let failures = try #require(try host.deliveryStatus()["failures"]?.integer)
                #expect(failures > last)
                last = failures
                #expect(try host.finish() == .code(0))
            }
            try Data().write(to: URL(filePath: "\(folder)/open"))
            let host = try workspace.host()
            #expect(try host.deliver()["result"]?["delivered"] == 4)
            let delivered = try host.deliveryStatus()
            #expect(delivered["failures"] == nil)
            #expect(delivered["problem"] == nil)
            #expect(delivered["notBefore"] == nil)
        }
    }

    @Test("A change of the file that a destination's variable names ends the pause, as a change of the variable does")
    func changedFile() throws {
        try DestinationWorkspace.open { workspace in
            let credentials = "\(workspace.bundles.data)-credentials"
            let program = """
                def deliver(batch, n):
                    return accept(batch) if open(environment["TRIED_FILE"]).read() == "right" else {"retryAfter": 3600000}
                """
            try workspace.add(program, attributes: ["PushhostEnvironment": ["TRIED_FILE"]])
            let environment = ProcessInfo.processInfo.environment.merging(["TRIED_FILE": credentials]) { $1 }
            func flush(_ content: String?) throws -> JSON {
                if let content { try Data(content.utf8).write(to: URL(filePath: credentials)) }
                let options = ["--retry-patience", "0", "--restart-budget", "1000000"]
                let host = try workspace.bundles.host(options, environment: environment)
                if content == "wrong" { _ = try host.result("saveCustomEvent", ["name": "e"]) }
                let reply = try host.deliver()
                #expect(try host.finish() == .code(0))
                return reply
            }
            #expect(try flush("wrong")["error"]?["data"]?["reason"] == "destinationUnavailable")
            #expect(try flush(nil)["error"]?["data"]?["reason"] == "destinationUnavailable")
            #expect(try flush("right")["result"]?["delivered"] == 1)
        }
    }

    @Test("limit sends that many records in order, and user applies to records without one")
    func limitAndUser() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(Self.takes)
            let host = try workspace.host()
            for number in 0..<6 {
                let user: [(String, JSON)] = number % 2 == 0 ? [("user", ["braze_id": "own"])] : []
                try host.result("saveCustomEvent", .object(JSON.Object([("name", JSON.string("e\(number)"))] + user)))
            }
            let stands: JSON = ["email": "other@example.com"]
            let result = try host.deliver(to: "tried", [("limit", 4), ("user", stands)])["result"]
            #expect(result?["delivered"] == 4)
            #expect(result?["remaining"] == 2)
            #expect(try host.deliver()["result"]?["delivered"] == 2)
            let kept = try DestinationWorkspace.kept(folder)
            #expect(kept.map { $0["name"]?.string } == (0..<6).map { "e\($0)" })
            #expect(
                kept.map { $0["user"] } == [
                    ["braze_id": "own"], stands, ["braze_id": "own"], stands, ["braze_id": "own"], nil,
                ]
            )
        }
    }

    @Test("Records under a caller's lease are not delivered before the lease expires")
    func leases() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(Self.takes)
            func host(_ time: String) throws -> HostProcess {
                try workspace.host(["--clock", "2026-01-01T00:\(time)Z"])
            }
            let first = try host("00:00")
            let ids = try first.saveRecords(20)
            let taken = try first.result("flushPending", ["limit": 5, "lease": 60])
            #expect(taken["calls"]?.array?.count == 5)
            let result = try first.deliver()["result"]
            #expect(result?["delivered"] == 15)
            #expect(result?["remaining"] == 0)
            #expect(try first.deliver()["result"]?["delivered"] == 0)
            #expect(try first.finish() == .code(0))
            let later = try host("02:00")
            #expect(try later.deliver()["result"]?["delivered"] == 5)
            #expect(
                try later.error("acknowledge", ["lease": taken["lease"] ?? .null]).data?["reason"] == "leaseExpired"
            )
            try DestinationAudit(later, folder).expectKept(ids)
        }
    }

    @Test("A flush to a destination refuses a lease, and the policy refuses caller as its destination")
    func refused() throws {
        try DestinationWorkspace.open { workspace in
            try workspace.add(Self.takes)
            let host = try workspace.host()
            #expect(try host.error("flushPending", ["to": "tried", "lease": 5]).data?["path"] == "/params/lease")
            let error = try host.error("flushPending", ["to": "nobody"])
            #expect(error.code.rawValue == 300)
            #expect(error.message.contains("tried"))
            #expect(error.message.contains("file"))
            for option in [
                ["--retry-base", "-1"], ["--flush-policy", "every:0"], ["--flush-to", "caller"],
                ["--deliver-file-bytes", "0"],
            ] {
                let refused = try workspace.host(option, unchecked: "it ends before it serves")
                #expect(try refused.finish() == .code(64), "\(option)")
            }
        }
    }
}
