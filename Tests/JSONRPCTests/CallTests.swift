import JSON
import JSONRPC
import Testing

/// Calls that another call answers, and calls that are not answered.
@Suite struct CallTests {
    /// A probe that received calls, one per line or in a batch.
    private func probe(_ text: String) -> SessionProbe {
        let probe = SessionProbe()
        probe.feed(text)
        return probe
    }

    private static let batch =
        #"[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"},{"jsonrpc":"2.0","method":"c"}]"#

    /// Wraps a result, and turns an error into a result.
    private static func wrap(_ answer: Result<JSON, RPCError>) -> Result<JSON, RPCError> {
        switch answer {
        case .success(let value): .success(["wrapped": value])
        case .failure(let error): .success(["failed": .string(error.message)])
        }
    }

    private static let failure = Result<JSON, RPCError>.failure(.methodNotFound("x"))

    @Test("A result that is JSON text already is sent as it is, also for a substitute")
    func resultText() throws {
        let probe = probe(#"{"jsonrpc":"2.0","id":1,"method":"a"}"#)
        let call = try #require(probe.calls.first)
        call.answer(resultText: Array(#"{"a":[1]}"#.utf8))
        probe.feed(#"{"jsonrpc":"2.0","id":2,"method":"a"}"#)
        let other = try #require(probe.calls.last)
        other.handOver(to: "b", params: nil, translation: Self.wrap).answer(resultText: Array("2".utf8))
        #expect(try probe.lines().map { $0["result"] } == [["a": [1]], ["wrapped": 2]])
    }

    @Test("A result that is JSON text takes its place in a batch, and a notification gets none")
    func resultTextOfMember() throws {
        let probe = probe(Self.batch)
        for (number, call) in probe.calls.enumerated() { call.answer(resultText: Array("[\(number)]".utf8)) }
        #expect(try probe.lines().map { $0.array?.map { $0["result"] } } == [[[0], [1]]])
        probe.feed(#"{"jsonrpc":"2.0","method":"a"}"#)
        try #require(probe.calls.last).answer(resultText: Array("1".utf8))
        #expect(try probe.lines() == [])
    }

    @Test("Of several results that are JSON text only the first counts, and the id is free again")
    func resultTextOnce() throws {
        let probe = probe(#"{"jsonrpc":"2.0","id":1,"method":"a"}"#)
        let call = try #require(probe.calls.first)
        probe.session.track(call)
        call.answer(resultText: Array("1".utf8))
        call.answer(resultText: Array("2".utf8))
        call.answer(.success(3))
        #expect(call.isAnswered && probe.session.trackedCount == 0)
        #expect(try probe.lines().map { $0["result"] } == [1])
    }

    @Test("Plain calls are answered by lines that are sent together, and only once")
    func intoLines() throws {
        let probe = probe(#"{"jsonrpc":"2.0","id":1,"method":"a"}"#)
        probe.feed(#"{"jsonrpc":"2.0","id":"b","method":"a"}"#)
        var lines: [UInt8] = []
        probe.calls[0].answer(Self.failure, into: &lines)
        probe.calls[1].answer(resultWith: "id", -7, into: &lines)
        for call in probe.calls {
            #expect(call.isAnswered && !call.isPlain)
            call.answer(.success("too late"))
        }
        #expect(try probe.lines() == [])
        lines.withUnsafeBytes { probe.session.write(lines: $0) }
        let replies = try probe.lines()
        try #require(replies.count == 2)
        #expect(replies[0]["id"] == 1)
        #expect(replies[0]["error"]?["code"] == -32601)
        #expect(replies[1] == ["jsonrpc": "2.0", "id": "b", "result": ["id": -7]])
    }

    // MARK: Substituted calls

    @Test("A substituted call is answered under its own id, with the mapped answer of its substitute")
    func handedOver() throws {
        let probe = probe(#"{"jsonrpc":"2.0","id":"outer","method":"a","params":[1]}"#)
        let outer = try #require(probe.calls.first)
        let inner = outer.handOver(to: "b", params: ["n": 2], translation: Self.wrap)
        #expect(inner.method == "b" && inner.params == ["n": 2] && inner.id == "outer")
        outer.answer(.success("ignored"))
        probe.session.track(inner)
        #expect(probe.session.call(withID: "outer") === inner)
        inner.answer(.success(1))
        inner.answer(.success(2))
        #expect(try probe.lines() == [["jsonrpc": "2.0", "id": "outer", "result": ["wrapped": 1]]])
        #expect(probe.session.trackedCount == 0)
    }

    @Test("A response that is encoded first and sent later is mapped too, also a failure")
    func writtenFirst() throws {
        let probe = probe(#"{"jsonrpc":"2.0","id":1,"method":"a"}"#)
        let inner = try #require(probe.calls.first).handOver(to: "b", params: nil, translation: Self.wrap)
        var bytes: [UInt8] = []
        #expect(inner.writeResponse(Self.failure, to: &bytes))
        bytes.withUnsafeBytes { inner.answer(written: $0) }
        #expect(try probe.lines().first?["result"] == ["failed": "Method not found: x"])
    }

    @Test("A failed notification is reported as a failure, even if its answer would be mapped to a result")
    func notification() throws {
        let probe = probe(#"{"jsonrpc":"2.0","method":"a"}"#)
        let inner = try #require(probe.calls.first).handOver(to: "b", params: nil, translation: Self.wrap)
        inner.answer(Self.failure)
        #expect(try probe.lines() == [])
        guard case .failedNotification(let call, let error)? = probe.reports.first else {
            Issue.record("\(probe.reports)")
            return
        }
        #expect(call === inner && error.code == .methodNotFound)
    }

    @Test("In a batch, a substitute's answer is at the position of the substituted call")
    func inBatch() throws {
        let probe = probe(Self.batch)
        let inner = probe.calls[0].handOver(to: "b", params: nil, translation: Self.wrap)
        probe.calls[1].answer(.success(2))
        probe.calls[2].answer(.success(3))
        #expect(try probe.lines() == [])
        inner.answer(.success(1))
        let replies = try #require(try probe.lines().first?.array)
        #expect(replies.map { $0["result"] } == [["wrapped": 1], 2])
    }

    @Test("A call is plain only if nothing depends on it but its response")
    func plain() throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"a"}"#
        let call = { try #require(probe(line).calls.first) }
        let untouched = try call()
        #expect(untouched.isPlain && !untouched.isBatchMember)
        let tracked = try call()
        tracked.session.track(tracked)
        #expect(!tracked.isPlain)
        let watched = try call()
        watched.onAnswer {}
        #expect(!watched.isPlain)
        let answered = try call()
        answered.answer(.success(1))
        #expect(!answered.isPlain)
        let substitute = try call().handOver(to: "b", params: nil, translation: Self.wrap)
        #expect(!substitute.isPlain)
        for call in probe(Self.batch).calls + probe(#"{"jsonrpc":"2.0","method":"n"}"#).calls {
            #expect(!call.isPlain)
            #expect(call.isBatchMember == (call.method != "n"))
        }
    }

    @Test("A notification has no response that could be written first")
    func noResponse() throws {
        let call = try #require(probe(#"{"jsonrpc":"2.0","method":"a"}"#).calls.first)
        var bytes: [UInt8] = []
        let isWritten = call.writeResponse(.success(1), to: &bytes)
        #expect(!isWritten && bytes.isEmpty)
    }

    // MARK: Abandoned

    @Test("A call that is abandoned is not answered, and its id is free")
    func abandoned() throws {
        let probe = probe(#"{"jsonrpc":"2.0","id":1,"method":"a"}"#)
        let call = try #require(probe.calls.first)
        probe.session.track(call)
        var bytes: [UInt8] = []
        #expect(call.writeResponse(.success(1), to: &bytes))
        call.abandon()
        #expect(call.isAnswered && probe.session.trackedCount == 0)
        bytes.withUnsafeBytes { call.answer(written: $0) }
        call.answer(.success(2))
        call.abandon()
        #expect(try probe.lines() == [])
        probe.feed(#"{"jsonrpc":"2.0","id":1,"method":"b"}"#)
        #expect(probe.calls.map(\.method) == ["a", "b"])
    }

    @Test("A batch is answered without its abandoned calls, and not at all if all were abandoned")
    func abandonedMembers() throws {
        let some = probe(Self.batch)
        some.calls[2].answer(.success(3))
        some.calls[1].answer(.success(2))
        some.calls[0].abandon()
        some.calls[0].abandon()
        #expect(try some.lines() == [[["jsonrpc": "2.0", "id": 2, "result": 2]]])
        let none = probe(Self.batch)
        for call in none.calls { call.abandon() }
        #expect(try none.lines() == [])
    }
}
