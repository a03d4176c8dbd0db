import Foundation
import JSON
import TestSupport
import Testing

/// The recording stays intact when its replay fails, and nothing is left of a replay that a signal ends.
@Suite(.waits, .wire) struct ReplayFailuresTests {
    @Test("A replay whose host cannot start leaves the recording unchanged")
    func brokenHost() throws {
        try withTemporaryDirectory { folder in
            let file = try ReplayTests.record([ReplayTests.ping], in: folder)
            try ReplayTests.change(file) { lines in
                [lines[0].replacingOccurrences(of: #""arguments":[]"#, with: #""arguments":["--nonsense"]"#)]
                    + lines.dropFirst()
            }
            let before = try Data(contentsOf: URL(filePath: file))
            for option in [[], ["--update"]] {
                let run = try runPushhost(["replay"] + option + [file])
                #expect(run.status == .code(1), "\(run)")
                #expect(run.output.contains("the host ended with exit code 64"), "\(run)")
                #expect(run.output.contains("--nonsense"))
            }
            #expect(try Data(contentsOf: URL(filePath: file)) == before)
        }
    }

    @Test("A replay whose host dies fails and leaves the recording unchanged")
    func dyingHost() throws {
        try Workspace.open { workspace in
            let mark = "\(workspace.root)/kill"
            try workspace.add(
                named: "kills",
                script: """
                    [ -e "\(mark)" ] && kill -$(cat "\(mark)") $PPID
                    read line; echo '{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"}}'
                    read line; echo '{"jsonrpc":"2.0","id":2,"result":{}}'
                    read line
                    """
            )
            let show =
                #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":"x","category":"kills"}}}}"#
            let options = ReplayTests.fixed + ["--plugins", workspace.plugins]
            let file = try ReplayTests.record([ReplayTests.ping, show, ReplayTests.save], options, in: workspace.root)
            let before = try Data(contentsOf: URL(filePath: file))
            let variants = [[], ["--mode", "id"], ["--mode", "subset"], ["--update"]]
            for (number, end) in [(SIGKILL, "by signal 9 ("), (SIGTERM, "with exit code 143: ")] {
                try Data("\(number)".utf8).write(to: URL(filePath: mark))
                for options in variants {
                    let run = try runPushhost(["replay", "--no-sandbox"] + options + [file])
                    #expect(run.status == .code(1))
                    #expect(run.output.contains("FAILED   \(file): the host ended \(end)"), "\(run)")
                    #expect(try Data(contentsOf: URL(filePath: file)) == before)
                }
            }
            try FileManager.default.removeItem(atPath: mark)
            #expect(try runPushhost(["replay", file]).status == .code(0))
        }
    }

    @Test(
        "A replay whose own recording is truncated fails and leaves the original recording unchanged",
        .enabled(if: hasProc)
    )
    func cutReplay() throws {
        try Workspace.open { workspace in
            let mark = "\(workspace.root)/cut"
            // The script truncates the host's recording as a full disk would. By then the file contains what the host
            // sent to the extension (activate) and everything before that.
            try workspace.add(
                named: "cuts",
                script: """
                    read line
                    if [ -e "\(mark)" ]; then
                        file=$(tr '\\0' '\\n' < /proc/$PPID/cmdline | sed -n 's/^--record=//p')
                        head -n 4 "$file" > "$file.cut" && mv "$file.cut" "$file"
                    fi
                    echo '{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"}}'
                    read line; echo '{"jsonrpc":"2.0","id":2,"result":{}}'
                    read line
                    """
            )
            let show =
                #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":"x","category":"cuts"}}}}"#
            let options = ReplayTests.fixed + ["--plugins", workspace.plugins]
            let file = try ReplayTests.record([ReplayTests.ping, show, ReplayTests.save], options, in: workspace.root)
            let before = try Data(contentsOf: URL(filePath: file))
            try Data().write(to: URL(filePath: mark))
            for options in [[], ["--mode", "id"], ["--mode", "subset"], ["--update"]] {
                let run = try runPushhost(["replay", "--no-sandbox"] + options + [file])
                #expect(run.status == .code(1))
                #expect(run.output.contains("FAILED   \(file): the host's own recording has no end"), "\(run)")
                #expect(try Data(contentsOf: URL(filePath: file)) == before)
            }
        }
    }

    private static let hasProc = FileManager.default.fileExists(atPath: "/proc")

    @Test("A recording in progress is replayed as far as it goes, and --update leaves it unchanged")
    func beingRecorded() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/a.session.jsonl"
            let host = try HostProcess(
                ["--data", "\(folder)/data", "--record", file] + ReplayTests.fixed,
                unchecked: "it records itself"
            )
            _ = try host.result("ping")
            let replay = try runPushhost(["replay", file])
            #expect(replay.status == .code(0), "\(replay)")
            #expect(replay.output.contains("its end is not recorded"), "\(replay)")
            let update = try runPushhost(["replay", "--update", file])
            #expect(update.status == .code(1))
            #expect(update.output.contains("FAILED   \(file): a host is recording into it;"), "\(update)")
            _ = try host.result("ping")
            #expect(try host.finish() == .code(0))
            #expect(try RecordedFile(file).directions.count { $0 == "host>client" } == 2, "nothing of it is lost")
            #expect(try runPushhost(["replay", "--update", file]).output == "same     \(file)\n")
        }
    }

    @Test("A session over existing suites is reported as such, when it is recorded and when its replay differs")
    func earlierSuites() throws {
        try withTemporaryDirectory { folder in
            let file = "\(folder)/a.session.jsonl"
            let record = {
                try runPushhost(
                    ["--data", "\(folder)/data", "--record", file] + ReplayTests.fixed,
                    input: "\(ReplayTests.save)\n\(ReplayTests.pending)\n".utf8
                )
            }
            #expect(try record().error == "")
            #expect(try RecordedFile(file).header["earlierSuites"] == nil)
            #expect(try runPushhost(["replay", file]).status == .code(0))

            let again = try record()
            #expect(again.status == .code(0))
            #expect(again.error.contains("--record: \(folder)/data holds suites already, which a replay does not have"))
            #expect(try RecordedFile(file).header["earlierSuites"] == true)
            let replay = try runPushhost(["replay", file])
            #expect(replay.status == .code(1))
            #expect(
                replay.output.hasPrefix(
                    "DIFFERS  \(file)\n  the recorded host had suites from before, and a replay begins without any\n"
                ),
                "\(replay.output)"
            )
            #expect(try runPushhost(["replay", "--update", file]).status == .code(0))
            #expect(try RecordedFile(file).header["earlierSuites"] == nil, "it begins without any now")
            #expect(try runPushhost(["replay", file]).status == .code(0))
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
            let show =
                #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":"x","category":"waits"}}}}"#
            try Data("\(show)\n".utf8).write(to: URL(filePath: session))
            let temporary = "\(workspace.root)/tmp"
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            let replay = try ChildProcess.command(
                ["replay", "--update", "--plugins", workspace.plugins, session],
                temporaryFolder: temporary
            )
            var byte: UInt8 = 0
            #expect(read(started, &byte, 1) == 1, "the extension runs")
            replay.kill(SIGTERM)
            #expect(try replay.wait() == .code(128 + SIGTERM))
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
        }
    }
}
