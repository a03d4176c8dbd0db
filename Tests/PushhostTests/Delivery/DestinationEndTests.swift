import Foundation
import JSON
import TestSupport
import Testing

/// The host's shutdown while a batch is in flight: the destination's late answer still counts.
@Suite(.waits, .wire) struct DestinationEndTests {
    private static let waits = """
        def deliver(batch, n):
            log("has the batch")
            if n == 1: wait_at_gate()
            return accept(batch)
        """

    private func open(
        _ program: String = waits,
        options: [String] = [],
        batchesAtOnce: Int = 1,
        _ body: (DestinationWorkspace, HostProcess, String, Gate, [Int64]) throws -> Void
    ) throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(program, batchesAtOnce: batchesAtOnce)
            let gate = try Gate(folder)
            let host = try workspace.host(["--log-level", "info"] + options)
            let ids = try host.saveRecords(2_500, users: 1)
            try host.subscribe()
            try host.request("flushPending", ["to": "tried"])
            try host.awaitLog("has the batch")
            try body(workspace, host, folder, gate, ids)
        }
    }

    /// Where a new host finds the records that an old one left.
    private func audit(_ workspace: DestinationWorkspace, _ folder: String) throws -> DestinationAudit {
        let host = try workspace.host()
        let audit = try DestinationAudit(host, folder)
        // No batch was left in flight.
        #expect(try host.deliver()["result"]?["possiblySent"] == 0)
        #expect(try host.finish() == .code(0))
        return audit
    }

    @Test("At the end of input, and at shutdown, the host finishes the flush", arguments: [false, true])
    func finished(isShutdown: Bool) throws {
        try open { workspace, host, folder, gate, ids in
            if isShutdown { try host.request("shutdown") } else { host.process.closeInput() }
            try gate.releaseOne()
            let reply = try host.reply()
            #expect(reply["result"]?["delivered"] == 2_500, "\(reply)")
            if isShutdown { #expect(try host.reply()["result"] == JSON.null) }
            #expect(try host.process.wait() == .code(0))
            try audit(workspace, folder).expectKept(ids)
        }
    }

    @Test(
        "After a signal the host finishes the batch in flight",
        arguments: [SIGTERM, SIGINT, SIGHUP]
    )
    func signal(number: Int32) throws {
        try open { workspace, host, folder, gate, ids in
            host.process.kill(number)
            try Processes.wait(for: "the stop") { host.process.standardError.contains("stopping on signal") }
            try gate.releaseOne()
            let reply = try host.reply()
            #expect(reply["result"]?["delivered"] == 1_000, "\(reply)")
            #expect(reply["result"]?["remaining"] == 1_500, "\(reply)")
            #expect(try host.process.wait() == .code(128 + number))
            let audit = try audit(workspace, folder)
            audit.expectOnce(ids)
            #expect(audit.kept.count == 1_000)
        }
    }

    @Test("After the client stops reading, the host finishes the batch in flight")
    func clientGone() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(Self.waits)
            let gate = try Gate(folder)
            // The shell's reader consumes the replies to the saves and exits when the host answers a ping.
            let script = #""$0" "$@" | head -n 2501 > /dev/null; exit ${PIPESTATUS[0]}"#
            let host = try HostProcess(
                workspace.bundles.arguments(["--retry-base", "1", "--log-level", "info"]),
                under: ["/bin/bash", "-c", script]
            )
            for number in 0..<2_500 {
                try host.request("saveCustomEvent", ["name": .string("e\(number)")])
            }
            try host.request("flushPending", ["to": "tried"])
            try Processes.wait(for: "the batch") { FileManager.default.fileExists(atPath: "\(folder)/batches") }
            // The first reply is still read; the second finds a closed pipe.
            for _ in 0..<3 { try host.request("ping") }
            try Processes.wait(for: "the stop") {
                if !host.process.standardError.contains("the client is gone") { _ = try? host.request("ping") }
                return host.process.standardError.contains("the client is gone")
            }
            try gate.releaseOne()
            #expect(try host.process.wait() == .code(0))
            let audit = try audit(workspace, folder)
            audit.expectOnce(Array(1...2_500))
            #expect(audit.kept.count == 1_000)
        }
    }

    @Test("A destination that stops answering leaves an ambiguous batch, and the host still exits")
    func silent() throws {
        let program = """
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            def deliver(batch, n):
                log("has the batch")
                while True: signal.pause()
            """
        try open(program) { workspace, host, folder, gate, ids in
            host.process.kill(SIGTERM)
            try Processes.wait(for: "the stop") { host.process.standardError.contains("stopping on signal") }
            // After a second signal the host exits without waiting.
            host.process.kill(SIGTERM)
            let reply = try host.reply()
            #expect(reply["result"]?["possiblySent"] == 1_000, "\(reply)")
            #expect(try host.process.wait() == .code(143))
            let next = try workspace.host()
            #expect(try next.deliveryStatus()["possiblySent"] == 1_000)
            #expect(try next.result("deadLetters", ["limit": 1])["total"] == 100)
            #expect(try next.result("pending", ["limit": 1])["total"] == 2_400)
            #expect(try next.finish() == .code(0))
        }
    }

    @Test("A batch that was answered while another process locks the suite is settled before the host exits")
    func heldSuite() throws {
        try open { workspace, host, folder, gate, ids in
            let holder = try SuiteHolder("\(workspace.bundles.data)/standard.sqlite")
            host.process.kill(SIGTERM)
            try Processes.wait(for: "the stop") { host.process.standardError.contains("stopping on signal") }
            try gate.releaseOne()
            try Processes.wait(for: "the end of the destination") {
                try Processes.children(of: host.process.pid).isEmpty
            }
            holder.process.closeInput()
            #expect(try holder.process.wait() == .code(0))
            #expect(try host.process.wait() == .code(143))
            let audit = try audit(workspace, folder)
            audit.expectOnce(ids)
            #expect(audit.kept.count == 1_000)
        }
    }

    @Test("A batch that was not yet sent when the host shuts down is never sent")
    func unclaimed() throws {
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add("def deliver(batch, n): return accept(batch)")
            let host = try workspace.host(["--log-level", "info"])
            let ids = try host.saveRecords(10)
            let holder = try SuiteHolder("\(workspace.bundles.data)/standard.sqlite")
            try host.request("flushPending", ["to": "tried"])
            try Processes.wait(for: "the flush") { try host.result("status")["deliveries"]?.array?.count == 1 }
            host.process.kill(SIGTERM)
            try Processes.wait(for: "the stop") { host.process.standardError.contains("stopping on signal") }
            holder.process.closeInput()
            #expect(try host.process.wait() == .code(143))
            let audit = try DestinationAudit(try workspace.host(), folder)
            audit.expectOnce(ids)
            #expect(audit.kept.isEmpty)
        }
    }
}
