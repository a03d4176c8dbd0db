import JSON
import JSONRPC
import Testing

/// Reads a line as a message.
func message(_ line: [UInt8]) -> Message { line.withUnsafeBytes { Message(line: $0) } }

@Suite struct MessageTests {
    private static let deep = String(repeating: "[", count: 3_000)

    @Test(
        "Each malformed line gets its code, reason and id",
        arguments: [
            (#"{"jsonrpc":"2.0","method":"m","params":null,"id":1}"#, -32600, "invalidParamsType", "1"),
            (#"{"jsonrpc":"2.0","method":"m","params":5,"id":"a"}"#, -32600, "invalidParamsType", #""a""#),
            (#"{"jsonrpc":"2.0","method":"m","params":"x"}"#, -32600, "invalidParamsType", "null"),
            (#"{"jsonrpc":"2.0","method":"m","params":true,"id":null}"#, -32600, "invalidParamsType", "null"),
            (#"{"jsonrpc":"1.0","method":"m","id":1}"#, -32600, "version", "null"),
            (#"{"jsonrpc":2.0,"method":"m","id":1}"#, -32600, "version", "null"),
            (#"{"jsonrpc":2,"method":"m","id":1}"#, -32600, "version", "null"),
            (#"{"jsonrpc":null,"method":"m","id":1}"#, -32600, "version", "null"),
            (#"{"method":"m","id":1}"#, -32600, "version", "null"),
            ("{}", -32600, "version", "null"),
            (#"{"jsonrpc":"2.0","method":"m","id":{}}"#, -32600, "invalidId", "null"),
            (#"{"jsonrpc":"2.0","method":"m","id":[1]}"#, -32600, "invalidId", "null"),
            (#"{"jsonrpc":"2.0","method":"m","id":true}"#, -32600, "invalidId", "null"),
            (#"{"jsonrpc":"2.0","method":"m","id":false}"#, -32600, "invalidId", "null"),
            (#"{"jsonrpc":"2.0","method":1,"id":7}"#, -32600, "invalidRequest", "7"),
            (#"{"jsonrpc":"2.0","method":null,"id":7}"#, -32600, "invalidRequest", "7"),
            (#"{"jsonrpc":"2.0","method":["m"]}"#, -32600, "invalidRequest", "null"),
            (#"{"jsonrpc":"2.0","id":7}"#, -32600, "invalidRequest", "7"),
            (#"{"jsonrpc":"2.0"}"#, -32600, "invalidRequest", "null"),
            ("1", -32600, "invalidRequest", "null"),
            (#""ping""#, -32600, "invalidRequest", "null"),
            ("null", -32600, "invalidRequest", "null"),
            ("true", -32600, "invalidRequest", "null"),
            ("[]", -32600, "emptyBatch", "null"),
            ("Content-Length: 52\r", -32700, "headerFraming", "null"),
            ("content-length:52", -32700, "headerFraming", "null"),
            ("ping", -32700, "parseError", "null"),
            ("{", -32700, "parseError", "null"),
            (#"{"jsonrpc":"2.0","method":"m","id":1"#, -32700, "parseError", "null"),
            (#"{"jsonrpc":"2.0","method":"m"}{"jsonrpc":"2.0","method":"m"}"#, -32700, "parseError", "null"),
            (deep, -32700, "parseError", "null"),
            (#"{"jsonrpc":"2.0","method":"m","id":9223372036854775808}"#, -32700, "parseError", "null"),
            (#"{"jsonrpc":"2.0","method":"m","params":[1e999],"id":1}"#, -32700, "parseError", "null"),
            (#"{"jsonrpc":"2.0","method":"m","params":{"a":1,"a":2},"id":1}"#, -32700, "parseError", "null"),
            (#"{"jsonrpc":"2.0","method":"m","params":{"\u0000":1},"id":1}"#, -32700, "parseError", "null"),
        ]
    )
    func malformed(line: String, code: Int, reason: String, id: String) throws {
        guard case .invalid(let error, let found, _) = message(Array(line.utf8)) else {
            Issue.record("taken for a message")
            return
        }
        #expect(error.code.rawValue == code)
        #expect(error.reason == reason)
        #expect(found == (try JSON(parsing: id)))
        #expect(!error.message.isEmpty)
        let path: JSON? = reason == "invalidParamsType" ? "/params" : nil
        #expect(error.data?["path"] == path)
    }

    @Test("Bytes that are not UTF-8 are a parse error with their position")
    func invalidUTF8() {
        guard case .invalid(let error, .null, _) = message([0x22, 0x61, 0xFF, 0x22]) else {
            Issue.record("taken for a message")
            return
        }
        #expect(error.code == .parseError)
        #expect(error.data?["line"] == 1)
        #expect(error.data?["position"]?.integer != nil)
        #expect(error.message.contains("messages are UTF-8"))
    }

    @Test("The error of two objects on a line says so")
    func twoObjects() {
        guard case .invalid(let error, .null, _) = message(Array("{} {}".utf8)) else {
            Issue.record("taken for a message")
            return
        }
        #expect(error.message.contains("a line holds one message"))
    }

    @Test(
        "A common mistake in a line is named, as in a file",
        arguments: [
            (#"{"jsonrpc":"2.0","id":1,}"#, "no value follows the last comma", 24), ("{'id':1}", "double quotes", 2),
            ("{} // x", "a line holds one message", 4), ("ping", "a message is a JSON object", 4),
        ]
    )
    func mistakes(line: String, text: String, column: Int64) {
        guard case .invalid(let error, .null, _) = message(Array(line.utf8)) else {
            Issue.record("taken for a message")
            return
        }
        #expect(error.message.contains(text), "\(error)")
        #expect(error.data?["column"] == .integer(column), "\(error)")
    }

    @Test(
        "The advice to write a message as an object is for a line that is none",
        arguments: [("ping", true), (" \tping", true), (deep, false), (" \t" + deep, false)]
    )
    func adviceForText(line: String, isAdvised: Bool) {
        guard case .invalid(let error, .null, _) = message(Array(line.utf8)) else {
            Issue.record("taken for a message")
            return
        }
        #expect(error.message.contains("a message is a JSON object") == isAdvised, "\(error.message)")
    }

    @Test("The error of a line that ends within a message says that a message is one line")
    func incomplete() {
        guard case .invalid(let error, .null, _) = message(Array("{".utf8)) else {
            Issue.record("taken for a message")
            return
        }
        #expect(error.message.contains("write the message without line breaks"), "\(error.message)")
    }

    @Test(
        "An object that is like no message of any version is answered with an example of a request",
        arguments: [
            ("{}", true), (#"{"id":1}"#, true), (#"{"method":"m"}"#, false), (#"{"result":1}"#, false),
            (#"{"error":1}"#, false),
        ]
    )
    func adviceForObject(line: String, isAdvised: Bool) {
        guard case .invalid(let error, .null, _) = message(Array(line.utf8)) else {
            Issue.record("taken for a message")
            return
        }
        #expect(error.message.contains("a request is such as") == isAdvised, "\(error.message)")
    }

    @Test(
        "A batch holds at most 10,000 members, whatever they are",
        arguments: ["1", #""ab""#, #""abc""#, #""],\"[,\\""#, "[1,[2,3]]", #"{"a":[1,2],"b,":3}"#]
    )
    func batchLimit(member: String) {
        func batch(_ count: Int) -> Message {
            message(Array(("[" + repeatElement(member, count: count).joined(separator: ",") + "]").utf8))
        }
        guard case .batch(let members) = batch(10_000) else {
            Issue.record("10,000 members are no batch")
            return
        }
        #expect(members.count == 10_000)
        guard case .invalid(let error, .null, _) = batch(10_001) else {
            Issue.record("10,001 members are a batch")
            return
        }
        #expect(error.code == .invalidRequest)
        #expect(error.reason == "batchTooLong")
    }

    @Test("Each member of a batch is checked by itself; a batch within a batch is invalid")
    func batchMembers() {
        let line = #"[{"jsonrpc":"2.0","method":"a"},1,[],{"jsonrpc":"2.0","id":3,"result":null}]"#
        guard case .batch(let members) = message(Array(line.utf8)) else {
            Issue.record("no batch")
            return
        }
        let kinds = members.map { member in
            switch member {
            case .request: "request"
            case .response: "response"
            case .invalid: "invalid"
            case .batch: "batch"
            }
        }
        #expect(kinds == ["request", "invalid", "invalid", "response"])
    }
}
