import Foundation
import JSON
import TestSupport
import Testing

/// A line that is not a valid request, and the one reply to it.
struct BadLine: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let code: Int64
    let reason: String
    var id: JSON = .null

    init(_ name: String, _ text: String, _ code: Int64, _ reason: String, id: JSON = .null) {
        self.init(name, Array(text.utf8), code, reason, id: id)
    }

    init(_ name: String, _ bytes: [UInt8], _ code: Int64, _ reason: String, id: JSON = .null) {
        testDescription = name
        (self.bytes, self.code, self.reason, self.id) = (bytes, code, reason, id)
    }

    private static func saving(_ value: String) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"store","params":{"key":"k","value":\#(value)}}"#
    }

    private static let deep = String(repeating: "[", count: 2049) + String(repeating: "]", count: 2049)
    private static let cut = Array(#"{"jsonrpc":"2.0","id":1,"method":"caf"#.utf8) + [0xC3] + Array(#""}"#.utf8)

    static let all = [
        BadLine("no JSON", "ping", -32700, "parseError"),
        BadLine("a cut object", #"{"jsonrpc":"2.0","id":1"#, -32700, "parseError"),
        BadLine("bytes that are no UTF-8", [0xFF, 0xFE], -32700, "parseError"),
        BadLine("half a character", cut, -32700, "parseError"),
        BadLine("a surrogate alone", saving(#""\ud800""#), -32700, "parseError"),
        BadLine("too deep nesting", deep, -32700, "parseError"),
        BadLine("an integer past 64 bits", saving("9223372036854775808"), -32700, "parseError"),
        BadLine("a number past a double", saving("1e999"), -32700, "parseError"),
        BadLine("a name twice", saving(#"{"a":1,"a":2}"#), -32700, "parseError"),
        BadLine("a zero in a name", saving(#"{"a\u0000b":1}"#), -32700, "parseError"),
        BadLine("two messages", "{} {}", -32700, "parseError"),
        BadLine("a header", "Content-Length: 52", -32700, "headerFraming"),
        BadLine("a header in small letters", "content-length: 52\r", -32700, "headerFraming"),
        BadLine("a number", "42", -32600, "invalidRequest"),
        BadLine("a text", #""ping""#, -32600, "invalidRequest"),
        BadLine("an empty object", "{}", -32600, "version"),
        BadLine("an empty batch", "[]", -32600, "emptyBatch"),
        BadLine(
            "a batch without end",
            "[" + String(repeating: "1,", count: 10_000) + "1]",
            -32600,
            "batchTooLong"
        ),
        BadLine("no version", #"{"id":1,"method":"ping"}"#, -32600, "version"),
        BadLine("an old version", #"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, "version"),
        BadLine("a version that is a number", #"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, -32600, "version"),
        BadLine("an object as id", #"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, "invalidId"),
        BadLine("a boolean as id", #"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, -32600, "invalidId"),
        BadLine("a method that is a number", #"{"jsonrpc":"2.0","id":1,"method":1}"#, -32600, "invalidRequest", id: 1),
        BadLine("no method", #"{"jsonrpc":"2.0","id":"x"}"#, -32600, "invalidRequest", id: "x"),
        BadLine(
            "null as params",
            #"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#,
            -32600,
            "invalidParamsType",
            id: 1
        ),
        BadLine(
            "a text as params",
            #"{"jsonrpc":"2.0","id":1,"method":"ping","params":"a"}"#,
            -32600,
            "invalidParamsType",
            id: 1
        ),
        BadLine("an unknown method", #"{"jsonrpc":"2.0","id":1,"method":"pong"}"#, -32601, "methodNotFound", id: 1),
        BadLine("an empty method", #"{"jsonrpc":"2.0","id":1,"method":""}"#, -32601, "methodNotFound", id: 1),
    ]
}

@Suite(.waits, .wire) struct InputLineTests {
    @Test("A line that is not a valid request gets one error reply, and the session continues", arguments: BadLine.all)
    func alone(line: BadLine) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            // After a blank line the connection has lines, so that a header is a mistake.
            try host.process.write([0x0A] + line.bytes + [0x0A])
            try check(try host.reply(), line)
            #expect(try host.result("ping")["version"] != nil)
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self, "a second answer") { try host.reply() }
        }
    }

    @Test("A stream of invalid lines is answered in order")
    func together() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            try host.process.write(BadLine.all.flatMap { $0.bytes + [0x0A] })
            for line in BadLine.all { try check(try host.reply(), line) }
            #expect(try host.result("ping")["version"] != nil)
        }
    }

    private func check(_ reply: JSON, _ line: BadLine) throws {
        #expect(reply["jsonrpc"] == "2.0")
        #expect(reply["id"] == line.id, "\(reply)")
        #expect(reply["result"] == nil)
        #expect(reply["error"]?["code"] == .integer(line.code), "\(reply)")
        #expect(reply["error"]?["data"]?["reason"] == .string(line.reason), "\(reply)")
        #expect(reply["error"]?["message"]?.string?.isEmpty == false)
    }

    @Test(
        "A line over the limit is dropped with one error, whether it ends with a newline or not",
        arguments: [true, false]
    )
    func tooLong(ends: Bool) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder, "--line-limit", "100"])
            let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
            let padded = ping + String(repeating: " ", count: 100 - ping.utf8.count)
            try host.send(line: padded)
            #expect(try host.reply()["result"] != nil, "a line of just the limit")
            try host.process.write(Array((padded + String(repeating: " ", count: 5_000_000)).utf8))
            let error = try host.reply()
            #expect(error["id"] == JSON.null)
            #expect(error["error"]?["code"] == -32600)
            #expect(error["error"]?["data"]?["reason"] == "lineTooLong")
            #expect(error["error"]?["data"]?["limit"] == 100)
            if ends {
                try host.send(line: "")
                #expect(try host.result("ping")["version"] != nil)
            }
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self) { try host.reply() }
        }
    }
}
