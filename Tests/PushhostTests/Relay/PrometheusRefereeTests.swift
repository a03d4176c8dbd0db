import Foundation
import TestSupport
import Testing

/// Prometheus' own tool about the metrics of a relay and the alerts of the page.
///
/// It is in Debian's package `prometheus`: `.ci/run` installs it and runs this suite with `PUSHHOST_REFEREES=required`.
@Suite(.waits, .wire) struct PrometheusRefereeTests {
    private static let tool = Tool(name: "promtool", package: "prometheus")
    private static let isRequired = ProcessInfo.processInfo.environment["PUSHHOST_REFEREES"] == "required"
    private static let isThere = (try? tool.path()) != nil

    /// For each alert, a relay for which it fires within two hours, and one for which it does not.
    private static let cases = [
        ("PushhostNotDelivering", "pushhost_relay_oldest_age_seconds", "601+60x120", "599x120"),
        ("PushhostNotReady", "pushhost_relay_ready", "0x120", "1x120"),
        ("PushhostDeadLetters", "pushhost_relay_rejected_total", "0+1x120", "7x120"),
        ("PushhostAmbiguous", "pushhost_relay_ambiguous_total", "0+1x120", "7x120"),
        ("PushhostPartitionsIdle", "pushhost_relay_rate_share", "0.4x120", "1x120"),
        ("PushhostNoRelay", "pushhost_relay_up", "stale", "1x120"),
    ]

    @Test(
        "promtool finds nothing to improve in the metrics of a running relay",
        .enabled(if: isRequired || isThere, "did not run: promtool is not installed; .ci/run installs it")
    )
    func metrics() throws {
        let program = try Self.tool.path()
        try RelayWorkspace.open { workspace in
            _ = try workspace.addDestination(RelayMonitorTests.mixed)
            try workspace.addRecords(1...5)
            let (relay, port) = try RelayMonitorTests().relay(workspace)
            try workspace.awaitSettled(5)
            let (status, text) = try LoopbackClient.get("/metrics", port: port)
            try #require(status == 200 && text.contains("pushhost_relay_delivered_total 4"))
            let check = try ChildProcess(program, ["check", "metrics"])
            try check.write(text.utf8)
            check.closeInput()
            #expect(try check.readToEnd() + check.standardError == "")
            #expect(try check.wait() == .code(0))
            relay.process.kill(SIGTERM)
            #expect(try relay.finish() == .code(0))
        }
    }

    @Test(
        "promtool accepts the alerts of the page, and each fires for a relay in trouble and for no other",
        .enabled(if: isRequired || isThere, "did not run: promtool is not installed; .ci/run installs it")
    )
    func alerts() throws {
        let program = try Self.tool.path()
        let rules = try #require(try Page("protocol/guides/relay.md").blocks("yaml").first)
        try withTemporaryDirectory { folder in
            func promtool(_ words: String...) throws -> String {
                let run = try ChildProcess(program, words, directory: folder)
                let output = try run.readToEnd() + run.standardError
                #expect(try run.wait() == .code(0), "\(output)")
                return output
            }
            try rules.write(toFile: "\(folder)/rules.yml", atomically: true, encoding: .utf8)
            #expect(try promtool("check", "rules", "rules.yml").contains("SUCCESS: \(Self.cases.count) rules found"))
            var tests = "rule_files: [rules.yml]\nevaluation_interval: 1m\ntests:\n"
            for (alert, metric, bad, good) in Self.cases {
                for (values, fires) in [(bad, true), (good, false)] {
                    tests += "- interval: 1m\n  input_series:\n  - series: '\(metric){instance=\"r1\"}'\n"
                    // The alerts themselves would have to be repeated here with all labels and annotations.
                    let firing = "count(ALERTS{alertname=\"\(alert)\", alertstate=\"firing\"})"
                    tests += "    values: '\(values)'\n  promql_expr_test:\n  - expr: '\(firing)'\n    eval_time: 2h\n"
                    tests += "    exp_samples: \(fires ? "[{labels: '{}', value: 1}]" : "[]")\n"
                }
            }
            try tests.write(toFile: "\(folder)/tests.yml", atomically: true, encoding: .utf8)
            _ = try promtool("test", "rules", "tests.yml")
        }
    }
}
