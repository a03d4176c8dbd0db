import JSON
import TestSupport
import Testing

/// How clients of both protocol generations begin, and what each of their messages is answered.
@Suite(.waits, .wire) struct MCPEraTests {
    // MARK: With the version in each request

    @Test("server/discover returns versions, tools and server info, marked as cacheable")
    func discover() throws {
        try MCP.withHost { host in
            let result = try host.result("server/discover", ["_meta": MCP.meta])
            #expect(result["resultType"] == "complete")
            #expect(result["supportedVersions"] == [.string(MCP.modern)])
            #expect(result["capabilities"] == ["tools": [:]])
            #expect(result["_meta"]?["io.modelcontextprotocol/serverInfo"] == MCP.serverInfo)
            #expect(result["ttlMs"]?.integer ?? -1 > 0)
            #expect(result["cacheScope"] == "public")
            #expect(result["instructions"]?.string?.contains("didReceive") == true)
        }
    }

    @Test(
        "_meta without a version or capabilities, or with invalid ones, is -32602 with the path",
        arguments: [
            ([:], "/_meta/io.modelcontextprotocol~1protocolVersion"),
            (["_meta": [:]], "/_meta/io.modelcontextprotocol~1protocolVersion"),
            (["_meta": MCP.meta(without: "protocolVersion")], "/_meta/io.modelcontextprotocol~1protocolVersion"),
            (
                ["_meta": MCP.meta(without: "clientCapabilities")],
                "/_meta/io.modelcontextprotocol~1clientCapabilities"
            ),
            (
                ["_meta": ["io.modelcontextprotocol/protocolVersion": 20_260_728]],
                "/_meta/io.modelcontextprotocol~1protocolVersion"
            ),
            (["_meta": []], "/_meta"),
        ] as [(JSON, String)]
    )
    func badMeta(params: JSON, path: String) throws {
        try MCP.withHost { host in
            let error = try host.callError("server/discover", params)
            #expect(error["code"] == -32602)
            #expect(error["data"]?["path"]?.string == "/params\(path)")
        }
    }

    @Test("clientInfo is optional, and every method validates _meta", arguments: ["tools/list", "tools/call"])
    func everyMethod(method: String) throws {
        try MCP.withHost { host in
            let whole = try host.result(method, ["name": "ping", "_meta": MCP.meta(without: "clientInfo")])
            #expect(whole["resultType"] == "complete")
            let error = try host.callError(method, ["name": "ping", "_meta": MCP.meta(without: "clientCapabilities")])
            #expect(error["code"] == -32602)
            let old = try host.result(method, ["name": "ping", "_meta": MCP.meta(without: "protocolVersion")])
            #expect(old["resultType"] == nil)
        }
    }

    @Test(
        "An unsupported version is -32022 with the supported ones",
        arguments: ["2027-01-01", "2025-11-25", ""],
        ["server/discover", "tools/list", "tools/call"]
    )
    func unsupported(version: String, method: String) throws {
        try MCP.withHost { host in
            let meta: JSON = [
                "io.modelcontextprotocol/protocolVersion": .string(version),
                "io.modelcontextprotocol/clientCapabilities": [:],
            ]
            let error = try host.callError(method, ["name": "ping", "_meta": meta])
            #expect(error["code"] == -32022)
            #expect(error["data"]?["supported"] == [.string(MCP.modern)])
            #expect(error["data"]?["requested"]?.string == version)
            #expect(error["data"]?["reason"] == "unsupportedProtocolVersion")
        }
    }

    // MARK: With a handshake

    @Test("initialize is answered with the requested version", arguments: MCP.handshakes)
    func initialize(version: String) throws {
        try MCP.withHost { host in
            let params: JSON = [
                "protocolVersion": .string(version), "capabilities": [:], "clientInfo": ["name": "t", "version": "1"],
            ]
            let result = try host.result("initialize", params)
            #expect(result["protocolVersion"]?.string == version)
            #expect(result["capabilities"] == ["tools": [:]])
            #expect(result["serverInfo"] == MCP.serverInfo)
            #expect(result["instructions"]?.string?.isEmpty == false)
            #expect(result["resultType"] == nil)
        }
    }

    @Test(
        "initialize with an unknown version is answered with the newest version that has a handshake",
        arguments: ["2026-07-28", "1.0", ""]
    )
    func otherVersion(version: String) throws {
        try MCP.withHost { host in
            let result = try host.result("initialize", ["protocolVersion": .string(version)])
            #expect(result["protocolVersion"]?.string == MCP.handshakes[0])
        }
    }

