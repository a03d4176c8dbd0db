import Foundation
import JSON
import TestSupport
import Testing

/// Thousands of calls that wait for extensions that do not answer.
@Suite(.waits, .wire) struct WaitingCallsTests {
    @Test("A signal answers each of thousands of waiting calls, even if the client has not read earlier replies")
    func signal() throws {
        try Workspace.open { workspace in
            let names = ["a", "b", "c"]
            for name in names { try workspace.add(named: name, script: Workspace.script("muteCall")) }
            // A busy machine may not let this test read for longer than the usual 2 s.
            let host = try workspace.host(["--stop-grace", "600000"])
            let calls = (0..<3_000).map { id in
                line(id, "didReceive", HostProcess.payload(names[id % 3], title: "\(id)").description)
            }
            try host.process.write(calls.joined().utf8)
            // This call never waits, so its answer shows that the others have been received.
            try host.send(line: #"{"jsonrpc":"2.0","id":-1,"method":"ping"}"#)
            #expect(try host.reply()["id"] == -1)
            host.process.kill(SIGTERM)
            let replies = try (0..<3_000).map { _ in try host.reply() }
            #expect(Set(ids(replies)) == Set(0..<3_000))
            #expect(replies.allSatisfy { $0["error"]?["data"]?["reason"] == "stopping" })
            #expect(try host.process.wait() == .code(143))
        }
    }
}
