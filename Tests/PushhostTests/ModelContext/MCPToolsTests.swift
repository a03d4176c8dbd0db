import Foundation
import JSON
import TestSupport
import Testing

/// The result of `tools/list`.
@Suite(.waits, .wire) struct MCPToolsTests {
    @Test("The tools are the client's methods in the document's order, the same for both generations")
    func list() throws {
        let document = try JSON(
            parsing: [UInt8](Data(contentsOf: URL(filePath: "\(repositoryRoot)/protocol/openrpc.json")))
        )
        let methods = document["methods"]?.array.map(Array.init) ?? []
        let expected = methods.filter { $0["x-callers"]?.array?.contains("client") == true && $0["x-mcp"] != false }
        try MCP.withHost { host in
            let old = try host.result("tools/list")
            let modern = try host.result("tools/list", ["_meta": MCP.meta])
            #expect(
                old["tools"]?.array?.compactMap { $0["name"]?.string } == expected.compactMap { $0["name"]?.string }
            )
            #expect(old["tools"] == modern["tools"])
            #expect(old.object?.map(\.name) == ["tools"])
            #expect(modern["resultType"] == "complete")
            #expect(modern["cacheScope"] == "public")
            #expect(modern["ttlMs"]?.integer ?? -1 > 0)
            let tools = try host.tools()
            for name in ["subscribe", "shutdown", "rpc.discover", "$/cancelRequest", "setView", "tools/list"] {
                #expect(tools[name] == nil, "\(name)")
            }
            #expect(try host.result("tools/list").description == old.description)
        }
    }

    @Test("A tool has a description, a closed schema and hints")
    func tool() throws {
        try MCP.withHost { host in
            let tools = try host.tools()
            let interact = try #require(tools["interact"])
            #expect(interact["description"]?.string?.hasPrefix("Touches an element of the view. Works only") == true)
            let input = try #require(interact["inputSchema"])
            #expect(input["type"] == "object")
            #expect(input["additionalProperties"] == false)
            #expect(input["required"] == ["notification", "element"])
            #expect(input["properties"]?.object?.map(\.name) == ["notification", "element", "value"])
            #expect(input["properties"]?["notification"]?["type"] == "string")
            #expect(interact["outputSchema"] == nil)
            let user = tools["saveCustomEvent"]?["inputSchema"]?["properties"]?["user"]
            #expect(user?["properties"]?["user_alias"]?["required"] == ["alias_name", "alias_label"])
            #expect(tools["status"]?["inputSchema"]?["properties"] == [:])
            #expect(tools["status"]?["annotations"] == ["readOnlyHint": true])
            #expect(tools["resetStorageKeys"]?["annotations"]?["destructiveHint"] == true)
            #expect(tools["saveCustomEvent"]?["annotations"]?["destructiveHint"] == false)
        }
    }

    @Test("tools/list returns all tools at once and ignores a cursor", arguments: ["2", ""])
    func cursor(cursor: String) throws {
        try MCP.withHost { host in
            #expect(try host.result("tools/list")["nextCursor"] == nil)
            let error = try host.callError("tools/list", ["cursor": .string(cursor)])
            #expect(error["code"] == -32602)
            #expect(error["data"]?["path"] == "/params/cursor")
            #expect(try host.callError("tools/list", ["cursor": 2])["code"] == -32602)
        }
    }
}
