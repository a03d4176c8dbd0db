import Foundation
import JSON
import TestSupport
import Testing

/// The accounts that `plugins/nats/README.md` proposes.
@Suite(.waits, .wire) struct NATSPermissionsTests {
    @Test("A host and a relay need no more permissions than the page names")
    func permissions() throws {
        let page = try String(contentsOfFile: "\(repositoryRoot)/plugins/nats/README.md", encoding: .utf8)
        let block = try #require(page.split(separator: "```\n").first { $0.hasPrefix("authorization: {") })
        let admin = "users: [\n{ user: admin, password: admin }\n"
        let server = try NATSServer(String(block).replacing("users: [", with: admin, maxReplacements: 1))
        func url(_ account: String) -> String { "nats://\(account)@127.0.0.1:\(server.port)" }
        try NATSWorkspace.with(["NATS_URL": url("host:change-this")]) { workspace in
            let host = try workspace.host()
            try host.saveRecords(4)
            try host.publishAll()
            #expect(try host.finish() == .code(0))
        }
        let client = try NATSClient(server, user: ("admin", "admin"))
        #expect(try client.records().count == 4)
        // With a short duplicate window the relay also removes what was settled.
        let config = try #require(try client.streamInfo()["config"]?.object)
        try client.api("STREAM.UPDATE.PUSHHOST", .object(config.setting("duplicate_window", to: 1_000_000_000)))
        let source = try NATSSourceDriver(url("relay:change-that"), lease: 3)
        let records = try source.pull(atLeast: 4)
        try source.settle(delivered: Array(records[1...]), dead: [records[0]])
        #expect(try client.pending() == 0)
        #expect(try client.count("PUSHHOST_DEAD") == 1)
        try source.until("settled records were removed") {
            let others = try source.pull()
            #expect(others.isEmpty)
            return try client.count("PUSHHOST") == 1
        }
        try source.end()
        #expect(!server.log.contains("Permissions Violation"))
    }
}
