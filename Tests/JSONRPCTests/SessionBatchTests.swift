import JSON
import JSONRPC
import Testing

@Suite struct SessionBatchTests {
    private func ids(_ reply: JSON?) -> [JSON?]? { reply?.array?.map { $0["id"] } }

    @Test("One array answers a batch, in the order of its requests, as soon as all answers are available")
    func deferred() throws {
        let probe = SessionProbe()
        probe.feed(
            #"[{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"n"},"#
                + #"{"jsonrpc":"2.0","method":"b","id":"2"},7,{"jsonrpc":"2.0","method":"c","id":3}]"#
        )
        #expect(probe.calls.map(\.method) == ["a", "n", "b", "c"])
        probe.calls[3].answer(.success("c"))
        probe.calls[1].answer(.success(.null))
        probe.calls[0].answer(.failure(.methodNotFound("a")))
        probe.calls[0].answer(.success("too late"))
        #expect(try probe.lines().isEmpty)
        probe.calls[2].answer(.success("b"))
        let replies = try probe.lines()
        #expect(replies.count == 1)
        #expect(ids(replies.first) == [1, "2", .null, 3])
        #expect(replies.first?[0]?["error"]?["code"] == -32601)
        #expect(replies.first?[3]?["result"] == "c")
    }

    @Test("Lines between a batch and its answer are answered at once")
    func overtaking() throws {
        let probe = SessionProbe()
        probe.feed(#"[{"jsonrpc":"2.0","method":"a","id":1}]"#, #"{"jsonrpc":"2.0","method":"b","id":2}"#)
        probe.calls[1].answer(.success(.null))
        probe.calls[0].answer(.success(.null))
        let replies = try probe.lines()
        #expect(replies.first?["id"] == 2)
        #expect(ids(replies.last) == [1])
    }

    @Test("A batch of notifications is not answered")
    func notifications() throws {
        let probe = SessionProbe()
        probe.feed(#"[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]"#)
        probe.calls[1].answer(.failure(.methodNotFound("b")))
        probe.calls[0].answer(.success(.null))
        #expect(try probe.lines().isEmpty)
        #expect(probe.reports.count == 1)
    }

    @Test("Responses in a batch complete their requests, and are not in the batch's answer")
    func responses() throws {
        let probe = SessionProbe()
        var result: JSON?
        let id = probe.session.request("ask", params: nil) { result = try? $0.get() }
        _ = try probe.lines()
        probe.feed(
            #"[{"jsonrpc":"2.0","id":\#(id),"result":"yes"},{"jsonrpc":"2.0","method":"a","id":1}]"#,
            #"[{"jsonrpc":"2.0","id":99,"result":"stray"}]"#
        )
        #expect(result == "yes")
        probe.calls[0].answer(.success(.null))
        let replies = try probe.lines()
        #expect(replies.count == 1)
        #expect(ids(replies.first) == [1])
        #expect(probe.reports.count == 1)
    }

    @Test("A batch of 10,000 requests is answered by one array")
    func longBatch() throws {
        let probe = SessionProbe()
        let members = (0..<10_000).map { #"{"jsonrpc":"2.0","method":"m","id":\#($0)}"# }
        probe.feed("[" + members.joined(separator: ",") + "]")
        for call in probe.calls.reversed() { call.answer(.success(call.id ?? .null)) }
        let reply = try #require(try probe.lines().first?.array)
        #expect(reply.count == 10_000)
        #expect(reply.enumerated().allSatisfy { $1["id"] == JSON($0) && $1["result"] == JSON($0) })
    }

    @Test("Commas and escaped quotes in a text do not count as members of a batch")
    func longText() throws {
        let probe = SessionProbe()
        let text = #"x\"}}"# + String(repeating: ",", count: 10_001)
        let first = #"{"jsonrpc":"2.0","method":"m","id":1,"params":["\#(text)"]}"#
        probe.feed(#"[\#(first),{"jsonrpc":"2.0","method":"m","id":2}]"#)
        #expect(probe.calls.map(\.id) == [1, 2])
    }

    @Test("Only the members of a batch are counted: a request may have more of its own")
    func longObject() throws {
        let probe = SessionProbe()
        let members = (0...10_000).map { #""m\#($0)":0"# }.joined(separator: ",")
        probe.feed(#"{"jsonrpc":"2.0","id":1,"method":"m",\#(members)}"#)
        #expect(probe.calls.map(\.id) == [1])
    }

    @Test("The answers of a batch are limited together, and a call beyond the limit says so")
    func largeAnswers() throws {
        let probe = SessionProbe()
        let members = (1...5).map { #"{"jsonrpc":"2.0","method":"m","id":\#($0)}"# }
        probe.feed("[" + members.joined(separator: ",") + "]")
        // Two answers have the limit together, of 64 MiB.
        let half = 32 << 20
        let around = #"{"jsonrpc":"2.0","id":1,"result":""}"#.utf8.count
        let text = JSON.string(String(repeating: "x", count: half - around))
        // The answers of calls that change a suite are written before they are sent, one behind the other.
        var bytes: [UInt8] = []
        for call in probe.calls[..<2] { #expect(call.writeResponse(.success(text), to: &bytes)) }
        #expect(bytes.count == 2 * half)
        bytes.withUnsafeBytes { bytes in
            probe.calls[0].answer(written: UnsafeRawBufferPointer(rebasing: bytes[..<half]))
            probe.calls[1].answer(written: UnsafeRawBufferPointer(rebasing: bytes[half...]))
        }
        for call in probe.calls[2...3] { call.answer(.success(1)) }
        probe.calls[4].answer(.failure(RPCError(.invalidParams, reason: "no", "it was not carried out")))
        // Only the end is read, because this build parses slowly.
        var end = ""
        probe.session.output.drain { bytes in
            end = String(decoding: bytes.suffix(600), as: UTF8.self)
            return bytes.count
        }
        #expect(end.contains(#","id":3,"result":1},{"jsonrpc":"2.0","id":4,"error":"#), "\(end)")
        #expect(end.contains("batchReplyTooLarge"), "\(end)")
        #expect(end.contains("it was not carried out"), "\(end)")
    }

    @Test("A batch with an invalid member is answered even by a session that does not answer invalid lines")
    func silentAboutInvalidMembers() throws {
        let probe = SessionProbe(answersInvalidLines: false)
        probe.feed(#"[1,{"jsonrpc":"2.0","method":"m","id":1}]"#)
        probe.calls[0].answer(.success("done"))
        let replies = try probe.lines()
        #expect(ids(replies.first) == [1])
        #expect(probe.reports.count == 1)
    }
}
