import Foundation
import JSON
import TestSupport
import Testing

/// The kinds of files that stdin, stdout and stderr may be.
@Suite(.waits, .wire) struct StandardStreamKindsTests {
    private static let save = #"{"jsonrpc":"2.0","id":1,"method":"saveCustomEvent","params":{"name":"Kept"}}"#

    /// Starts the host through a shell that redirects its descriptors.
    private func shell(_ folder: String, _ redirections: String, _ options: [String] = []) throws -> ChildProcess {
        let host = quoted(try hostCommand(["--data", folder, "--plugins", folder] + options))
        return try ChildProcess("sh", ["-c", "exec \(host) \(redirections)"])
    }

    private func total(_ folder: String) throws -> JSON? {
        try HostProcess(["--data", folder]).result("pending")["total"]
    }

    @Test(
        "A host without stdin exits as at the end of input",
        arguments: ["<&-", "<&- >&-", "<&- 2>&-", "<&- >&- 2>&-"]
    )
    func noInput(redirections: String) throws {
        try withTemporaryDirectory { folder in
            let host = try shell(folder, redirections)
            #expect(try host.wait() == .code(0))
            #expect(try host.readToEnd() == "")
        }
    }

    @Test("A host without stdout still executes requests", arguments: [">&-", ">&- 2>&-"])
    func noOutput(redirections: String) throws {
        try withTemporaryDirectory { folder in
            let host = try shell(folder, redirections)
            try host.write(line: Self.save)
            host.closeInput()
            #expect(try host.wait() == .code(0))
            #expect(try total(folder) == 1)
        }
    }

    @Test("Without stderr the log is discarded and in particular never written into a suite")
    func noErrors() throws {
        try withTemporaryDirectory { folder in
            let host = try shell(folder, "2>&-", ["--log-level", "trace"])
            for _ in 0..<50 {
                try host.write(line: Self.save)
                try host.write(line: "stray")
            }
            host.closeInput()
            let lines = try host.readToEnd().split(separator: "\n")
            #expect(lines.count == 100)
            #expect(lines.filter { $0.contains("\"result\":{\"id\":") }.count == 50)
            #expect(try host.wait() == .code(0))
            #expect(try total(folder) == 50)
        }
    }

