import Foundation
import JSON
import TestSupport
import Testing

/// The host's extension runner, without the rest of the host.
@Suite(.waits, .wire) struct ExtensionsRunnerTests {
    private static let content = "com.apple.usernotifications.content-extension"

    /// Answers every request in the same way.
    private static let program = """
        #!/usr/bin/env python3
        import json, sys

        result = {"version": "1.0", "records": [{"a": 1}]}
        for message in map(json.loads, sys.stdin):
            answer = {"jsonrpc": "2.0", "id": message.get("id"), "result": result}
            if "id" in message: print(json.dumps(answer, separators=(",", ":")), flush=True)
        """

    private func withDriver(
        _ point: String,
        _ options: [String] = [],
        _ body: (HostProcess, _ executable: String) throws -> Void
    ) throws {
        try Workspace.open { workspace in
            let attributes = ["PushhostDestinationName": "tried", "PushhostSourceName": "tried"]
            let bundle = try workspace.add(named: "runs", point: point, script: nil, attributes: attributes)
            try writeExecutable(Self.program, to: "\(bundle)/run")
            let driver = try HostProcess([bundle] + options, program: "process-driver")
            try body(driver, "\(bundle)/run")
            #expect(try driver.finish() == .code(0))
        }
    }

    @Test("The answer of a destination is used at once, and that of another extension after what it sent before")
    func answers() throws {
        try withDriver("pushhost.destination", ["keeps"]) { driver, _ throws in
            #expect(try driver.result("deliver")["version"] == "1.0")
        }
        try withDriver(Self.content, ["keeps"]) { driver, _ in
            let call = try driver.request("didReceive")
            // The first answer is that to `activate`.
            for _ in 0..<2 {
                try Processes.wait(for: "the answer") { try driver.result("kept") == 1 }
                #expect(try driver.result("release") == .null)
            }
            let reply = try driver.reply()
            #expect(reply["id"] == call && reply["result"]?["version"] == "1.0")
        }
    }

    @Test("The records of a source are passed on as texts, and nothing else is")
    func records() throws {
        try withDriver(Self.content) { driver, _ throws in
            #expect(try driver.result("pull")["records"] == [["a": 1]])
        }
        try withDriver("pushhost.source") { driver, _ in
            let records = try driver.result("pull")["records"]?.array
            #expect(records?.contains(#"{"a":1}"#) == true, "\(String(describing: records))")
        }
    }

    @Test("An extension whose executable was being written is up to date once it was started", .enabled(if: isLinux))
    func busyExecutable() throws {
        try withDriver(Self.content) { driver, executable in
            #expect(try driver.result("isUpToDate") == true)
            let file = open(executable, O_WRONLY | O_CLOEXEC)
            let error = try driver.call("didReceive")["error"]
            #expect(error?["message"]?.string?.contains("Text file busy") == true, "\(String(describing: error))")
            #expect(try driver.result("isUpToDate") == false)
            close(file)
            // Another test that starts a process may have the descriptor for a moment longer.
            try Processes.wait(for: "the start") { try driver.call("didReceive")["result"] != nil }
            #expect(try driver.result("isUpToDate") == true)
        }
    }
}
