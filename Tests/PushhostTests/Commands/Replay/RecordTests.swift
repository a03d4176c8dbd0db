import Contract
import Foundation
import JSON
import TestSupport
import Testing

/// What `--record` writes.
@Suite(.waits, .wire) struct RecordTests {
    private static let fixed = ["--clock", "2026-01-01T00:00:00Z", "--seed", "1"]

    @Test(
        "A recording contains every byte of the client and of the host, whatever the bytes are",
        arguments: [[], fixed]
    )
    func exactBytes(options: [String]) throws {
        let long = #"{"jsonrpc":"2.0","id":2,"method":"ping","params":{"_":""# + String(repeating: "x", count: 3_000)
        let input: [UInt8] =
            [0xEF, 0xBB, 0xBF] + Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n".utf8)
            + [0xFF, 0xFE, 0x0A, 0x00, 0x01, 0x1F, 0x7F, 0x0A, 0x0A, 0x20, 0x09, 0x0D, 0x0A]
            + Array("\u{2028}\"\\\u{10FFFF}\n".utf8) + Array((long + "\"}}\n").utf8) + Array("{\"no\":\"end\"".utf8)
        try withTemporaryDirectory { folder in
            let file = "\(folder)/a.session.jsonl"
            let run = try runPushhost(
                ["--data", folder, "--line-limit", "1000", "--record", file] + options,
                input: input
            )
            #expect(run.status == .code(0), "\(run.error)")
            let recorded = try RecordedFile(file)
            #expect(recorded.bytes(from: "client", to: "host") == input)
            #expect(recorded.bytes(from: "host", to: "client") == Array(run.output.utf8))
            #expect(run.output.contains("lineTooLong"))
            #expect(recorded.records.last?["exit"] == 0)
            #expect(recorded.records.contains { $0["from"] == "client" && $0["ended"] != nil })
            let times = recorded.records.compactMap { $0["t"]?.integer }
            #expect(times == times.sorted())
            #expect(times.count == recorded.records.count - 1)
        }
    }

