import Foundation
import JSON
import TestSupport
import Testing

/// What a running relay shows: metrics, health, messages to its supervisor, and log lines in JSON.
@Suite(.waits, .wire) struct RelayMonitorTests {
    /// Rejects E2 and answers the first delivery of E3 with uncertainty.
    static let mixed = """
        def deliver(batch, n):
            result = {"accepted": [], "rejected": [], "uncertain": []}
            for record in batch:
                if record["name"] == "E2": result["rejected"].append({"id": record["id"], "reason": "because"})
                elif record["name"] == "E3" and "possiblySent" not in record: result["uncertain"].append(record["id"])
                else: result["accepted"].append(record["id"])
            return result
        """

    /// Starts a relay that answers at a free port, which its log names.
    func relay(
        _ workspace: RelayWorkspace,
        _ environment: [String: String] = [:]
    ) throws -> (process: HostProcess, port: UInt16) {
        let ends = ["--from", "kit", "--to", "tried", "--retry-base", "1", "--retry-limit", "1"]
        let watched = ["--metrics-port", "0", "--log-format", "json", "--log-level", "info"]
        let bundles = workspace.destinations.bundles
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let process = try HostProcess(
            ["relay"] + bundles.arguments(ends + watched),
            under: ["/usr/bin/env"] + variables + ["/bin/sh", "-c", "exec \"$@\" 2>>'\(bundles.root)/log'", "sh"]
        )
        try workspace.log.await(containing: "/metrics")
        let line = try JSON(parsing: try #require(workspace.log.lines.last))
        let port = try #require(line["port"]?.string.flatMap { UInt16($0) })
        #expect(line["message"] == .string("metrics are at http://127.0.0.1:\(port)/metrics"))
        return (process, port)
    }

    /// Asks for metrics until a condition holds.
    private func scrape(_ port: UInt16, until isExpected: (PrometheusText) -> Bool) throws -> PrometheusText {
        let limit = Date(timeIntervalSinceNow: ChildProcess.patience)
        while true {
            let (status, body) = try LoopbackClient.get("/metrics", port: port)
            #expect(status == 200)
            let text = try PrometheusText(body)
            if isExpected(text) { return text }
            guard Date() < limit else { throw TestFailure("the metrics never were as expected:\n\(body)") }
        }
    }

    /// Asks for the readiness until it is as expected, and returns the text.
    private func readiness(_ port: UInt16, until expected: Int) throws -> String {
        let limit = Date(timeIntervalSinceNow: ChildProcess.patience)
        while true {
            let (status, body) = try LoopbackClient.get("/readyz", port: port)
            if status == expected { return body }
            guard Date() < limit else { throw TestFailure("it is \(status) \(body)") }
        }
    }

    @Test("The metrics of a running relay count deliveries, rejections and ambiguous deliveries")
    func counts() throws {
        try RelayWorkspace.open { workspace in
            _ = try workspace.addDestination(Self.mixed)
            try workspace.addRecords(1...5)
            let (process, port) = try relay(workspace)
            try workspace.awaitSettled(5)
            try workspace.command("share 0.25")
            try workspace.command("wake")
            let metrics = try scrape(port) { $0["pushhost_relay_pending"] == 0 && $0["pushhost_relay_held"] == 0 }
            let values = [
                "ready": 1, "paused": 0, "pending": 0, "held": 0, "oldest_age_seconds": 0, "delivered_total": 4,
                "rejected_total": 1, "ambiguous_total": 1, "retries_total": 1, "lost_total": 0, "rate_share": 0.25,
            ]
            for (name, value) in values { #expect(metrics["pushhost_relay_\(name)"] == value, "\(name)") }
            let up = metrics.metrics["pushhost_relay_up"]?.samples
            #expect(up == [["source": "kit", "destination": "tried"]: 1])
            let page = try String(contentsOfFile: "\(repositoryRoot)/protocol/reference/delivery.md", encoding: .utf8)
            for (name, metric) in metrics.metrics {
                #expect(page.contains("| `\(name)` | \(metric.type ?? "") |"), "\(name) is not on the page")
                #expect((metric.type == "counter") == name.hasSuffix("_total") && metric.help?.isEmpty == false)
            }
            let alerts = try #require(try Page("protocol/guides/relay.md").blocks("yaml").first)
            let watched = Set(alerts.matches(of: /pushhost_\w+/).map { String($0.output) })
            #expect(watched.count == 6 && watched.isSubset(of: metrics.metrics.keys), "\(watched)")
            #expect(try LoopbackClient.get("/healthz", port: port) == (200, "ok\n"))
            #expect(try readiness(port, until: 200) == "ready\n")
            process.process.kill(SIGTERM)
            #expect(try process.finish() == .code(0))
        }
    }

    @Test(
        "While records wait, their number and the age of the oldest are shown, and a relay whose source fails is not ready"
    )
    func waiting() throws {
        try RelayWorkspace.open { workspace in
            let (_, events) = try workspace.addDestination(
                """
                def deliver(batch, n):
                    tell("begun")
                    wait_at_gate()
                    return accept(batch)
                """
            )
            try workspace.addRecords(1...3)
            let (process, port) = try relay(workspace)
            try events.await("begun")
            let metrics = try scrape(port) { $0["pushhost_relay_pending"] == 3 }
            #expect(metrics["pushhost_relay_held"] == 3 && metrics["pushhost_relay_delivered_total"] == 0)
            // The records are of the first day of 2026.
            #expect(try #require(metrics["pushhost_relay_oldest_age_seconds"]) > 0)
            try workspace.setFault("pull-error", times: 1_000_000)
            try workspace.command("wake")
            #expect(try readiness(port, until: 503).hasPrefix("not ready: the source kit failed: "))
            #expect(try LoopbackClient.get("/healthz", port: port).status == 200)
            process.process.kill(SIGKILL)
            _ = try process.finish()
        }
    }

    @Test("A supervisor is told that the relay is ready, what it does, that it lives and that it ends")
    func supervisor() throws {
        try RelayWorkspace.open { workspace in
            _ = try workspace.addDestination(Self.mixed)
            let supervisor = try DatagramReceiver("\(workspace.destinations.bundles.root)/notify")
            // A watchdog of 20 ms.
            let variables = ["NOTIFY_SOCKET": supervisor.address, "WATCHDOG_USEC": "20000"]
            let (process, _) = try relay(workspace, variables)
            #expect(try supervisor.next() == "READY=1")
            var messages: Set<String> = []
            while !messages.contains("WATCHDOG=1") || !messages.contains(where: { $0.hasPrefix("STATUS=kit to tried") })
            {
                messages.insert(try supervisor.next())
            }
            process.process.kill(SIGTERM)
            while try supervisor.next() != "STOPPING=1" {}
            #expect(try process.finish() == .code(0))
        }
    }

    @Test("A port that is taken, and a form of log lines that does not exist, are errors of the command line")
    func mistakes() throws {
        try RelayWorkspace.open { workspace in
            _ = try workspace.addDestination(Self.mixed)
            let (process, port) = try relay(workspace)
            let plugins = ["--plugins", workspace.destinations.bundles.plugins]
            for (options, text) in [
                (["--metrics-port", "\(port)"], "--metrics-port \(port): 127.0.0.1:\(port) cannot be used: "),
                (["--log-format", "xml"], "xml"),
            ] {
                let run = try CommandRun(["relay", "--from", "kit", "--to", "tried"] + plugins + options)
                #expect(run.status == .code(64))
                #expect(run.standardError.contains(text), "\(run.standardError)")
            }
            process.process.kill(SIGTERM)
            _ = try process.finish()
        }
    }
}
