import JSON
import JSONRPC
import Testing

@Suite struct SessionRequestTests {
    @Test("Responses are matched with the session's requests by id, in any order")
    func matching() throws {
        let probe = SessionProbe()
        var answers: [String] = []
        func store(_ name: String) -> (Result<JSON, ResponseError>) -> Void {
            { result in
                switch result {
                case .success(let value): answers.append("\(name) \(value)")
                case .failure(.error(let error)): answers.append("\(name) failed \(error.code.rawValue)")
                case .failure(.malformed(let text)): answers.append("\(name): \(text)")
                }
            }
        }
        let first = probe.session.request("a", params: [1], completion: store("a"))
        let second = probe.session.request("b", params: nil, completion: store("b"))
        #expect(first != second)
        let sent = try probe.lines()
        #expect(
            sent == [
                ["jsonrpc": "2.0", "id": .integer(first), "method": "a", "params": [1]],
                ["jsonrpc": "2.0", "id": .integer(second), "method": "b"],
            ]
        )
        probe.feed(
            #"{"jsonrpc":"2.0","id":\#(second),"error":{"code":7,"message":"no"}}"#,
            #"{"jsonrpc":"2.0","id":\#(first),"result":null}"#
        )
        #expect(answers == ["b failed 7", "a null"])
        #expect(probe.reports.isEmpty)
    }

    @Test("A response without a request is reported and dropped")
    func stray() throws {
        let probe = SessionProbe()
        var count = 0
        let id = probe.session.request("a", params: nil) { _ in count += 1 }
        let forgotten = probe.session.request("b", params: nil) { _ in count += 1 }
        probe.session.forget(forgotten)
        _ = try probe.lines()
        probe.feed(
            #"{"jsonrpc":"2.0","id":\#(forgotten),"result":1}"#,
            #"{"jsonrpc":"2.0","id":"\#(id)","result":1}"#,
            #"{"jsonrpc":"2.0","id":\#(id).0,"result":1}"#,
            #"{"jsonrpc":"2.0","result":1}"#
        )
        #expect(count == 0)
        #expect(probe.reports.count == 4)
        probe.feed(#"{"jsonrpc":"2.0","id":\#(id),"result":1}"#, #"{"jsonrpc":"2.0","id":\#(id),"result":1}"#)
        #expect(count == 1)
        let strays = probe.reports.compactMap { if case .strayResponse(let id) = $0 { id } else { nil } }
        #expect(strays == [.integer(forgotten), .string("\(id)"), .real(Double(id)), .null, .integer(id)])
        #expect(try probe.lines().isEmpty)
    }

    @Test("A notification that the session sends has no id")
    func notify() throws {
        let probe = SessionProbe()
        probe.session.notify("changed", params: ["a": .null])
        #expect(try probe.lines() == [["jsonrpc": "2.0", "method": "changed", "params": ["a": .null]]])
    }

    @Test("A second request with an id in flight is refused, and the id can be used again after the answer")
    func duplicateID() throws {
        let probe = SessionProbe()
        let line = #"{"jsonrpc":"2.0","method":"m","id":"x"}"#
        probe.feed(line)
        let first = probe.calls[0]
        probe.session.track(first)
        #expect(probe.session.trackedCount == 1)
        #expect(probe.session.call(withID: "x") === first)
        probe.feed(line)
        let refusal = try #require(try probe.lines().first)
        #expect(refusal["id"]?.isNull == true)
        #expect(refusal["error"]?["code"] == -32600)
        #expect(refusal["error"]?["data"]?["reason"] == "duplicateId")
        #expect(refusal["error"]?["data"]?["id"] == "x")
        let lines = probe.reports.map { report -> String? in
            if case .invalidMessage(_, let line) = report { line } else { "" }
        }
        #expect(lines == [String?.none], "a message of JSON-RPC is no stray line")
        #expect(probe.calls.count == 1)
        first.answer(.success(1))
        #expect(probe.session.trackedCount == 0)
        #expect(probe.session.call(withID: "x") == nil)
        probe.feed(line)
        #expect(probe.calls.count == 2)
    }

    @Test("Ids of different types are different ids", arguments: [("1", #""1""#), ("1", "1.0"), ("null", #""null""#)])
    func distinctIDs(first: String, second: String) throws {
        let probe = SessionProbe()
        probe.feed(#"{"jsonrpc":"2.0","method":"m","id":\#(first)}"#)
        probe.session.track(probe.calls[0])
        probe.feed(#"{"jsonrpc":"2.0","method":"m","id":\#(second)}"#)
        #expect(probe.calls.count == 2)
        #expect(probe.session.call(withID: try JSON(parsing: second)) == nil)
    }

    @Test("A batch whose member repeats an id in flight is answered with the refusal in its place")
    func duplicateInBatch() throws {
        let probe = SessionProbe()
        probe.feed(#"{"jsonrpc":"2.0","method":"m","id":1}"#)
        probe.session.track(probe.calls[0])
        probe.feed(#"[{"jsonrpc":"2.0","method":"m","id":1},{"jsonrpc":"2.0","method":"m","id":2}]"#)
        probe.calls[1].answer(.success("two"))
        let reply = try #require(try probe.lines().first)
        #expect(reply[0]?["error"]?["data"]?["reason"] == "duplicateId")
        #expect(reply[1]?["result"] == "two")
    }

    @Test("A notification cannot be tracked, and tracking an answered call has no effect")
    func trackingNothing() {
        let probe = SessionProbe()
        probe.feed(#"{"jsonrpc":"2.0","method":"m"}"#, #"{"jsonrpc":"2.0","method":"m","id":1}"#)
        probe.session.track(probe.calls[0])
        #expect(probe.session.trackedCount == 0)
        probe.calls[1].answer(.success(.null))
        probe.session.track(probe.calls[1])
        #expect(probe.session.trackedCount == 0)
    }
}
