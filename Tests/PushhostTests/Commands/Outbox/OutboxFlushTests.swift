import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost flush`: results, exit codes, the progress bar and interruptions.
@Suite(.waits, .wire) struct OutboxFlushTests {
    /// Starts a flush at a terminal.
    private func start(_ bundles: Workspace) throws -> ChildProcess {
        try ChildProcess.command(
            ["flush", "--to", "tried"] + bundles.arguments(),
            terminal: Pseudoterminal(columns: 100, rows: 24)
        )
    }

    private func save(_ count: Int, _ bundles: Workspace, suite: String = "a") throws {
        let host = try bundles.host(["--suite", suite])
        try host.saveRecords(count, users: 1)
        #expect(try host.finish() == .code(0))
    }

    @Test("flush delivers every suite and prints nothing but a summary into a pipe")
    func everySuite() throws {
        try Workspace.open { bundles in
            try save(1_200, bundles)
            try save(3, bundles, suite: "b")
            let file = "\(bundles.root)/out.jsonl"
            let arguments = ["flush", "--to", "file", "--deliver-file", file]
            let run = try CommandRun(arguments, bundles)
            #expect(run.status == .code(0))
            #expect(run.output == "a to file: 1200 delivered\nb to file: 3 delivered\n")
            #expect(run.standardError == "")
            #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 1_203)
            let again = try CommandRun(arguments + ["--json", "--suite", "b"], bundles)
            #expect(again.status == .code(0))
            #expect(try again.json.map { $0["delivered"] } == [0])
            let unknown = try CommandRun(["flush", "--to", "nobody"], bundles)
            #expect(unknown.status == .code(64) && unknown.output == "")
            #expect(unknown.standardError == "Error: --to nobody: there is no such destination; there are file\n")
            let suites = try CommandRun(["suites"], bundles).rows.dropFirst()
            #expect(suites == ["a 0 0 0 file: 1200", "b 0 0 0 file: 3"])
        }
    }

    @Test("flush goes on with the other suites while another process flushes one of them")
    func heldSuite() throws {
        try Workspace.open { bundles in
            try save(1, bundles)
            try save(2, bundles, suite: "b")
            let lock = open("\(bundles.data)/a.flush", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(lock) }
            #expect(flock(lock, LOCK_EX) == 0)
            let run = try CommandRun(["flush", "--to", "file", "--deliver-file", "\(bundles.root)/out"], bundles)
            #expect(run.status == .code(75))
            #expect(run.output == "b to file: 2 delivered\n")
            let error = "Error: a: another process flushes the suite a"
            #expect(run.standardError.hasPrefix(error), "\(run.standardError)")
        }
    }

    @Test(
        "The exit code of flush says what happened",
        arguments: [
            ("return {'rejected': reasoned(batch)}", 2, "a to tried: 0 delivered, 3 rejected\n", nil),
            (
                "return {'held': reasoned(batch)}", 2, "a to tried: 0 delivered, 3 held, 3 remaining\n",
                "3 records stay pending: because"
            ),
            ("refuse(id)", 75, "", "accepts no records now: "),
            ("return {'stop': 'no key', 'retry': ids(batch)}", 78, "", "no key"),
        ] as [(String, Int32, String, String?)]
    )
    func codes(program: String, code: Int32, output: String, error: String?) throws {
        try DestinationWorkspace.open { destinations in
            let bundles = destinations.bundles
            try destinations.add("def deliver(batch, n): \(program)")
            try save(3, bundles)
            let arguments = ["flush", "--to", "tried", "--retry-patience", "1", "--retry-base", "1"]
            let run = try CommandRun(arguments, bundles)
            #expect(run.status == .code(code), "\(run)")
            #expect(run.output == output, "\(run)")
            #expect(error.map(run.standardError.contains) ?? run.standardError.isEmpty, "\(run)")
        }
    }

    @Test("Attempts whose outcome is unknown are not counted like records")
    func ambiguous() throws {
        try DestinationWorkspace.open { destinations in
            try destinations.add("def deliver(batch, n): return {'uncertain': ids(batch)}")
            try save(1, destinations.bundles)
            let arguments = ["flush", "--to", "tried", "--retry-patience", "10000", "--retry-base", "1"]
            let run = try CommandRun(arguments, destinations.bundles)
            #expect(run.output == "a to tried: 0 delivered, 1 rejected, 2 attempts without a clear answer\n", "\(run)")
        }
    }

    @Test("On a terminal a line shows the progress and is removed at the end")
    func progress() throws {
        try DestinationWorkspace.open { destinations in
            let bundles = destinations.bundles
            let folder = try destinations.add(
                """
                def deliver(batch, n):
                    wait_at_gate()
                    return accept(batch)
                """
            )
            let gate = try Gate(folder)
            try save(1_200, bundles)
            let flush = try start(bundles)
            try flush.awaitLine("\ra to tried [....................] 1200 remain, 0/s")
            try gate.releaseOne()
            try flush.awaitLine("\ra to tried [################....] 200 remain, ")
            try gate.releaseOne()
            let end = try flush.readToEnd()
            #expect(end.hasSuffix("\n\r\u{1B}[Ka to tried: 1200 delivered\r\n"), "\(end)")
            #expect(try flush.wait() == .code(0))
        }
    }

    @Test("The progress names the retries, the next attempt and the problem")
    func retries() throws {
        try DestinationWorkspace.open { destinations in
            let bundles = destinations.bundles
            try destinations.add("def deliver(batch, n): refuse(id)")
            try save(3, bundles)
            let flush = try start(bundles)
            try flush.awaitLine("] 3 remain, 0/s, 1 retry, next attempt in ")
            flush.kill(SIGTERM)
            #expect(try flush.wait() == .code(128 + SIGTERM))
        }
    }

    @Test("Ctrl-C ends a flush with 130, and each record is either delivered or still pending")
    func interrupted() throws {
        try DestinationWorkspace.open { destinations in
            let bundles = destinations.bundles
            let folder = try destinations.add(
                """
                def deliver(batch, n):
                    if n == 1: os.close(os.open("begun", os.O_WRONLY))
                    next(lines)  # what the host sends when it stops
                    return accept(batch)
                """
            )
            try #require(mkfifo("\(folder)/begun", 0o600) == 0)
            try save(1_500, bundles)
            let process = try ChildProcess.command(["flush", "--to", "tried"] + bundles.arguments())
            // Opening a named pipe waits for the other side.
            close(open("\(folder)/begun", O_RDONLY))
            process.kill(SIGINT)
            #expect(try process.wait() == .code(130))
            #expect(process.standardError == "Interrupted: what was not delivered stays pending.\n")
            let delivered = try DestinationWorkspace.kept(folder).compactMap { $0["id"]?.integer }
            let pending = try CommandRun(["pending", "--json"], bundles).json.compactMap { $0["id"]?.integer }
            #expect((delivered + pending).sorted() == Array(1...1_500))
            #expect(try CommandRun(["dead-letters", "--json"], bundles).output == "")
        }
    }
}
