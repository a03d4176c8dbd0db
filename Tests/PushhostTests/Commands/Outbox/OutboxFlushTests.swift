import Foundation
import JSON
import TestSupport
import Testing

/// `pushhost flush`: results, exit codes, the progress bar and interruptions.
@Suite(.waits, .wire) struct OutboxFlushTests {
    /// Runs a command in a pseudo-terminal; each return of the carriage is printed as the end of a line.
    private static let terminal = """
        import os, pty, sys
        pid, terminal = pty.fork()
        if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
        while True:
            try: data = os.read(terminal, 65536)
            except OSError: break
            if not data: break
            os.write(1, data.replace(b"\\r", b"\\n"))
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """

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
            let run = try OutboxRun(arguments, bundles)
            #expect(run.status == .code(0))
            #expect(run.output == "a to file: 1200 delivered\nb to file: 3 delivered\n")
            #expect(run.standardError == "")
            #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 1_203)
            let again = try OutboxRun(arguments + ["--json", "--suite", "b"], bundles)
            #expect(again.status == .code(0))
            #expect(try again.json.map { $0["delivered"] } == [0])
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
            let run = try OutboxRun(arguments, bundles)
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
            let run = try OutboxRun(arguments, destinations.bundles)
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
            let command = try OutboxRun.command(["flush", "--to", "tried"], bundles)
            let process = try ChildProcess(try Tool.python.path(), ["-c", Self.terminal] + command)
            func expect(_ text: String) throws {
                while let line = try process.readLine() {
                    if line.contains(text) { return }
                }
                Issue.record("the terminal never showed \(text)")
            }
            try expect("a to tried [....................] 1200 remain, 0/s")
            try gate.releaseOne()
            try expect("a to tried [################....] 200 remain, ")
            try gate.releaseOne()
            try expect("\u{1B}[K")
            let end = try process.readToEnd()
            #expect(end.contains("a to tried: 1200 delivered"), "\(end)")
            #expect(try process.wait() == .code(0))
        }
    }

    @Test("The progress names the retries, the next attempt and the problem")
    func retries() throws {
        try DestinationWorkspace.open { destinations in
            let bundles = destinations.bundles
            try destinations.add("def deliver(batch, n): refuse(id)")
            try save(3, bundles)
            let command = try OutboxRun.command(["flush", "--to", "tried"], bundles)
            let process = try ChildProcess(try Tool.python.path(), ["-c", Self.terminal] + command)
            while let line = try process.readLine() {
                guard line.contains("1 retry, next attempt in ") else { continue }
                #expect(line.contains("3 remain"))
                return
            }
            Issue.record("the terminal never showed the next attempt")
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
            let process = try OutboxRun.start(["flush", "--to", "tried"], bundles)
            // Opening a named pipe waits for the other side.
            close(open("\(folder)/begun", O_RDONLY))
            process.kill(SIGINT)
            #expect(try process.wait() == .code(130))
            #expect(process.standardError == "Interrupted: what was not delivered stays pending.\n")
            let delivered = try DestinationWorkspace.kept(folder).compactMap { $0["id"]?.integer }
            let pending = try OutboxRun(["pending", "--json"], bundles).json.compactMap { $0["id"]?.integer }
            #expect((delivered + pending).sorted() == Array(1...1_500))
            #expect(try OutboxRun(["dead-letters", "--json"], bundles).output == "")
        }
    }
}
