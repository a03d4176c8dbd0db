import Foundation
import TestSupport
import Testing

/// The generator of the clients' typed parts and of the reference tables.
@Suite(.waits, .wire) struct ClientsGenerationTests {
    private static let contract = "\(repositoryRoot)/protocol"

    private static let pythonKit = "plugins/kits/pushhost_extension.py"
    private static let swiftKit = "Sources/ExtensionKit/Contract.swift"

    @Test("The checked-in files equal what the generator makes of the documents and of the program's parser")
    func fresh() throws {
        let program = try hostCommand(unchecked: "the parser's dump serves nobody")[0]
        let (output, status) = try generate(Self.contract, "--check", program)
        #expect(status == .code(0), "\(output)")
        #expect(output.isEmpty, "\(output)")
    }

    @Test("A page of the command line that differs from the program's parser is stale")
    func staleCommands() throws {
        let program = try hostCommand(unchecked: "the parser's dump serves nobody")[0]
        try withCopy { folder in
            let path = "\(folder)/reference/command-line.md"
            let page = try edit(path, "## `pushhost pending`", "## `pushhost waiting`")
            let (output, status) = try generate(folder, "--check", program)
            #expect(status == .code(1))
            #expect(output.hasPrefix("reference/command-line.md is stale"), "\(output)")
            #expect(try generate(folder, program).status == .code(0))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == page)
        }
    }

    @Test("Stale and missing files are reported, up-to-date files are not, and the same document gives the same bytes")
    func stale() throws {
        try withCopy { folder in
            let types = "\(folder)/clients/python/src/pushhost/types.py"
            let methods = "\(folder)/clients/node/lib/methods.mjs"
            let before = try String(contentsOfFile: types, encoding: .utf8)
            try write(before + "\n", to: types)
            try FileManager.default.removeItem(atPath: methods)
            let (output, status) = try generate(folder, "--check")
            #expect(status == .code(1))
            let names = output.split(separator: "\n").map { $0.prefix { $0 != " " } }
            #expect(names == ["clients/python/src/pushhost/types.py", "clients/node/lib/methods.mjs"])
            #expect(!FileManager.default.fileExists(atPath: methods))

            #expect(try generate(folder).status == .code(0))
            #expect(try String(contentsOfFile: types, encoding: .utf8) == before)
            let original = try String(contentsOfFile: "\(Self.contract)/clients/node/lib/methods.mjs", encoding: .utf8)
            #expect(try String(contentsOfFile: methods, encoding: .utf8) == original)
        }
    }

