import Foundation
import JSON
import TestSupport
import Testing

/// The values that `--record` hides.
@Suite(.waits, .wire) struct RecordSecretsTests {
    /// Adds the destination `tried`, which gets variables of the host's environment.
    private func add(to workspace: Workspace, _ variables: [String], _ script: String) throws {
        try workspace.add(
            named: "tried",
            point: "pushhost.destination",
            script: script,
            attributes: ["PushhostDestinationName": "tried", "PushhostEnvironment": variables]
        )
    }

    /// The host's environment with the values of variables.
    private func environment(_ variables: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(variables) { $1 }
    }

    @Test("A secret that a destination receives is replaced by its name wherever it occurs")
    func secrets() throws {
        try DestinationWorkspace.open { destinations in
            let workspace = destinations.bundles
            try workspace.add(
                named: "tried",
                point: "pushhost.destination",
                script: """
                    exec python3 -c '
                    import json, sys
                    environment = json.loads(sys.stdin.readline())["params"]["environment"]
                    print("key", environment["THE_KEY"], file=sys.stderr, flush=True)
                    stop = {"stop": "no {THE_KEY}, {THE_KEY} {SHORT}".format(**environment)}
                    for id, result in (1, {"version": "1.0"}), (2, stop), (3, {}):
                        if id > 1: sys.stdin.readline()
                        print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)
                    '
                    """,
                attributes: ["PushhostDestinationName": "tried", "PushhostEnvironment": ["THE_KEY", "SHORT"]]
            )
            let file = "\(workspace.root)/a.session.jsonl"
            let lines = """
                {"jsonrpc":"2.0","id":1,"method":"saveCustomEvent","params":{"name":"e"}}
                {"jsonrpc":"2.0","id":2,"method":"flushPending","params":{"to":"tried"}}
                """
            let environment = environment(["THE_KEY": "s3cret/\"quoted\"", "SHORT": "no"])
            let run = try runPushhost(
                workspace.arguments(["--record", file]),
                input: lines.utf8,
                environment: environment
            )
            #expect(run.output.contains(#"no s3cret/\"quoted\", s3cret/"#), "the client receives the message unchanged")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains("s3cret"))
            #expect(!text.contains("quoted"))
            #expect(text.contains("no [THE_KEY], [THE_KEY] no"), "a short value is a common word")
            let activation = #"\"environment\":{\"THE_KEY\":\"[THE_KEY]\",\"SHORT\":\"[SHORT]\"}"#
            #expect(text.contains(activation), "except in activate")
            #expect(text.contains(#""to":"stderr","raw":"key [THE_KEY]""#))
        }
    }

    @Test("A secret is also hidden if it is escaped, split between lines, or logged before anything reads it")
    func secretsInPieces() throws {
        try DestinationWorkspace.open { destinations in
            let workspace = destinations.bundles
            try workspace.add(
                named: "tried",
                point: "pushhost.destination",
                script: """
                    exec python3 -c '
                    import json, sys
                    key = json.loads(sys.stdin.readline())["params"]["environment"]["THE_KEY"]
                    def say(text):
                        sys.stderr.write(text)
                        sys.stderr.flush()
                    say("x" * 5000 + key[:9])
                    for id, result in (1, {"version": "1.0"}), (2, {"stop": key}), (3, {}):
                        if id > 1: sys.stdin.readline()
                        if id == 1: say(key[9:] + key[:9])
                        if id == 2: say(key[9:])
                        line = json.dumps({"jsonrpc": "2.0", "id": id, "result": result})
                        print(line.replace("/", "\\/"), flush=True)
                    '
                    """,
                attributes: ["PushhostDestinationName": "tried", "PushhostEnvironment": ["THE_KEY"]]
            )
            let key = "s3cret/s3cret-geheim"
            let file = "\(workspace.root)/a.session.jsonl"
            // The key is a part of a path, which is an option that the recording has.
            try FileManager.default.createDirectory(
                atPath: "\(workspace.root)/s3cret",
                withIntermediateDirectories: true
            )
            let lines = """
                {"jsonrpc":"2.0","id":1,"method":"saveCustomEvent","params":{"name":"\(key)"}}
                {"jsonrpc":"2.0","id":2,"method":"flushPending","params":{"to":"tried"}}
                """
            let run = try runPushhost(
                workspace.arguments([
                    "--record", file, "--line-limit", "4000", "--deliver-file", "\(workspace.root)/\(key)",
                ]),
                input: lines.utf8,
                environment: environment(["THE_KEY": key])
            )
            #expect(run.status == .code(0), "\(run)")
            #expect(run.output.contains(key), "\(run)")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains("s3cret"), "\(text)")
            #expect(!text.contains("im\""), "\(text)")
            #expect(text.components(separatedBy: "[THE_KEY]").count >= 7)
            let said = try RecordedFile(file).bytes(from: "com.example.tried", to: "stderr")
            #expect(said == Array((String(repeating: "x", count: 5_000) + "[THE_KEY][THE_KEY]").utf8))
        }
    }

    @Test("A replay flushes to the destinations that a session names, with the variables of its own environment")
    func replayedFlush() throws {
        try DestinationWorkspace.open { destinations in
            let workspace = destinations.bundles
            let program = """
                def deliver(batch, n):
                    keep([environment], "environments")
                    return accept(batch)
                """
            let folder = try destinations.add(program, attributes: ["PushhostEnvironment": ["THE_KEY"]])
            let file = "\(workspace.root)/a.session.jsonl"
            let lines = """
                {"jsonrpc":"2.0","id":1,"method":"saveCustomEvent","params":{"name":"e"}}
                {"jsonrpc":"2.0","id":2,"method":"flushPending","params":{"to":"tried"}}
                """
            let sender = environment(["THE_KEY": "that of the sender"])
            _ = try runPushhost(workspace.arguments(["--record", file]), input: lines.utf8, environment: sender)
            let run = try runPushhost(["replay", file], environment: environment(["THE_KEY": "that of the user"]))
            let keys = try DestinationWorkspace.kept(folder, file: "environments").map { $0["THE_KEY"] }
            #expect(keys == ["that of the sender", "that of the user"], "\(run)")
        }
    }

    @Test("A session with a secret's value in an option can be replayed if the secret's variable is set")
    func secretInOptions() throws {
        try DestinationWorkspace.open { destinations in
            let workspace = destinations.bundles
            try add(to: workspace, ["THE_KEY"], "exit 1")
            let file = "\(workspace.root)/a.session.jsonl"
            let environment = environment(["THE_KEY": workspace.root])
            let input = #"{"jsonrpc":"2.0","id":1,"method":"extensions"}"#.utf8
            _ = try runPushhost(workspace.arguments(["--record", file]), input: input, environment: environment)
            #expect(try RecordedFile(file).header["arguments"]?[0]?.string?.hasPrefix("--plugins=[THE_KEY]/") == true)
            let run = try runPushhost(["replay", file], environment: environment)
            #expect(run.status == .code(0), "\(run)")
        }
    }
}