    @Test("initialize without a version, or with one of another type, is -32602")
    func noVersion() throws {
        try MCP.withHost { host in
            for params in [[:], ["protocolVersion": 1], ["protocolVersion": .null]] as [JSON] {
                let error = try host.callError("initialize", params)
                #expect(error["code"] == -32602)
                #expect(error["data"]?["path"] == "/params/protocolVersion")
            }
        }
    }

    @Test("notifications/initialized and members of later versions are accepted without an answer")
    func silence() throws {
        try MCP.withHost { host in
            try host.send(line: #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            try host.send(["jsonrpc": "2.0", "method": "notifications/initialized", "params": ["later": 1]])
            try host.result("initialize", ["protocolVersion": "2025-11-25", "later": [1]])
            #expect(try host.result("tools/list", ["later": 1, "_meta": ["progressToken": 5]])["tools"] != nil)
            #expect(try host.result("ping", ["later": 1, "_meta": ["progressToken": "p"]]) == [:])
            #expect(try host.finish() == .code(0))
            #expect(host.process.standardError == "")
            #expect(throws: TestFailure.self, "something more came out") { try host.reply() }
        }
    }

    @Test("A ping is the contract's before the handshake, and MCP's with an empty result afterwards")
    func ping() throws {
        try MCP.withHost { host in
            #expect(try host.result("ping") == MCP.pong)
            #expect(try host.result("ping", ["_meta": MCP.meta]) == MCP.pong)
            _ = try host.callError("initialize", ["protocolVersion": 1])
            #expect(try host.result("ping") == MCP.pong)
            try host.result("initialize", ["protocolVersion": "2025-11-25"])
            #expect(try host.result("ping") == [:])
            #expect(try host.tool("ping", nil)["structuredContent"] == MCP.pong)
        }
    }

    // MARK: Both at once

    @Test("Lines of the official clients of both generations and plain calls can be mixed in one session")
    func mixed() throws {
        let meta = MCP.meta.description
        let lines = [
            // mcp 2.x
            #"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":\#(meta)}}"#,
            // mcp 1.x, whose ids begin at 0 and whose members have another order
            #"{"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcp","version":"0.1.0"}},"jsonrpc":"2.0","id":0}"#,
            #"{"method":"notifications/initialized","jsonrpc":"2.0"}"#,
            #"{"jsonrpc":"2.0","id":"plain","method":"saveCustomEvent","params":{"name":"Plain"}}"#,
            #"{"method":"tools/list","jsonrpc":"2.0","id":10}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":\#(meta)}}"#,
            #"{"method":"tools/call","params":{"name":"saveCustomEvent","arguments":{"name":"Old"}},"jsonrpc":"2.0","id":11}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"saveCustomEvent","arguments":{"name":"New"},"_meta":\#(meta)}}"#,
            #"{"method":"ping","jsonrpc":"2.0","id":12}"#,
            #"{"jsonrpc":"2.0","id":"end","method":"pending"}"#,
        ]
        try MCP.withHost { host in
            for line in lines { try host.send(line: line) }
            let replies = try (0..<lines.count - 1).map { _ in try host.reply() }
            func result(_ id: JSON) throws -> JSON {
                try #require(replies.first { $0["id"] == id }?["result"], "\(id): \(replies)")
            }
            #expect(replies.map { $0["id"] } == [1, 0, "plain", 10, 2, 11, 3, 12, "end"])
            #expect(try result(1)["supportedVersions"] == [.string(MCP.modern)])
            #expect(try result(0)["protocolVersion"] == "2025-11-25")
            #expect(try result(10)["tools"] == result(2)["tools"])
            #expect(try result(10).object?.count == 1)
            #expect(try result(2)["resultType"] == "complete")
            #expect(try result(2)["cacheScope"] == "public")
            #expect(
                try result(11) == [
                    "content": [["type": "text", "text": #"{"id":2}"#]],
                    "structuredContent": ["id": 2], "isError": false,
                ]
            )
            #expect(try result(3)["resultType"] == "complete")
            #expect(try result(3)["structuredContent"] == ["id": 3])
            let names = try result("end")["records"]?.array?.map { $0["name"] }
            #expect(names == ["Plain", "Old", "New"])
        }
    }

    @Test(
        "Methods of MCP that the host does not offer do not exist",
        arguments: [
            "resources/list", "resources/read", "prompts/list", "logging/setLevel", "subscriptions/listen",
            "completion/complete", "tools/forget",
        ]
    )
    func notOffered(method: String) throws {
        try MCP.withHost { host in
            for params in [[:], ["_meta": MCP.meta]] as [JSON] {
                let error = try host.callError(method, params)
                #expect(error["code"] == -32601)
            }
        }
    }
}
