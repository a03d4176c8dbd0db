import JSON
import JSONRPC
import Testing

@Suite struct EnvelopeTests {
    @Test("A request is read with its params and id; unknown members are ignored")
    func request() {
        let line = #"{"id":3,"trace":"x","params":{"a":1},"method":"m","jsonrpc":"2.0"}"#
        guard case .request(let request) = message(Array(line.utf8)) else {
            Issue.record("no request")
            return
        }
        #expect(request.method == "m")
        #expect(request.params == ["a": 1])
        #expect(request.id == 3)
    }

    @Test("A request without id is a notification; with id null it is a request")
    func notification() {
        guard case .request(let absent) = message(Array(#"{"jsonrpc":"2.0","method":"m"}"#.utf8)),
            case .request(let null) = message(Array(#"{"jsonrpc":"2.0","method":"m","id":null}"#.utf8))
        else {
            Issue.record("no requests")
            return
        }
        #expect(absent.id == nil)
        #expect(absent.params == nil)
        #expect(null.id == .some(.null))
    }

    @Test(
        "A response is recognized by its members; -1 stands for a malformed one",
        arguments: [
            (#"{"jsonrpc":"2.0","id":1,"result":null}"#, "1", nil),
            (#"{"jsonrpc":"2.0","id":"a","result":{"x":1}}"#, #""a""#, nil),
            (#"{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"m","data":[1]}}"#, "1", 5),
            (#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}"#, "null", -32700),
            (#"{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}"#, "null", 1),
            (#"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":5,"message":"m"}}"#, "1", -1),
            (#"{"jsonrpc":"2.0","id":1,"error":"broken"}"#, "1", -1),
            (#"{"jsonrpc":"2.0","id":1,"error":{"code":"5","message":"m"}}"#, "1", -1),
            (#"{"jsonrpc":"2.0","id":1,"error":null}"#, "1", -1),
        ] as [(String, String, Int?)]
    )
    func responses(line: String, id: String, code: Int?) throws {
        guard case .response(let found, let result) = message(Array(line.utf8)) else {
            Issue.record("no response")
            return
        }
        #expect(found == (try JSON(parsing: id)))
        switch result {
        case .success: #expect(code == nil)
        case .failure(.error(let error)): #expect(error.code.rawValue == code)
        case .failure(.malformed(let text)): #expect(code == -1, "\(text)")
        }
    }

    @Test("A written error is read as the same error")
    func errors() {
        let error = RPCError(.init(rawValue: 204), reason: "full", "It is full.", path: "/params/a", details: ["n": 1])
        var bytes: [UInt8] = []
        bytes.append(response: .failure(error), id: 1)
        let text = #"{"jsonrpc":"2.0","id":1,"error":{"code":204,"message":"It is full.","#
        #expect(
            String(decoding: bytes, as: UTF8.self) == text + #""data":{"reason":"full","path":"/params/a","n":1}}}"#
        )
        guard case .response(1, .failure(.error(let read))) = message(bytes) else {
            Issue.record("no response")
            return
        }
        #expect(read == error)
        #expect(read.reason == "full")
    }

    @Test("Requests and notifications are written as one line of JSON")
    func requests() throws {
        var request: [UInt8] = []
        request.append(request: "m\"\n", params: ["a": "\n"], id: 5)
        #expect(
            try JSON(parsing: request) == ["jsonrpc": "2.0", "id": 5, "method": "m\"\n", "params": ["a": "\n"]]
        )
        #expect(!request.contains(UInt8(ascii: "\n")))
        var notification: [UInt8] = []
        notification.append(request: "m", params: nil, id: nil)
        #expect(String(decoding: notification, as: UTF8.self) == #"{"jsonrpc":"2.0","method":"m"}"#)
    }

    @Test("Any error is converted to a response error, and an RPC error keeps its contents")
    func conversion() {
        struct Odd: Error {}
        #expect(RPCError(RPCError.methodNotFound("m")) == .methodNotFound("m"))
        #expect(RPCError(Odd()).code == .internalError)
        #expect(RPCError(Odd()).reason == "internalError")
    }
}
