import JSON
import TestSupport
import Testing

/// The specification's examples, sent over real pipes to a server built on JSONRPC alone.
@Suite(.waits) struct ExamplesTests {
    private func start() throws -> ChildProcess { try ChildProcess(try builtProduct("spec-methods")) }

    /// Compares according to the specification: codes must be equal, messages and data are ignored,
    /// and members and a batch's answers may have any order.
    private func isAnswer(_ found: JSON, to expected: JSON) -> Bool {
        if let wanted = expected.array {
            guard var rest = found.array.map(Array.init), rest.count == wanted.count else { return false }
            for answer in wanted {
                guard let index = rest.firstIndex(where: { isAnswer($0, to: answer) }) else { return false }
                rest.remove(at: index)
            }
            return true
        }
        guard found["jsonrpc"] == "2.0", found["id"] != nil, found["id"] == expected["id"] else { return false }
        guard let error = expected["error"] else {
            return found["error"] == nil && found["result"] == expected["result"]
        }
        return found["result"] == nil && found["error"]?["code"] == error["code"]
            && found["error"]?["message"]?.string != nil
    }

    /// Ends the server's stdin and reads its answers.
    private func answers(of server: ChildProcess) throws -> [JSON] {
        server.closeInput()
        let text = try server.readToEnd()
        #expect(try server.wait() == .code(0))
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    private func check(_ found: [JSON], _ expected: [String?]) throws {
        let expected = try expected.compactMap { try $0.map { try JSON(parsing: $0) } }
        try #require(found.count == expected.count, "\(found)")
        for (found, expected) in zip(found, expected) {
            #expect(isAnswer(found, to: expected), "\(found) is no answer like \(expected)")
        }
    }

    @Test("There are fifteen examples")
    func count() {
        #expect(Example.all.count == 15)
        #expect(Set(Example.all.map(\.name)).count == 15)
    }

    @Test("Each single example is answered as the specification says", arguments: Example.all)
    func alone(example: Example) throws {
        let server = try start()
        try server.write(line: example.send)
        try check(try answers(of: server), [example.expect])
    }

    @Test("Each example is answered even if its last line has no newline", arguments: Example.all)
    func withoutEnd(example: Example) throws {
        let server = try start()
        try server.write(example.send.utf8)
        try check(try answers(of: server), [example.expect])
    }

    @Test("All examples in one stream are answered in order", arguments: ["\n", "\r\n", "\n\n \n"])
    func stream(end: String) throws {
        let server = try start()
        try server.write(Example.all.map { $0.send + end }.joined().utf8)
        try check(try answers(of: server), Example.all.map(\.expect))
    }

    @Test("All examples arriving byte by byte are answered in order")
    func byteByByte() throws {
        let server = try start()
        for byte in Example.all.map({ $0.send + "\n" }).joined().utf8 { try server.write([byte]) }
        try check(try answers(of: server), Example.all.map(\.expect))
    }

    @Test("In lock-step, each answer arrives while the stream is open")
    func lockStep() throws {
        let server = try start()
        for example in Example.all {
            try server.write(line: example.send)
            guard let expected = example.expect else { continue }
            let line = try #require(try server.readLine())
            try check([try JSON(parsing: line)], [expected])
        }
        #expect(try answers(of: server).isEmpty)
    }

    @Test("The comparison accepts right answers and rejects wrong ones")
    func comparison() throws {
        let error: JSON = ["jsonrpc": "2.0", "id": .null, "error": ["code": -32600, "message": "Invalid Request"]]
        let one: JSON = ["jsonrpc": "2.0", "id": 1, "result": 19]
        #expect(
            isAnswer(["error": ["message": "x", "code": -32600, "data": 1], "id": .null, "jsonrpc": "2.0"], to: error)
        )
        #expect(isAnswer([one, error], to: [error, one]))
        let wrong: [(JSON, JSON)] = [
            (["jsonrpc": "2.0", "id": "1", "result": 19], one), (["jsonrpc": "2.0", "id": 1, "result": 19.0], one),
            (["id": 1, "result": 19], one), (["jsonrpc": "2.0", "result": 19], one), ([one], one), (one, [one]),
            (["jsonrpc": "2.0", "id": 1, "result": 19, "error": ["code": 1]], one), ([one, one], [one]),
            (["jsonrpc": "2.0", "error": ["code": -32600, "message": "m"]], error), ([one, one], [error, one]),
            (["jsonrpc": "2.0", "id": .null, "error": ["code": -32601, "message": "m"]], error),
            (["jsonrpc": "2.0", "id": .null, "error": ["code": -32600]], error),
        ]
        for (found, expected) in wrong { #expect(!isAnswer(found, to: expected), "\(found) for \(expected)") }
    }
}
