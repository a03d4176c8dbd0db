import Foundation
import TestSupport
import Testing

/// The generator of the clients' typed parts.
@Suite(.hangs, .wire) struct ClientsGenerationTests {
    private static let clients = "\(repositoryRoot)/protocol/clients"

    @Test("What is checked in is what the generator makes of the document")
    func fresh() throws {
        let (output, status) = try generate(Self.clients, "--check")
        #expect(status == .code(0) && output.isEmpty, "\(output)")
    }

    @Test("A stale, a missing and no stale file are told apart, and the same document gives the same bytes")
    func stale() throws {
        try withCopy { folder in
            let types = "\(folder)/clients/python/src/pushhost/types.py"
            let methods = "\(folder)/clients/node/lib/methods.mjs"
            let before = try String(contentsOfFile: types, encoding: .utf8)
            try write(before + "\n", to: types)
            try FileManager.default.removeItem(atPath: methods)
            let (output, status) = try generate("\(folder)/clients", "--check")
            #expect(status == .code(1))
            let names = output.split(separator: "\n").map { $0.prefix { $0 != " " } }
            #expect(names == ["python/src/pushhost/types.py", "node/lib/methods.mjs"])
            #expect(!FileManager.default.fileExists(atPath: methods))

            #expect(try generate("\(folder)/clients").status == .code(0))
            #expect(try String(contentsOfFile: types, encoding: .utf8) == before)
            let original = try String(contentsOfFile: "\(Self.clients)/node/lib/methods.mjs", encoding: .utf8)
            #expect(try String(contentsOfFile: methods, encoding: .utf8) == original)
        }
    }

    @Test(
        "A document that says too little is refused, with the place",
        arguments: [
            (#""button": { "enum": ["none", "default", "overlay"] }"#, #""button": { "not": {} }"#, "Media/button"),
            (
                ##""frame": { "$ref": "#/components/schemas/Frame" }"##,
                #""frame": { "type": "object", "properties": { "x": { "type": "number" } } }"#, "Media/frame"
            ),
            (#""playing": { "type": "boolean" }"#, #""playing": { "type": "flag" }"#, "Media/playing"),
        ]
    )
    func loose(part: String, replacement: String, place: String) throws {
        try withCopy { folder in
            let path = "\(folder)/openrpc.json"
            let document = try String(contentsOfFile: path, encoding: .utf8)
            try #require(document.contains(part))
            try write(document.replacing(part, with: replacement), to: path)
            let (output, status) = try generate("\(folder)/clients")
            #expect(status == .code(1))
            #expect(output.hasPrefix("protocol/openrpc.json: \(place): "), "\(output)")
        }
    }

    @Test("A new method and a new topic become methods and listeners of both clients")
    func grown() throws {
        try withCopy { folder in
            let path = "\(folder)/openrpc.json"
            let method = #"""
                {"name": "$/brandNew.thing", "summary": "Is new.", "x-callers": ["client"], "paramStructure": "either",
                 "params": [{"name": "someText", "required": true, "description": "A text.", "schema": {"type": "string"}}],
                 "result": {"name": "n", "schema": {"type": "integer"}},
                 "errors": [{"$ref": "#/components/errors/invalidParams"}]},
                """#
            let topic = #"{"name": "didGlow", "summary": "It glows.", "params": []},"#
            let document = try String(contentsOfFile: path, encoding: .utf8)
                .replacing("\"methods\": [", with: "\"methods\": [\n" + method, maxReplacements: 1)
                .replacing("\"x-notifications\": [", with: "\"x-notifications\": [\n" + topic, maxReplacements: 1)
            try write(document, to: path)
            #expect(try generate("\(folder)/clients").status == .code(0))
            func text(_ name: String) throws -> String {
                try String(contentsOfFile: "\(folder)/clients/\(name)", encoding: .utf8)
            }
            let python = try text("python/src/pushhost/_async_methods.py")
            #expect(
                python.contains("    async def brand_new_thing(\n        self,\n        *,\n        some_text: str,\n")
            )
            #expect(python.contains(#"def listen(self, topic: Literal["didGlow"], /) -> AsyncListener[DidGlow]: ..."#))
            #expect(
                try text("node/lib/methods.mjs").contains(#"return this.call("$/brandNew.thing", params, options);"#)
            )
            let declared = "brandNewThing(params: BrandNewThingParams, options?: CallOptions): Promise<number>;"
            #expect(try text("node/lib/methods.d.ts").contains(declared))
            #expect(try text("node/lib/contract.d.ts").contains("export interface DidGlow {"))
        }
    }

    /// Lends a copy of the document and of the clients.
    private func withCopy(_ body: (String) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let files = FileManager.default
            try files.copyItem(atPath: Self.clients, toPath: "\(folder)/clients")
            try files.copyItem(atPath: "\(repositoryRoot)/protocol/openrpc.json", toPath: "\(folder)/openrpc.json")
            try body(folder)
        }
    }

    private func generate(_ clients: String, _ arguments: String...) throws -> (
        output: String, status: ChildProcess.Status
    ) {
        try ClientPackage.python.run(["\(clients)/generate.py"] + arguments)
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
