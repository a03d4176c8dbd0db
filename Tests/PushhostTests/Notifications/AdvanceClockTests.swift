import Foundation
import JSON
import TestSupport
import Testing

/// Time that passes by the client's command, with a fixed clock.
@Suite(.waits, .wire) struct AdvanceClockTests {
    private static let fixed = ["--clock", "2026-01-01T00:00:00Z"]

    /// A bundle of the program that hides what a touch opened after a second; and a payload for it.
    static func withBundle(
        knowsTime: Bool = true,
        _ body: (_ folder: String, _ payload: String) throws -> Void
    ) throws {
        try withTemporaryDirectory { folder in
            var program = try String(contentsOfFile: "\(repositoryRoot)/Tests/Fixtures/clock/clock.py", encoding: .utf8)
            if !knowsTime { program.replace("case \"advanceClock\"", with: "case \"anything else\"") }
            let bundle = "\(folder)/clock"
            try Kit.python.makeBundle(bundle, program: program, name: "clock")
            let payload = "\(bundle)/payload.apns"
            try Data(#"{"aps":{"alert":"x","category":"kit"}}"#.utf8).write(to: URL(filePath: payload))
            try body(bundle, payload)
        }
    }

    private func withHost(
        _ options: [String] = fixed,
        knowsTime: Bool = true,
        _ body: (HostProcess, JSON) throws -> Void
    ) throws {
        try Self.withBundle(knowsTime: knowsTime) { bundle, _ in
            try Workspace.open { workspace in
                let host = try workspace.host(options + ["--plugins", bundle])
                let shown = try host.result("didReceive", HostProcess.payload("kit"))
                try body(host, shown["notification"] ?? .null)
                #expect(try host.finish() == .code(0))
            }
        }
    }

    private func advance(_ host: HostProcess, _ notification: JSON, _ milliseconds: JSON) throws -> JSON {
        try host.call("advanceClock", ["notification": notification, "milliseconds": milliseconds])
    }

    @Test("A timer of the extension runs as soon as its time has come, and the records of later calls have that time")
    func timer() throws {
        try withHost { host, notification in
            let touch: JSON = ["notification": notification, "element": "card"]
            #expect(try host.result("interact", touch)["view"]?["title"] == "open")
            #expect(try advance(host, notification, 900)["result"]?["view"]?["title"] == "open")
            #expect(try advance(host, notification, 200)["result"]?["view"]?["title"] == "closed")
            let save: JSON = ["name": "Later", "suite": "group.com.example.clock"]
            try host.result("saveCustomEvent", save)
            let pending = try host.result("pending", ["suite": "group.com.example.clock"])["records"]
            #expect(pending?[0]?["time"]?.string?.hasPrefix("2026-01-01T00:00:01.1") == true, "\(pending ?? .null)")
        }
    }

    @Test("The system's clock cannot be moved, and a fixed one moves by at most a day")
    func refused() throws {
        try withHost([]) { host, notification in
            let error = try advance(host, notification, 1)["error"]
            #expect(error?["data"]?["reason"] == "clockNotFixed")
            #expect(error?["message"]?.string?.contains("--clock") == true)
        }
        try withHost { host, notification in
            for milliseconds: JSON in [0, -1, 86_400_001, 0.5, "1"] {
                let error = try advance(host, notification, milliseconds)["error"]
                #expect(error?["data"]?["path"] == "/params/milliseconds", "\(milliseconds)")
            }
            #expect(try advance(host, notification, 86_400_000)["result"] != nil)
        }
    }

    @Test("An extension without timers, and the system's own view, stay as they are")
    func withoutTimers() throws {
        try withHost(knowsTime: false) { host, notification in
            #expect(try advance(host, notification, 1_000)["result"]?["view"]?["title"] == "closed")
            let shown = try host.result("didReceive", HostProcess.payload("nobody"))
            let later = try advance(host, shown["notification"] ?? .null, 1_000)["result"]
            #expect(later?["view"] == shown["view"])
            #expect(later?["diagnostics"] == nil)
        }
    }

    @Test("push waits at its place among the steps, without waiting really", arguments: ["0.5", "1.5"])
    func push(seconds: String) throws {
        try Self.withBundle { _, payload in
            let run = try CommandRun.push([payload, "--press", "card", "--wait", seconds, "--ascii"])
            #expect(run.status == .code(0), "\(run.standardError)")
            #expect(run.output.contains(seconds == "0.5" ? "open" : "closed"), "\(run.output)")
        }
    }

    @Test("The time of a wait is checked", arguments: ["0", "-1", "x", "nan", "86401"])
    func wrongWait(seconds: String) throws {
        let run = try CommandRun.push(["payload.apns", "--wait=\(seconds)"])
        #expect(run.status == .code(64))
        #expect(run.standardError.contains("--wait \(seconds): it must be a number of seconds from 0.001 to 86400"))
    }
}