    @Test("In lock-step each recorded line precedes everything that it causes, up to its reply")
    func order() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let file = "\(workspace.root)/a.session.jsonl"
            let show =
                #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":"x","category":"good"}}}}"#
            let lines = [show, #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#].joined(separator: "\n")
            let run = try runPushhost(workspace.arguments(Self.fixed + ["--record", file]), input: lines.utf8)
            #expect(run.status == .code(0), "\(run.error)")
            let recorded = try RecordedFile(file)
            let good = "com.example.good"
            #expect(
                recorded.directions == [
                    "client>host", "host>\(good)", "\(good)>host", "host>\(good)", "\(good)>host", "host>client",
                    "client>host", "host>client", "host>\(good)",
                ]
            )
            #expect(recorded.records.contains { $0["from"] == .string(good) && $0["ended"]?["exitCode"] == 0 })
            let bundle = recorded.records.compactMap { $0["bundle"] }.first
            #expect(bundle?["identifier"] == .string(good))
            #expect(bundle?["files"]?["Info.plist"]?.string?.contains(good) == true)
            #expect(bundle?["files"]?["run.entitlements"]?.string?.contains(Workspace.group) == true)
        }
    }

    @Test(
        "The sender of the signal that ended a process is recorded, and so is an end of its stdout alone",
        arguments: ["kill -KILL $$", "kill -TERM $$", "exec 1>&-; read line; read line", "read line"]
    )
    func ends(action: String) throws {
        try Workspace.open { workspace in
            try workspace.add(
                named: "ends",
                script: """
                    read line; echo '{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"}}'
                    read line; \(action)
                    """
            )
            let file = "\(workspace.root)/a.session.jsonl"
            let show =
                #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":"x","category":"ends"}}}}"#
            let options = Self.fixed + ["--record", file, "--call-deadline", "1000"]
            #expect(try runPushhost(workspace.arguments(options), input: show.utf8).status == .code(0))
            let records = try RecordedFile(file).records
            let wasStopped = records.compactMap { $0["ended"]?["stopped"] }.first
            #expect(wasStopped == .bool(action.hasPrefix("read") || action.hasPrefix("exec")))
            #expect(records.contains { $0["closed"] == "stdout" } == action.hasPrefix("exec"))
            let replay = try runPushhost(["replay", file])
            #expect(replay.status == .code(0), "\(replay.output)\(replay.error)")
        }
    }

    @Test("The header says how the host was started, with the bundles' path relative to the recording")
    func header() throws {
        try Workspace.open { workspace in
            try FileManager.default.createDirectory(atPath: "\(workspace.root)/a/b", withIntermediateDirectories: true)
            let options = [
                "--plugins", "plugins", "--data", "data", "--suite=s", "--call-deadline", "99", "--fetch-attachments",
                "--log-level", "error", "--record", "a/b/c.session.jsonl",
            ]
            _ = try runPushhost(["serve"] + Self.fixed + options, directory: workspace.root)
            let header = try RecordedFile("\(workspace.root)/a/b/c.session.jsonl").header
            #expect(
                header == [
                    "version": .string(ContractDocuments.version),
                    "arguments": ["--plugins=../../plugins", "--suite=s", "--call-deadline=99", "--fetch-attachments"],
                    "clock": "2026-01-01T00:00:00.000Z", "seed": 1, "lockStep": true,
                ]
            )
            _ = try runPushhost(["--data", workspace.data, "--record", "\(workspace.root)/d"])
            let free = try RecordedFile("\(workspace.root)/d").header
            #expect(free["clock"] == nil)
            #expect(free["started"]?.string != nil)
            #expect(free["lockStep"] == false)
            #expect(free["seed"]?.integer != nil, "chance can come again")
        }
    }

    @Test("The recording of a killed host contains every answered request")
    func killed() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/a.session.jsonl"
            let host = try HostProcess(["--data", folder, "--record", file], unchecked: "it records itself")
            for number in 0..<50 { _ = try host.result("saveCustomEvent", ["name": .string("e\(number)")]) }
            host.process.kill(SIGKILL)
            #expect(try host.process.wait() == .signal(SIGKILL))
            let recorded = try RecordedFile(file)
            #expect(recorded.directions.count { $0 == "host>client" } == 50)
            #expect(recorded.records.last?["exit"] == nil)
        }
    }

    @Test("Only the files of a bundle that the host reads are recorded: none outside it, and no endless ones")
    func hostileBundle() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("good")
            let outside = "\(workspace.root)/private"
            try Data("private\n".utf8).write(to: URL(filePath: outside))
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/x.entitlements",
                withDestinationPath: outside
            )
            try FileManager.default.createDirectory(atPath: "\(folder)/en.lproj", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/en.lproj/Localizable.strings",
                withDestinationPath: outside
            )
            #expect(mkfifo("\(folder)/y.entitlements", 0o600) == 0)
            let file = "\(workspace.root)/a.session.jsonl"
            let line = #"{"jsonrpc":"2.0","id":1,"method":"extensions"}"#
            #expect(try runPushhost(workspace.arguments(["--record", file]), input: line.utf8).status == .code(0))
            let files = try RecordedFile(file).records.compactMap { $0["bundle"]?["files"]?.object }.first
            #expect(files?.map(\.name) == ["Info.plist", "run.entitlements"])
        }
    }

    @Test("Two hosts cannot record into the same file")
    func twoHosts() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/a.session.jsonl"
            let host = try HostProcess(["--data", folder, "--record", file], unchecked: "it records itself")
            _ = try host.result("ping")
            let second = try runPushhost(["--data", folder, "--record", file])
            #expect(second.status == .code(64))
            #expect(second.error.contains("--record \(file): another host records into it; name another file"))
            #expect(try host.finish() == .code(0))
            #expect(try runPushhost(["replay", file]).status == .code(0))
        }
    }

    @Test("A recording is private and replaces an older recording, but no other file")
    func file() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/a"
            let arguments = { (file: String) in ["--data", folder, "--record", file] }
            _ = try runPushhost(arguments(file), input: #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.utf8)
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let first = try RecordedFile(file)
            #expect(chmod(file, 0o644) == 0)
            _ = try runPushhost(arguments(file))
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600, "whatever the mode of the older one")
            #expect(try RecordedFile(file).records.count < first.records.count)

            let other = "\(folder)/notes"
            try Data("my notes\n".utf8).write(to: URL(filePath: other))
            #expect(mkfifo("\(folder)/fifo", 0o600) == 0)
            for (path, reason) in [
                (other, "it is not a recording"), (folder, "Is a directory"), ("\(folder)/no/a", "No such file"),
                ("/dev/null", "it is not a file"), ("\(folder)/fifo", "it is not a file"),
            ] {
                let run = try runPushhost(arguments(path))
                #expect(run.status == .code(64))
                #expect(run.error.contains("--record \(path): \(reason)"), "\(run.error)")
            }
            #expect(try String(contentsOfFile: other, encoding: .utf8) == "my notes\n")
        }
    }

    @Test("A recording that cannot grow ends with a warning, and the session is not affected", .enabled(if: hasProc))
    func fullDisk() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/a.session.jsonl"
            let host = try HostProcess(
                ["--data", folder, "--record", file],
                under: ["/bin/sh", "-c", #"trap "" XFSZ; exec "$0" "$@""#],
                unchecked: "it records itself"
            )
            _ = try host.result("ping")
            let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
            let limit = try ChildProcess(
                try Tool(name: "prlimit", package: "util-linux").path(),
                ["--pid", "\(host.process.pid)", "--fsize=\(size + 30):"]
            )
            #expect(try limit.wait() == .code(0))
            for _ in 0..<5 { _ = try host.result("ping") }
            #expect(try host.finish() == .code(0))
            #expect(
                host.process.standardError.contains(
                    "the recording \(file) is incomplete from here on, because it cannot be written"
                )
            )
            #expect(try RecordedFile(file).records.last?["exit"] == nil)
            let replay = try runPushhost(["replay", file])
            #expect(replay.status == .code(0), "\(replay)")
            #expect(replay.output.contains("its end is not recorded"), "\(replay)")
        }
    }

    private static let hasProc = FileManager.default.fileExists(atPath: "/proc")
}
