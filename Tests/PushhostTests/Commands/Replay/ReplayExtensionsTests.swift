import Foundation
import JSON
import TestSupport
import Testing

/// Replays without the extensions, whose part is played from the recording.
@Suite(.waits, .wire) struct ReplayExtensionsTests {
    private static func show(_ category: String, id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"didReceive","params":{"payload":{"aps":{"alert":"x","category":"\#(category)"}}}}"#
    }

    /// Records a session with bundles, and returns the file.
    private static func record(_ lines: [String], _ workspace: Workspace, _ options: [String] = []) throws -> String {
        let file = "\(workspace.root)/a.session.jsonl"
        let run = try runPushhost(
            workspace.arguments(ReplayTests.fixed + ["--record", file] + options),
            input: lines.joined(separator: "\n").utf8
        )
        #expect(run.status == .code(0), "\(run.error)")
        return file
    }

    @Test(
        "The messages and exits of extensions are replayed without their bundles",
        arguments: ["good", "savesThenCrashes", "exitsInCall", "garbageFirst", "refuses", "exitsAtOnce", "batch"]
    )
    func withoutBundles(behaviour: String) throws {
        try Workspace.open { workspace in
            try workspace.add(behaviour)
            try workspace.add("good")
            let file = try Self.record(
                [
                    Self.show(behaviour, id: 1), Self.show("good", id: 2), Self.show(behaviour, id: 3),
                    #"{"jsonrpc":"2.0","id":4,"method":"pending","params":{"suite":"\#(Workspace.group)"}}"#,
                    Self.show("god", id: 5),
                ],
                workspace
            )
            try FileManager.default.removeItem(atPath: workspace.plugins)
            let run = try runPushhost(["replay", "--extensions", "recorded", file])
            #expect(run.status == .code(0), "\(run.output)\(run.error)")
            #expect(try runPushhost(["replay", file]).status != .code(0), "without the bundles it is another session")
        }
    }

    @Test("A destination's replies are replayed without its bundle")
    func destination() throws {
        try DestinationWorkspace.open { destinations in
            try destinations.add(
                "def deliver(batch, n): return {'accepted': ids(batch)[:1], 'rejected': reasoned(batch[1:])}"
            )
            let save = { (id: Int) in
                #"{"jsonrpc":"2.0","id":\#(id),"method":"saveCustomEvent","params":{"name":"e\#(id)"}}"#
            }
            let flush = #"{"jsonrpc":"2.0","id":3,"method":"flushPending","params":{"to":"tried"}}"#
            let file = try Self.record([save(1), save(2), flush], destinations.bundles)
            try FileManager.default.removeItem(atPath: destinations.bundles.plugins)
            let run = try runPushhost(["replay", "--extensions", "recorded", file])
            #expect(run.status == .code(0), "\(run.output)\(run.error)")
        }
    }

    @Test("The outcomes of templates are replayed: rendered, aborted, refused, crashed")
    func personalization() throws {
        try PersonalizationWorkspace.open { place in
            let profiles: [JSON] = [
                ["name": "Ada", "diagnostics": [["reason": "r", "message": "m", "path": "/params/payload/aps"]]],
                ["do": "answer", "answer": ["payload": [:], "abort": "no city"]], ["do": "refuse"], ["do": "crash"],
                ["name": "Bea"],
            ]
            let lines = try profiles.enumerated().map { index, profile in
                let params = try PersonalizationWorkspace.template(mutable: index == 0 ? 1 : nil, profile)
                return JSON.object(
                    JSON.Object([
                        ("jsonrpc", "2.0"), ("id", JSON(index)), ("method", "didReceive"), ("params", params),
                    ])
                ).description
            }
            let file = try Self.record(lines, place.bundles)
            try FileManager.default.removeItem(atPath: place.bundles.plugins)
            let run = try runPushhost(["replay", "--extensions", "recorded", file])
            #expect(run.status == .code(0), "\(run.output)\(run.error)")
            #expect(run.output.contains("5 lines to the client"), "\(run.output)")
        }
    }

    @Test("A crash is replayed at once, and so is the stop of a process that was idle")
    func ends() throws {
        try Workspace.open { workspace in
            try workspace.add(
                named: "crashes",
                script: """
                    read line; echo '{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"}}'
                    read line; kill -SEGV $$
                    """
            )
            try workspace.add("good", saving: true)
            let file = "\(workspace.root)/a.session.jsonl"
            let host = try workspace.host(["--idle-stop", "1", "--record", file], unchecked: "it records itself")
            #expect(try host.show("crashes")["error"]?["data"]?["signal"]?.integer == Int64(SIGSEGV))
            for _ in 0..<2 {
                let notification = try host.shown("good")
                _ = try host.result("dismiss", ["notification": notification])
                try Processes.wait(for: "the idle stop") { try Processes.children(of: host.process.pid) == [] }
            }
            _ = try host.shown("good")
            #expect(try host.finish() == .code(0))
            try FileManager.default.removeItem(atPath: workspace.plugins)
            let run = try runPushhost(["replay", "--extensions", "recorded", file])
            #expect(run.status == .code(0), "\(run.output)\(run.error)")
        }
    }

    @Test(
        "The sender of the signal that ended a process is replayed, and so is an end of its stdout alone",
        arguments: ["kill -KILL $$", "kill -TERM $$", "exec 1>&-; read line; read line", "read line"]
    )
    func signals(action: String) throws {
        try Workspace.open { workspace in
            try workspace.add(
                named: "ends",
                script: """
                    read line; echo '{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"}}'
                    read line; \(action)
                    """
            )
            let file = try Self.record([Self.show("ends", id: 1)], workspace, ["--call-deadline", "1000"])
            let recorded = try RecordedFile(file).records
            let end = recorded.compactMap { $0["ended"]?["stopped"] }.first
            #expect(end == .bool(action.hasPrefix("read") || action.hasPrefix("exec")))
            #expect(recorded.contains { $0["closed"] == "stdout" } == action.hasPrefix("exec"))
            try FileManager.default.removeItem(atPath: workspace.plugins)
            let run = try runPushhost(["replay", "--extensions", "recorded", file])
            #expect(run.status == .code(0), "\(run.output)\(run.error)")
        }
    }

    @Test("The process that stands in for an extension does not read the whole recording, however long it is")
    func ownRecords() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let file = try Self.record([Self.show("good", id: 1)], workspace)
            // A named pipe can be read only once.
            let pipe = "\(workspace.root)/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let writer = try ChildProcess("/bin/sh", ["-c", #"exec cat "$0" > "$1""#, file, pipe])
            let run = try runPushhost(["replay", "--extensions", "recorded", pipe])
            #expect(run.status == .code(0), "\(run.output)\(run.error)")
            #expect(try writer.wait() == .code(0))
        }
    }

    @Test("A replay does not wait for anything beyond the end of a truncated recording")
    func cut() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let file = try Self.record([Self.show("good", id: 1), Self.show("good", id: 2)], workspace)
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            let first = try #require(lines.firstIndex { $0.contains(#""to":"client""#) })
            let second = try #require(lines.last { $0.contains(#""from":"client""#) && $0.contains("didReceive") })
            let kept = lines[...first] + [second, #"{"t":9,"from":"client","to":"host","raw":"","#]
            try Data(kept.joined(separator: "\n").utf8).write(to: URL(filePath: file))
            // A reply that is missing from the recording is not a difference.
            let same = try runPushhost(["replay", "--extensions", "recorded", file])
            #expect(same.status == .code(0), "\(same)")
            #expect(same.output.contains("its end is not recorded"), "\(same)")
            // If the reply is recorded it is a difference, and the cause is reported first.
            let reply = #"{"t":9,"from":"host","to":"client","raw":"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}"}"#
            try Data((kept.dropLast() + [Substring(reply)]).joined(separator: "\n").utf8).write(to: URL(filePath: file))
            let other = try runPushhost(["replay", "--extensions", "recorded", file])
            #expect(
                other.output.contains(
                    """
                    DIFFERS  \(file)
                      com.example.good, played from the recording: \
                    the host sends the call didReceive where the recording ends
                    """
                ),
                "\(other.output)"
            )
        }
    }

    @Test("A call that is not in the recording is reported")
    func otherCall() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let file = try Self.record(
                [Self.show("good", id: 1), #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#],
                workspace
            )
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let changed = text.replacingOccurrences(
                of: #"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"didReceive\""#,
                with: #"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"interact\""#
            )
            #expect(changed != text)
            try Data(changed.utf8).write(to: URL(filePath: file))
            let run = try runPushhost(["replay", "--extensions", "recorded", file])
            #expect(run.status == .code(1))
            #expect(
                run.output.contains("the host sends the call didReceive where the call interact is recorded (line "),
                "\(run.output)"
            )
        }
    }

    @Test("Requests and replies alone cannot replace extensions, and a recording creates only its own folder")
    func refused() throws {
        try withTemporaryDirectory { folder in
            let plain = "\(folder)/b.jsonl"
            try Data(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.utf8).write(to: URL(filePath: plain))
            _ = try runPushhost(["replay", "--update", plain])
            let run = try runPushhost(["replay", "--extensions", "recorded", plain])
            #expect(run.status == .code(1))
            #expect(run.output.contains("its extensions are not recorded"))
            #expect(try runPushhost(["replay", "--extensions", "recorded", "--update", plain]).status == .code(64))

            let file = "\(folder)/a.session.jsonl"
            for path in ["../escaped", "a/../../escaped", "/tmp/escaped"] {
                let header =
                    #"{"session":{"version":"1.0","arguments":[],"clock":"2026-01-01T00:00:00Z","seed":1,"lockStep":true}}"#
                let bundle: JSON = [
                    "t": 1,
                    "bundle": [
                        "identifier": "a", "folder": "a", "executable": "run",
                        "files": .object(JSON.Object([(path, JSON.string("x"))])),
                    ],
                ]
                let line =
                    #"{"t":1,"from":"client","to":"host","raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"}"#
                try Data("\(header)\n\(bundle)\n\(line)\n".utf8).write(to: URL(filePath: file))
                let run = try runPushhost(["replay", "--extensions", "recorded", file])
                if path.hasPrefix("/") {
                    // An absolute path is taken as one within the bundle.
                    #expect(!FileManager.default.fileExists(atPath: path))
                } else {
                    #expect(run.status == .code(66), "\(run)")
                    #expect(run.error.contains("the bundle needs identifier, folder, executable and files"), "\(run)")
                }
            }
        }
    }

    @Test("A signal ends a replay, its host and the host's children, and the replay's folder is removed")
    func interrupted() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "waits", script: "echo > started; exec cat > /dev/null")
            #expect(mkfifo("\(folder)/started", 0o600) == 0)
            let started = open("\(folder)/started", O_RDWR | O_CLOEXEC)
            defer { close(started) }
            let session = "\(workspace.root)/a.jsonl"
            try Data((Self.show("waits", id: 1) + "\n").utf8).write(to: URL(filePath: session))
            let temporary = "\(workspace.root)/tmp"
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            let replay = try ChildProcess(
                try hostCommand(unchecked: "a replay judges by itself")[0],
                ["replay", "--update", "--plugins", workspace.plugins, session],
                environment: ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary]) { $1 }
            )
            var byte: UInt8 = 0
            #expect(read(started, &byte, 1) == 1, "the extension runs")
            replay.kill(SIGTERM)
            #expect(try replay.wait() == .code(128 + SIGTERM))
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
        }
    }
}
