import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost relay --check`.
@Suite(.waits, .wire) struct RelayCheckTests {
    /// A check in a folder of its own, with some variables.
    private func check(
        _ plugins: [String],
        _ words: [String] = [],
        _ variables: [String: String] = [:],
        in folder: String
    ) throws -> CommandRun {
        let bundles = plugins.flatMap { ["--plugins", $0] }
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BRAZE_") }
        return try CommandRun(
            ["relay", "--check", "--data", "\(folder)/data"] + bundles + words,
            environment: environment.merging(variables) { $1 }
        )
    }

    /// The lines of a check, each as its level and its text.
    private func lines(_ run: CommandRun) -> [String] {
        run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test("The queue, the key, the bundles, the folders and the port have a line each, and no record is taken")
    func good() throws {
        let (server, braze) = (try NATSServer(), try UsersTrackServer())
        try NATSWorkspace.with(["NATS_URL": server.url]) { workspace in
            let host = try workspace.host()
            let ids = try host.saveRecords(20)
            try host.publishAll()
            #expect(try host.finish() == .code(0))
            let run = try check(
                [try NATSPackage.bundles(), "\(repositoryRoot)/plugins/braze"],
                ["--from", "nats", "--to", "braze", "--metrics-port", "0"],
                [
                    "NATS_URL": server.url, "NATS_LEASE_SECONDS": "5", "BRAZE_REST_ENDPOINT": braze.endpoint,
                    "BRAZE_API_KEY": UsersTrackServer.key,
                ],
                in: workspace.folder
            )
            let lines = lines(run)
            #expect(run.status == .code(0), "\(run)")
            #expect(lines.allSatisfy { $0.hasPrefix("ok ") || $0.hasPrefix("warning disk space") }, "\(lines)")
            #expect(lines.contains { $0.hasPrefix("ok data folder: ") })
            #expect(lines.contains { $0.hasPrefix("ok metrics: 127.0.0.1:") && $0.hasSuffix(" is free") })
            let started = lines.filter { $0.hasPrefix("ok bundle: ") }
            let names = ["braze", "nats-destination"].map { "ok bundle: com.example.pushhost.\($0) starts" }
            #expect(started.sorted() == names, "\(lines)")
            let stream = "has the stream PUSHHOST: 16 partitions, one replica"
            #expect(lines.contains { $0.hasPrefix("ok source: nats: \(server.url) \(stream)") }, "\(lines)")
            #expect(lines.contains { $0.hasPrefix("ok destination: braze: Braze accepts the key") }, "\(lines)")
            let client = try NATSClient(server)
            try client.records().expectOnceInOrder(ids)
            #expect(throws: (any Error).self, "no relay was here") { try client.streamInfo("KV_PUSHHOST_RELAYS") }
            #expect(try braze.log().isEmpty)
        }
    }

    @Test("What would keep the relay from its work is an error with what to do, and the exit code is 1")
    func bad() throws {
        let braze = try UsersTrackServer()
        try withTemporaryDirectory { folder in
            let creds = "\(folder)/relay.creds"
            try "secret".write(toFile: creds, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: creds)
            // Braze's stand-in has this port already.
            let port = try #require(URL(string: braze.endpoint)?.port)
            let plugins = [try NATSPackage.bundles(), "\(repositoryRoot)/plugins/braze"]
            let words = ["--from", "nats", "--to", "braze", "--metrics-port", "\(port)"]
            let variables = [
                "NATS_URL": "nats://127.0.0.1:4222", "NATS_CREDS": creds, "BRAZE_REST_ENDPOINT": braze.endpoint,
                "BRAZE_API_KEY": "wr0ng-key", "NATS_LEASE_SECOND": "5",
            ]
            let run = try check(plugins, words, variables, in: folder)
            let bad = lines(run).filter { !$0.hasPrefix("ok ") }
            #expect(run.status == .code(1), "\(run)")
            #expect(bad.contains { $0.hasPrefix("error metrics: 127.0.0.1:\(port) cannot be used: ") }, "\(bad)")
            let file = "error source: nats: NATS_CREDS names \(creds), which others may read or write (mode 644)"
            #expect(bad.contains { $0.hasPrefix(file) }, "\(bad)")
            let misspelt = "warning variables: NATS_LEASE_SECOND is set, but nats does not read it; did you mean NATS"
            #expect(bad.contains { $0.hasPrefix(misspelt) }, "\(bad)")
            #expect(bad.contains { $0.hasPrefix("error destination: braze: Braze answered 401") }, "\(bad)")
            let away = ["NATS_URL": "nats://127.0.0.1:9"]
            let output = ["--deliver-file", "\(folder)/here.jsonl"]
            let nobody = try check(plugins, ["--from", "nats", "--to", "file"] + output, away, in: folder)
            #expect(lines(nobody).contains("ok destination: file: \(folder)/here.jsonl can be written"))
            #expect(nobody.status == .code(1))
            #expect(lines(nobody).contains { $0.hasPrefix("error source: nats: cannot connect") }, "\(nobody.output)")
        }
    }

    @Test("An unknown source is an error that names the others; one that nobody can ask about its queue is a warning")
    func sources() throws {
        try RelayWorkspace.open { workspace in
            let bundles = workspace.destinations.bundles
            func run(_ source: String) throws -> CommandRun {
                try CommandRun(["relay", "--check", "--from", source, "--to", "file"] + bundles.arguments([]))
            }
            let unknown = try run("kitt")
            #expect(unknown.status == .code(1))
            #expect(lines(unknown).contains("error source: there is no source kitt; known sources: kit; see --plugins"))
            let known = try run("kit")
            #expect(known.status == .code(0), "\(known)")
            let text = "warning source: kit: no destination of this name says whether its queue can be reached"
            #expect(lines(known).contains { $0.hasPrefix(text) }, "\(known.output)")
        }
    }
}
