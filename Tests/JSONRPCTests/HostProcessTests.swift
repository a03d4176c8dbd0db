import JSON
import JSONRPC
import TestSupport
import Testing

/// The client that the host's tests use, with a minimal server.
@Suite(.waits) struct HostProcessTests {
    private func start() throws -> HostProcess { try HostProcess(program: "spec-methods") }

    @Test("Calls return results and errors")
    func calls() throws {
        let host = try start()
        #expect(try host.result("subtract", [42, 23]) == 19)
        #expect(try host.call("get_data")["result"] == ["hello", 5])
        #expect(try host.error("always_throws").reason == "always")
        #expect(throws: TestFailure.self) { try host.result("foobar") }
        #expect(throws: TestFailure.self) { try host.error("returns_null") }
        #expect(try host.finish() == .code(0))
    }

    @Test("Replies that arrive while another one is awaited are kept in order")
    func pipelined() throws {
        let host = try start()
        let first = try host.request("sum", [1])
        let second = try host.request("sum", [2])
        #expect(try host.result("sum", [3]) == 3)
        #expect(try host.reply() == ["jsonrpc": "2.0", "id": first, "result": 1])
        #expect(try host.reply()["id"] == second)
        try host.send(line: "oops")
        #expect(try host.reply()["error"]?["code"] == -32700)
        try host.send([["jsonrpc": "2.0", "id": "b", "method": "returns_null"]])
        #expect(try host.reply()[0]?["id"] == "b")
        try host.request("sum", [4])
        #expect(try host.finish() == .code(0))
        #expect(try host.reply()["result"] == 4)
        #expect(throws: TestFailure.self) { try host.reply() }
        #expect(throws: TestFailure.self) { try host.notification("never") }
    }
}
