import Contract
import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

@testable import HostCore
@testable import ModelContext

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

    @Test("The page about MCP names every method and version of MCP")
    func guide() throws {
        let page = try String(contentsOfFile: "\(repositoryRoot)/protocol/reference/mcp.md", encoding: .utf8)
        for word in (document.json["x-mcp"]?["methods"].words ?? []) + ModelContext.handshakeVersions {
            #expect(page.contains(word), "\(word)")
        }
    }

    @Test("Every method that a client may call is a tool unless it says otherwise, and every tool is in the table")
    func all() {
        let methods = document.json["methods"].elements.filter { $0["x-callers"].words.contains("client") }
        let held = methods.filter { $0["x-mcp"] == false }.map { $0["name"].text }
        // An assistant opens what it shows, and waits for no timers; the list of tools must stay short.
        #expect(
            held == [
                "expand", "advanceClock", "backUpSuite", "subscribe", "rpc.discover", "shutdown", "$/cancelRequest",
            ]
        )
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
        let schema = try #require(tool["inputSchema"])
        #expect(schema["type"] == "object")
        #expect(schema["additionalProperties"] == false)
        check(schema)
        let document = try #require(document.json["methods"].elements.first { $0["name"].text == name })
        #expect(tool["description"].text.hasPrefix(document["summary"].text))
        #expect(tool["description"].text.hasSuffix("."))
    }

    @Test("The list of tools has less than 25 KB, and a new method finds room in it")
    func size() { #expect(Tool.list.bytes.count < 25_000 - 1_000) }

    @Test("A short schema accepts the params of every example in the document")
    func examples() throws {
        for method in document.json["methods"].elements {
            guard let tool = Tool.all.first(where: { $0.name == method["name"].text })?.json else { continue }
            let schema = try JSONSchema(try #require(tool["inputSchema"]))
            for example in method["examples"].elements {
                let params = example["params"].elements.map { ($0["name"].text, $0["value"] ?? .null) }
                #expect(schema.findings(in: .object(JSON.Object(params))).isEmpty, "\(tool["name"].text)")
            }
        }
    }

    /// Finds what is ours, and references, which lead nowhere.
    private func check(_ value: JSON) {
        for element in value.array.map(Array.init) ?? [] { check(element) }
        for (name, member) in value.object.map(Array.init) ?? [] {
            #expect(!name.hasPrefix("x-"), "\(name)")
            #expect(name != "$ref")
            check(member)
        }
    }
}
