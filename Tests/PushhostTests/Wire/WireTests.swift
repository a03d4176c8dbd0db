import JSON
import TestSupport
import Testing

@Suite(.waits, .wire) struct WireTests {
    private func withHost(_ options: [String] = [], _ body: (HostProcess) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            try body(try HostProcess(["--data", folder, "--plugins", folder] + options))
        }
    }

    private let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#

    @Test("A mixed batch runs in order and is answered by one array in request order")
    func mixedBatch() throws {
        try withHost { host in
            try host.send([
                ["jsonrpc": "2.0", "id": 1, "method": "saveCustomEvent", "params": ["name": "First"]],
                ["jsonrpc": "2.0", "id": "two", "method": "pending", "params": [:]],
                ["jsonrpc": "2.0", "method": "saveCustomEvent", "params": ["name": "Second"]],
                1,
                ["jsonrpc": "2.0", "id": 2.5, "method": "pong"],
                ["jsonrpc": "2.0", "method": "pong"],
                [],
                ["jsonrpc": "2.0", "id": 3, "method": "pending"],
                ["jsonrpc": "2.0", "id": 4, "result": "an answer to nothing"],
            ])
            let answers = try host.reply()
            #expect(answers.array?.map { $0["id"] } == [1, "two", .null, 2.5, .null, 3])
            #expect(answers[0]?["result"]?["id"] == 1)
            #expect(answers[1]?["result"]?["total"] == 1)
            #expect(answers[2]?["error"]?["code"] == -32600)
            #expect(answers[3]?["error"]?["code"] == -32601)
            #expect(answers[4]?["error"]?["code"] == -32600)
            #expect(answers[5]?["result"]?["total"] == 2)
        }
    }

    @Test("A batch of 10,000 members is answered, and a batch of notifications is not")
    func greatBatch() throws {
        try withHost { host in
            let members = (0..<10_000).map { ["jsonrpc": "2.0", "id": JSON($0), "method": "ping"] as JSON }
            try host.send([["jsonrpc": "2.0", "method": "ping"], ["jsonrpc": "2.0", "method": "pong"]])
            try host.send(JSON(members))
            #expect(try host.reply().array?.map { $0["id"] } == members.map { $0["id"] })
        }
    }

    @Test("Notifications are executed and not answered, even if they fail")
    func notifications() throws {
        try withHost { host in
            for method in ["ping", "pong", "pending", "dismiss", "rpc.discover", "$/unknown"] {
                try host.send(["jsonrpc": "2.0", "method": .string(method)])
            }
            try host.send(["jsonrpc": "2.0", "method": "saveCustomEvent", "params": ["name": "Quiet"]])
            #expect(try host.result("pending")["total"] == 1)
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self) { try host.reply() }
        }
    }

    @Test("shutdown as a notification ends the host without an answer")
    func silentShutdown() throws {
        try withHost { host in
            try host.send(["jsonrpc": "2.0", "method": "shutdown"])
            #expect(try host.process.wait() == .code(0))
            #expect(try host.process.readToEnd() == "")
        }
    }

    @Test(
        "An id is returned as the same JSON value",
        arguments: [
            "0", "-1", "9223372036854775807", "-9223372036854775808", "1.5", "\"\"", "\"1\"", "null", "\"\\u2028\"",
            "\"ä\\\"\\\\/\"", "0.1", "1e+100",
        ]
    )
    func ids(id: String) throws {
        try withHost { host in
            try host.send(line: #"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#)
            #expect(try host.reply()["id"] == (try JSON(parsing: id)))
        }
    }

    @Test("Params by position mean the same as by name")
    func positional() throws {
        try withHost { host in
            #expect(try host.result("saveCustomEvent", ["standard", "Seen", ["a": 1]])["id"] == 1)
            let record = try host.result("pending", ["standard", "customEvent", 0, 1])["records"]?[0]
            #expect(record?["name"] == "Seen")
            #expect(record?["properties"] == ["a": 1])
            #expect(try host.result("store", ["standard", "k", .null])["stored"] == true)
            #expect(try host.result("ping", [])["version"] != nil)
        }
    }

    @Test("Separators that some readers treat as line ends are escaped; everything else is returned unchanged")
    func separators() throws {
        try withHost { host in
            let text = "a\u{2028}b\u{2029}c\u{0}\u{7F}\u{1F600}\n\r\t\"\\é"
            try host.result("store", ["key": "k", "value": .string(text)])
            try host.send(line: #"{"jsonrpc":"2.0","id":7,"method":"retrieve","params":{"key":"k"}}"#)
            let line = try #require(try host.process.readLine())
            #expect(line.contains(#"a\u2028b\u2029c\u0000"#))
            #expect(!line.unicodeScalars.contains("\u{2028}"))
            #expect(try JSON(parsing: line)["result"]?["value"] == .string(text))
        }
    }

    @Test("Numbers keep their type, and reals are written in their shortest form")
    func numbers() throws {
        try withHost { host in
            let texts = [
                "1", "1.0", "true", "0.1", "-0.0", "9223372036854775807", "1e-7", "5e-324", "100000000000000000000.0",
            ]
            for text in texts {
                try host.send(
                    line: #"{"jsonrpc":"2.0","id":1,"method":"store","params":{"key":"k","value":\#(text)}}"#
                )
                #expect(try host.reply()["result"] != nil)
                let found = try host.result("retrieve", ["key": "k"])["value"]
                #expect(found == (try JSON(parsing: text)), "\(text)")
                #expect(found.map { $0.description.utf8.count <= max(text.utf8.count, 6) } == true, "\(text)")
            }
        }
    }

    @Test("A byte order mark at the start, CR before LF and blank lines are skipped")
    func lineEnds() throws {
        try withHost { host in
            try host.process.write(Array("\u{FEFF}\(ping)\r\n\n\r\n  \t\n\(ping)\n\r\n".utf8))
            for _ in 0..<2 { #expect(try host.reply()["result"] != nil) }
            try host.process.write(Array("\u{FEFF}\(ping)\n".utf8))
            #expect(try host.reply()["error"]?["code"] == -32700, "a mark later on is no mark")
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self) { try host.reply() }
        }
    }

    @Test("A last line without LF is answered, with LF")
    func lastLine() throws {
        try withHost { host in
            try host.process.write(Array(ping.utf8))
            host.process.closeInput()
            let text = try host.process.readToEnd()
            #expect(text.hasSuffix("}\n"))
            #expect(text.split(separator: "\n").count == 1)
            #expect(try host.process.wait() == .code(0))
        }
    }

    @Test("Empty input gives empty output")
    func nothing() throws {
        try withHost { host throws in
            host.process.closeInput()
            #expect(try host.process.readToEnd() == "")
            #expect(try host.process.wait() == .code(0))
            #expect(host.process.standardError == "")
        }
    }

    @Test("Requests that arrive byte by byte are answered")
    func byteByByte() throws {
        try withHost { host in
            let line = #"{"jsonrpc":"2.0","id":1,"method":"store","params":{"key":"k","value":"€ß😀"}}"# + "\n"
            for byte in line.utf8 { try host.process.write([byte]) }
            #expect(try host.reply()["result"]?["stored"] == true)
            #expect(try host.result("retrieve", ["key": "k"])["value"] == "€ß😀")
        }
    }

    @Test("A response to a request that the host never sent is ignored")
    func strayResponse() throws {
        try withHost { host in
            try host.send(["jsonrpc": "2.0", "id": 1, "result": 5])
            try host.send(["jsonrpc": "2.0", "id": 1, "error": ["code": 1, "message": "x"]])
            try host.send(["jsonrpc": "2.0", "id": .null, "error": 5])
            #expect(try host.result("ping")["version"] != nil)
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self) { try host.reply() }
        }
    }

    @Test("The same session gives the same bytes with a fixed clock and seed")
    func reproducible() throws {
        let lines = [
            #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":"Hi"}}}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"saveCustomEvent","params":{"name":"Seen"}}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"pending"}"#,
            #"{"jsonrpc":"2.0","id":4,"method":"flushPending","params":{"lease":60}}"#,
            #"[{"jsonrpc":"2.0","id":5,"method":"notifications"},{"jsonrpc":"2.0","id":6,"method":"ping"}]"#,
        ]
        var outputs: [String] = []
        for _ in 0..<2 {
            try withHost(["--clock", "2026-01-01T00:00:00Z", "--seed", "5"]) { host in
                try host.process.write(Array(lines.joined(separator: "\n").utf8))
                host.process.closeInput()
                outputs.append(try host.process.readToEnd())
            }
        }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[0].split(separator: "\n").count == 5)
        #expect(outputs[0].contains("2026-01-01T00:00:00.00"))
    }
}
