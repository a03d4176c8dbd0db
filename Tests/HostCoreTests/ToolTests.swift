import Contract
import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

@testable import HostCore

@Suite struct ToolTests {
    private let document = ContractDocument(ContractDocuments.host)

    @Test("The document names the methods and versions of MCP that the program has")
    func methods() {
        let described = document.json["x-mcp"]
        #expect(described?["methods"].words == MethodTable.modelContext.signatures.map(\.name))
        #expect(described?["versions"].words == ModelContext.modernVersions + ModelContext.handshakeVersions)
        // Only `ping` may be in both tables: after the handshake it is MCP's.
        for signature in MethodTable.modelContext.signatures where signature.name != "ping" {
            #expect(TestedEngine.methods.client[signature.name] == nil, "\(signature.name)")
        }
    }

    @Test("The guide to MCP names every method and version of MCP")
    func guide() throws {
        let page = try String(contentsOfFile: "\(repositoryRoot)/protocol/guide/mcp.md", encoding: .utf8)
        for word in (document.json["x-mcp"]?["methods"].words ?? []) + ModelContext.handshakeVersions {
            #expect(page.contains(word), "\(word)")
        }
    }

    @Test("Every method that a client may call is a tool unless it says otherwise, and every tool is in the table")
    func all() {
        let methods = document.json["methods"].elements.filter { $0["x-callers"].words.contains("client") }
        let held = methods.filter { $0["x-mcp"] == false }.map { $0["name"].text }
        #expect(held == ["subscribe", "rpc.discover", "shutdown", "$/cancelRequest"])
        #expect(Tool.all.map(\.name) == methods.map { $0["name"].text }.filter { !held.contains($0) })
        for tool in Tool.all { #expect(TestedEngine.methods.client[tool.name] != nil, "\(tool.name)") }
        for method in document.json["methods"].elements {
            let effect = method["x-effect"]?.string.flatMap(Tool.Effect.init(rawValue:))
            #expect((effect != nil) == Tool.names.contains(method["name"].text), "\(method["name"].text)")
        }
    }

    @Test(
        "A tool's name, texts and schemas are valid for the protocol and for every client of it",
        arguments: Tool.all.map(\.name)
    )
    func form(name: String) throws {
        let tool = try #require(Tool.all.first { $0.name == name }).json
        #expect(tool["name"].text.wholeMatch(of: /[A-Za-z0-9_.-]{1,128}/) != nil)
        #expect(!tool["description"].text.isEmpty)
        #expect(tool["annotations"]?["readOnlyHint"]?.bool != nil)
        for name in ["inputSchema", "outputSchema"] {
            let schema = try #require(tool[name], "\(tool["name"].text) has no \(name)")
            #expect(schema["type"] == "object")
            var references: Set<String> = []
            check(schema, &references)
            #expect(
                references == Set(schema["$defs"]?.object.map(Array.init)?.map(\.name) ?? []),
                "just what is reached"
            )
        }
        #expect(tool["inputSchema"]?["additionalProperties"] == false)
    }

    /// Collects the definitions to which a schema refers, and finds own keywords and references out of the schema.
    private func check(_ value: JSON, _ references: inout Set<String>) {
        for element in value.array.map(Array.init) ?? [] { check(element, &references) }
        for (name, member) in value.object.map(Array.init) ?? [] {
            #expect(!name.hasPrefix("x-"), "\(name)")
            if name == "$ref" {
                #expect(member.string?.hasPrefix("#/$defs/") == true, "\(member)")
                references.insert(String(member.string?.dropFirst("#/$defs/".count) ?? ""))
            }
            check(member, &references)
        }
    }
}