    @Test(
        "An incomplete document is refused, and the error names the place",
        arguments: [
            (#""enum": ["none", "default", "overlay"] }"#, #""not": {} }"#, "Media/button"),
            (
                ##""frame": { "$ref": "#/components/schemas/Frame" }"##,
                #""frame": { "type": "object", "properties": { "x": { "type": "number" } } }"#, "Media/frame"
            ),
            (#"media is playing.", "type": "boolean" }"#, #"media is playing.", "type": "flag" }"#, "Media/playing"),
            (#""name": "identifier", "description""#, #""name": "from", "description""#, "didReceive/from"),
            (#""name": "identifier", "description""#, #""name": "2nd", "description""#, "didReceive/2nd"),
            (#""name": "identifier", "description""#, #""name": "deadline", "description""#, "didReceive/deadline"),
            (#""name": "locale", "description""#, #""name": "identifier", "description""#, "didReceive/identifier"),
            (#""discarded""#, #""dis-carded""#, "DiscardDeadLettersResult/dis-carded"),
            (#""name": "mediaPlay""#, #""name": "close""#, "close"),
            (#""name": "mediaPlay""#, #""name": "class""#, "class"),
            (#""name": "openApplication""#, #""name": "media""#, "media"),
            (#""reasons": ["noPresentation"]"#, #""reasons": ["no presentation"]"#, "x-errors/no presentation"),
            (#""Deprecated since 1.2: "#, #""Deprecated: "#, "checkExtension/description"),
            (
                ##""frame": { "$ref": "#/components/schemas/Frame" }"##,
                ##""frame": { "$ref": "#/components/schemas/Picture" }"##, "components/schemas/Picture"
            ),
        ]
    )
    func incompleteDocument(part: String, replacement: String, place: String) throws {
        try withCopy { folder in
            let path = "\(folder)/openrpc.json"
            let document = try String(contentsOfFile: path, encoding: .utf8)
            try #require(document.contains(part))
            try write(document.replacing(part, with: replacement), to: path)
            let (output, status) = try generate(folder)
            #expect(status == .code(1))
            #expect(output.hasPrefix("protocol/openrpc.json: \(place): "), "\(output)")
        }
    }

    @Test("A new method and a new topic become methods and listeners of both clients")
    func newMethod() throws {
        try withCopy { folder in
            let path = "\(folder)/openrpc.json"
            let method = #"""
                {"name": "$/brandNew.thing", "summary": "Is new.", "tags": [{"name": "host"}], "x-callers": ["client"],
                 "params": [{"name": "someText", "required": true, "description": "A text.", "schema": {"type": "string"}}],
                 "result": {"name": "n", "schema": {"type": "integer"}},
                 "errors": [{"$ref": "#/components/errors/invalidParams"}]},
                """#
            let topic = #"{"name": "didGlow", "summary": "It glows.", "params": []},"#
            let document = try String(contentsOfFile: path, encoding: .utf8)
                .replacing("\"methods\": [", with: "\"methods\": [\n" + method, maxReplacements: 1)
                .replacing("\"x-notifications\": [", with: "\"x-notifications\": [\n" + topic, maxReplacements: 1)
            try write(document, to: path)
            #expect(try generate(folder).status == .code(0))
            func text(_ name: String) throws -> String {
                try String(contentsOfFile: "\(folder)/clients/\(name)", encoding: .utf8)
            }
            let python = try text("python/src/pushhost/_async_methods.py")
            #expect(
                python.contains("    async def brand_new_thing(self, *, some_text: str, deadline: float | None = None)")
            )
            #expect(python.contains(#"def listen(self, topic: Literal["didGlow"], /) -> AsyncListener[DidGlow]: ..."#))
            #expect(
                try text("node/lib/methods.mjs").contains(#"return this.call("$/brandNew.thing", params, options);"#)
            )
            let page = try String(contentsOfFile: "\(folder)/reference/host.md", encoding: .utf8)
            #expect(page.contains("| `$/brandNew.thing` | someText | |\n"))
            #expect(page.contains("\n| `didGlow` | | It glows. |\n"))
            let reference = try String(contentsOfFile: "\(folder)/reference/methods/host.md", encoding: .utf8)
            #expect(reference.contains("\n### `$/brandNew.thing`\n"))
            #expect(reference.contains("\n### `didGlow` (notification to subscribers)\n"))
            let declared = "brandNewThing(params: BrandNewThingParams, options?: CallOptions): Promise<number>;"
            #expect(try text("node/lib/methods.d.ts").contains(declared))
            #expect(try text("node/lib/contract.d.ts").contains("export interface DidGlow {"))
        }
    }

    @Test("A new member of the content and a new option of a save become parts of all kits")
    func kits() throws {
        try withCopy { folder in
            _ = try edit(
                "\(folder)/extension.openrpc.json",
                #""badge": { "description": "The number"#,
                #""brandNew": { "description": "Is new.", "type": "boolean" }, "badge": { "description": "The number"#
            )
            _ = try edit(
                "\(folder)/openrpc.json",
                #""name": "properties", "description""#,
                #""name": "traits", "description""#
            )
            #expect(try generate(folder).status == .code(0))
            func text(_ name: String) throws -> String {
                try String(contentsOfFile: "\(folder)/../\(name)", encoding: .utf8)
            }
            let python = try text(Self.pythonKit)
            #expect(python.contains("    #: Is new.\n    brand_new: bool | None = None\n"))
            #expect(python.contains("        traits: dict[str, Any] | None = None,\n"))
            let node = try text("plugins/kits/pushhost-extension.mjs")
            #expect(node.contains(" * @property {boolean} [brandNew] Is new.\n"))
            #expect(node.contains("  async saveCustomEvent(name, traits, options) {\n"))
            let swift = try text(Self.swiftKit)
            #expect(swift.contains("    public let brandNew: Bool?\n"))
            #expect(swift.contains("        traits: JSON.Object? = nil,\n"))
        }
    }

    @Test("A kit without its generated region is refused, and one that differs is stale")
    func region() throws {
        try withCopy { folder in
            let kit = "\(folder)/../\(Self.pythonKit)"
            let text = try edit(kit, "    subtitle: str\n", "    subtitle: int\n")
            let (output, status) = try generate(folder, "--check")
            #expect(status == .code(1))
            #expect(output.hasPrefix("../\(Self.pythonKit) is stale"), "\(output)")
            try write(text.replacing("# Generated: end\n", with: ""), to: kit)
            #expect(try generate(folder).output.hasPrefix("protocol/../\(Self.pythonKit): a region begins"))
        }
    }

    @Test(
        "A page that differs from the documents is stale, wherever it differs",
        arguments: [
            ("reference/host.md", "| `ping` | | version |", "| `ping` | | status |"),
            ("reference/errors.md", "| 101 | `payloadTooLarge` |", "| 101 | `tooLarge` |"),
            ("reference/methods/host.md", "### `setView`", "### `showView`"),
            ("reference/methods/destination.md", "### Outcome", "### Result"),
            ("reference/extensions.md", "\n<!-- end -->", "\nand more\n<!-- end -->"),
        ]
    )
    func stalePage(name: String, part: String, replacement: String) throws {
        try withCopy { folder in
            let path = "\(folder)/\(name)"
            let page = try edit(path, part, replacement)
            let (output, status) = try generate(folder, "--check")
            #expect(status == .code(1), "\(output)")
            #expect(output.hasPrefix("\(name) is stale"), "\(output)")
            #expect(try generate(folder).status == .code(0))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == page)
        }
    }

    @Test(
        "A missing, unknown, repeated or unclosed marker is refused with the page's name",
        arguments: [
            ("host", "<!-- generated: openrpc.json, host -->\n", "", "no page has a place for openrpc.json, host"),
            ("host", "openrpc.json, host -->", "hosts -->", "reference/host.md: nothing is generated for 'hosts'"),
            (
                "host", "x-notifications -->", "host -->",
                "reference/host.md: nothing is generated for 'openrpc.json, host', or"
            ),
            ("host", "\n<!-- end -->", "", "reference/host.md: the part 'openrpc.json, host' has no <!-- end -->"),
            ("storage", "<!-- end -->\n", "", "reference/storage.md: the part 'openrpc.json, storage' has no"),
        ]
    )
    func markers(page: String, part: String, replacement: String, message: String) throws {
        try withCopy { folder in
            _ = try edit("\(folder)/reference/\(page).md", part, replacement)
            let (output, status) = try generate(folder)
            #expect(status == .code(1), "\(output)")
            #expect(output.hasPrefix("protocol/\(message)"), "\(output)")
        }
    }

    /// Replaces the first occurrence of a part of a page, and returns the page as it was.
    private func edit(_ path: String, _ part: String, _ replacement: String) throws -> String {
        let page = try String(contentsOfFile: path, encoding: .utf8)
        try #require(page.contains(part))
        try write(page.replacing(part, with: replacement, maxReplacements: 1), to: path)
        return page
    }

    @Test("A result summary that omits a member is refused")
    func summary() throws {
        try withCopy { folder in
            let path = "\(folder)/openrpc.json"
            let document = try String(contentsOfFile: path, encoding: .utf8)
            let part = #""summary": "retried (a count)""#
            try #require(document.contains(part))
            try write(document.replacing(part, with: #""summary": "a count""#), to: path)
            let (output, status) = try generate(folder)
            #expect(status == .code(1))
            #expect(output.contains("retryDeadLetters: the summary of its result leaves out retried"), "\(output)")
        }
    }

    /// Passes a copy of the contract to the closure; the kits are beside it.
    private func withCopy(_ body: (String) throws -> Void) throws {
        try withTemporaryDirectory { root in
            let files = FileManager.default
            for name in ["protocol", "plugins/kits", "Sources/ExtensionKit"] {
                try files.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
            }
            for name in [Self.pythonKit, Self.swiftKit, "plugins/kits/pushhost-extension.mjs"] {
                try files.copyItem(atPath: "\(repositoryRoot)/\(name)", toPath: "\(root)/\(name)")
            }
            let folder = "\(root)/protocol"
            for name in ["clients", "generator", "start", "guides", "concepts", "reference"] {
                try files.copyItem(atPath: "\(Self.contract)/\(name)", toPath: "\(folder)/\(name)")
            }
            for name in [
                "generate.py", "README.md", "openrpc.json", "extension.openrpc.json", "destination.openrpc.json",
                "personalization.openrpc.json", "source.openrpc.json",
            ] {
                try files.copyItem(atPath: "\(Self.contract)/\(name)", toPath: "\(folder)/\(name)")
            }
            try body(folder)
        }
    }

    private func generate(_ contract: String, _ arguments: String...) throws -> (
        output: String, status: ChildProcess.Status
    ) {
        try ClientPackage.python.run(["\(contract)/generate.py"] + arguments)
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