    @Test("An extension has all three standard descriptors even if the host has none")
    func extensionDescriptors() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let command = quoted(try hostCommand(workspace.arguments()))
            let host = try ChildProcess("sh", ["-c", "exec \(command) 2>&-"])
            let call: JSON = [
                "jsonrpc": "2.0", "id": 1, "method": "didReceive", "params": HostProcess.payload("good"),
            ]
            try host.write(line: call.description)
            #expect(try JSON(parsing: try #require(try host.readLine()))["result"]?["view"]?["text"] == "Hello")
        }
    }

    /// Runs a Python script that starts the host and prints its result as JSON.
    private func python(_ script: String, _ options: [String] = []) throws -> JSON {
        try withTemporaryDirectory { folder in
            let prelude = """
                import json, os, pty, signal, socket, subprocess, sys
                program, folder, *options = sys.argv[1:]
                command = [program, "--data", folder, "--plugins", folder] + options
                def request(id, method="ping", **params):
                    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\\n"
                def lines(read, count):
                    data = b""
                    while data.count(b"\\n") < count:
                        part = read(65536)
                        if not part: break
                        data += part
                    return [json.loads(line)["id"] for line in data.splitlines()]

                """
            let arguments = ["-c", prelude + script, try hostExecutable(), folder] + options
            let child = try ChildProcess(try Tool.python.path(), arguments)
            let text = try child.readToEnd()
            guard try child.wait() == .code(0) else { throw TestFailure("the script failed: \(child.standardError)") }
            return try JSON(parsing: text)
        }
    }

    @Test("A terminal can be stdin and stdout, and its end-of-file key ends the host")
    func terminal() throws {
        let result = try python(
            """
            import termios
            ours, theirs = pty.openpty()
            modes = termios.tcgetattr(theirs)
            modes[3] &= ~termios.ECHO
            modes[1] &= ~termios.OPOST
            termios.tcsetattr(theirs, termios.TCSANOW, modes)
            host = subprocess.Popen(command, stdin=theirs, stdout=theirs, start_new_session=True)
            found = []
            for id in range(20):
                os.write(ours, request(id))
                found += lines(lambda size: os.read(ours, size), 1)
            os.write(ours, b"\\x04")
            code = host.wait(30)
            os.set_blocking(theirs, True)
            print(json.dumps({"ids": found, "code": code}))
            """
        )
        #expect(result["ids"] == JSON((0..<20).map { JSON($0) }))
        #expect(result["code"] == 0)
    }

    @Test("Sockets can be stdin and stdout, and stay blocking", arguments: [1, 2])
    func sockets(pairs: Int) throws {
        let result = try python(
            """
            pairs = [socket.socketpair() for _ in range(int(options.pop()))]
            ours, theirs = pairs[0]
            out, theirout = pairs[-1]
            host = subprocess.Popen(command[:5], stdin=theirs, stdout=theirout)
            import threading
            def fill():
                for id in range(20000): ours.sendall(request(id))
                ours.shutdown(socket.SHUT_WR)
            filler = threading.Thread(target=fill)
            filler.start()
            found = lines(out.recv, 20000)
            filler.join()
            code = host.wait(30)
            flags = [os.get_blocking(end.fileno()) for end in (theirs, theirout)]
            print(json.dumps({"ok": found == list(range(20000)), "code": code, "blocking": flags}))
            """,
            ["\(pairs)"]
        )
        #expect(result == ["ok": true, "code": 0, "blocking": [true, true]])
    }

    @Test("A pipe that is shared with other processes stays blocking")
    func sharedPipe() throws {
        let result = try python(
            """
            reader, writer = os.pipe()
            host = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writer)
            host.stdin.write(request(1))
            host.stdin.flush()
            found = lines(lambda size: os.read(reader, size), 1)
            flags = [os.get_blocking(end) for end in (reader, writer, host.stdin.fileno())]
            host.stdin.close()
            print(json.dumps({"ids": found, "blocking": flags, "code": host.wait(30)}))
            """
        )
        #expect(result == ["ids": [1], "blocking": [true, true, true], "code": 0])
    }

    @Test(
        "Anything printed within the host goes to the log and not into the protocol",
        // The host's descriptors cannot be opened by other processes of its user.
        .enabled(if: access("/proc/self/fd", R_OK) == 0 && getuid() == 0)
    )
    func strayPrint() throws {
        let result = try python(
            """
            host = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            host.stdin.write(request(1))
            host.stdin.flush()
            first = json.loads(host.stdout.readline())["id"]
            # The same descriptor to which a print within the host would write.
            with open(f"/proc/{host.pid}/fd/1", "wb") as stdout: stdout.write(b"a stray print\\n")
            logged = host.stderr.readline().decode()
            rest, _ = host.communicate(request(2))
            ids = [json.loads(line)["id"] for line in rest.splitlines()]
            print(json.dumps({"ids": [first] + ids, "logged": "a stray print" in logged}))
            """
        )
        #expect(result == ["ids": [1, 2], "logged": true])
    }

    @Test("An unread stderr does not block the host, and dropped log lines are counted")
    func undrainedErrors() throws {
        let result = try python(
            """
            host = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            import threading
            def fill():
                for id in range(10000): host.stdin.write(b"x" * 100 + b"\\n" + request(id))
                host.stdin.write(request(-1, "status"))
                host.stdin.close()
            filler = threading.Thread(target=fill)
            filler.start()
            replies = [json.loads(line) for line in host.stdout]
            filler.join()
            answered = [reply["id"] for reply in replies if "result" in reply]
            errors = sum("error" in reply for reply in replies)
            dropped = replies[-1]["result"]["logLinesDropped"]
            code = host.wait(30)
            print(json.dumps({
                "ok": answered == list(range(10000)) + [-1], "errors": errors, "dropped": dropped > 0, "code": code,
            }))
            """,
            ["--log-level", "trace"]
        )
        #expect(result == ["ok": true, "errors": 10_000, "dropped": true, "code": 0])
    }

    @Test("A reader that closes the pipe ends the host with 0, and executed requests are stored")
    func readerGone() throws {
        let result = try python(
            """
            host = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            host.stdin.write(request(1, "saveCustomEvent", name="Kept"))
            host.stdin.flush()
            host.stdout.readline()
            host.stdout.close()
            try:
                while True:
                    host.stdin.write(request(2))
                    host.stdin.flush()
            except BrokenPipeError: pass
            code = host.wait(30)
            check = subprocess.run(command, input=request(3, "pending"), stdout=subprocess.PIPE)
            print(json.dumps({"code": code, "total": json.loads(check.stdout)["result"]["total"]}))
            """
        )
        #expect(result == ["code": 0, "total": 1])
    }

    /// Writes 5,000 saves, waits until the host has read them, and sends it a signal; no reply has been read by then.
    private static let unread = """
        import fcntl, struct, termios, time
        number = int(options.pop())
        host = subprocess.Popen(command[:5] + options, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for id in range(5000): host.stdin.write(request(id, "saveCustomEvent", name="e"))
        host.stdin.flush()
        while struct.unpack("i", fcntl.ioctl(host.stdin, termios.FIONREAD, bytes(4)))[0] > 0: time.sleep(0.01)
        host.send_signal(number)

        """

    @Test("After a signal a client that reads late receives every reply", arguments: [SIGTERM, SIGINT, SIGHUP])
    func lateReader(number: Int32) throws {
        let result = try python(
            Self.unread + """
                data = host.stdout.read()
                answered = [json.loads(line) for line in data.splitlines()]
                code = host.wait(30)
                check = subprocess.run(command[:5], input=request(3, "pending", limit=1), stdout=subprocess.PIPE)
                stored = json.loads(check.stdout)["result"]["total"]
                print(json.dumps({
                    "whole": data.endswith(b"\\n"), "answered": sum("result" in reply for reply in answered) == stored,
                    "many": stored > 2000, "code": code,
                }))
                """,
            ["\(number)"]
        )
        #expect(result == ["whole": true, "answered": true, "many": true, "code": JSON(Int(128 + number))])
    }

    @Test("A client that never reads delays a signalled host only for its grace period, and finds whole lines")
    func neverReads() throws {
        let result = try python(
            Self.unread + """
                code = host.wait(30)
                data = host.stdout.read()
                ids = [json.loads(line)["id"] for line in data.splitlines()]
                print(json.dumps({
                    "whole": data.endswith(b"\\n"), "first": ids == list(range(len(ids))), "some": 500 < len(ids) < 5000,
                    "code": code,
                }))
                """,
            ["--stop-grace", "50", "\(SIGTERM)"]
        )
        #expect(result == ["whole": true, "first": true, "some": true, "code": 143])
    }
}
