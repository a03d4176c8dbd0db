import Foundation
import JSON
import TestSupport
import Testing

/// The built program as a language server.
@Suite(.waits) struct LSPTests {
    private static func framed(_ message: String) -> String {
        "Content-Length: \(message.utf8.count)\r\n\r\n\(message)"
    }

    private static func message(_ method: String, _ params: JSON, id: Int? = nil) -> String {
        let call: JSON = ["jsonrpc": "2.0", "method": .string(method), "params": params]
        guard let id, let object = call.object else { return framed(call.description) }
        return framed(JSON.object(object.setting("id", to: JSON(id))).description)
    }

    private static let initialize = message("initialize", ["capabilities": [:]], id: 1)

    private static func start(_ arguments: String...) throws -> ChildProcess {
        let command = try hostCommand(["lsp"] + arguments, unchecked: "it speaks another protocol")
        return try ChildProcess(command[0], Array(command.dropFirst()))
    }

    @Test("An editor gets the findings of the host at their places")
    func findings() throws {
        let program = try Self.start("--plugins", "\(repositoryRoot)/plugins")
        let item: JSON = [
            "uri": "file:///a.apns", "languageId": "apns", "version": 7,
            "text": #"{"aps": {"alert": "A", "category": "lab_registr"}}"#,
        ]
        // The host answers in order, so the reply about categories comes behind the findings.
        let place: JSON = ["textDocument": ["uri": "file:///a.apns"], "position": ["line": 0, "character": 40]]
        let messages = [
            Self.initialize, Self.message("textDocument/didOpen", ["textDocument": item]),
            Self.message("textDocument/completion", place, id: 2),
        ]
        try program.write(Array(messages.joined().utf8))
        var lines = ""
        while !lines.contains("publishDiagnostics") { lines += try #require(try program.readLine()) }
        #expect(lines.contains(#""code":"noExtension""#) && lines.contains("did you mean lab_register?"), "\(lines)")
        #expect(lines.contains(#""version":7"#))
        try program.write(Array((Self.message("shutdown", [:], id: 3) + Self.message("exit", [:])).utf8))
        #expect(try program.readToEnd().contains("lab_register"))
        #expect(try program.wait() == .code(0))
    }

    @Test("An Info.plist gets what its text shows at once, with a link to a page, and then what only the host knows")
    func bundle() throws {
        try CheckedBundle.with { bundle in
            var bundle = bundle
            bundle.set("Categories", ["x"])
            try bundle.make()
            try FileManager.default.removeItem(atPath: "\(bundle.folder)/run")
            let text = try String(contentsOf: URL(filePath: "\(bundle.folder)/Info.plist"), encoding: .utf8)
            let capabilities: JSON = ["textDocument": ["publishDiagnostics": ["codeDescriptionSupport": true]]]
            let folder: JSON = ["uri": .string("file://\(bundle.folder)"), "name": "checked"]
            let item: JSON = [
                "uri": .string("file://\(bundle.folder)/Info.plist"), "languageId": "xml", "version": 1,
                "text": .string(text),
            ]
            let payload: JSON = ["uri": "file:///a.apns", "languageId": "apns", "version": 1, "text": "{}"]
            let program = try Self.start()
            let start: JSON = ["capabilities": capabilities, "workspaceFolders": [folder]]
            let messages = [
                Self.message("initialize", start, id: 1), Self.message("textDocument/didOpen", ["textDocument": item]),
                // The host answers in order, and what comes behind the findings ends their line.
                Self.message("textDocument/didOpen", ["textDocument": payload]),
            ]
            try program.write(Array(messages.joined().utf8))
            var lines = ""
            while !lines.contains("unknownKey") { lines += try #require(try program.readLine()) }
            let link = try #require(lines.firstMatch(of: /"href":"file:\/\/([^"#]+)#L\d+"/)?.1)
            #expect(try String(contentsOf: URL(filePath: String(link)), encoding: .utf8).hasPrefix("# Bundles"))
            while !lines.contains("cannotStart") { lines += try #require(try program.readLine()) }
            #expect(lines.contains("its executable run is missing"), "\(lines)")
            try program.write(Array((Self.message("shutdown", [:], id: 3) + Self.message("exit", [:])).utf8))
            _ = try program.readToEnd()
            #expect(try program.wait() == .code(0))
        }
    }

    @Test(
        "An editor that dies, and one that exits without a shutdown, end the server with 1",
        arguments: [true, false]
    )
    func ends(isDead: Bool) throws {
        let program = try Self.start()
        try program.write(Array((Self.initialize + (isDead ? "" : Self.message("exit", [:]))).utf8))
        if isDead { program.closeInput() }
        #expect(try program.readToEnd().contains("completionProvider"))
        #expect(try program.wait() == .code(1))
    }

    /// A message as a line, which the server accepts too; it answers with lines.
    private static func line(_ method: String, _ params: JSON, id: Int? = nil) -> String {
        let framed = message(method, params, id: id)
        return framed.drop { $0 != "{" } + "\n"
    }

    /// The answer to a request, among what the program writes.
    private static func answer(_ id: Int, of program: ChildProcess) throws -> JSON {
        while true {
            let message = try JSON(parsing: try #require(try program.readLine()))
            if message["id"] == JSON(id), message["method"] == nil { return message }
        }
    }

    @Test("A command runs with the bundles of the editor's folders, one that was just written too")
    func command() throws {
        try withTemporaryDirectory { folder in
            let program = try Self.start()
            let params: JSON = ["capabilities": [:], "rootUri": .string("file://\(folder)")]
            let uri: JSON = .string("file://\(folder)/like/payload.apns")
            let push: JSON = ["command": "pushhost.push", "arguments": [uri, ["show": false]]]
            let refused = Self.line("workspace/executeCommand", push, id: 2)
            try program.write(Array((Self.line("initialize", params, id: 1) + refused).utf8))
            #expect(try Self.answer(2, of: program)["error"]?["message"]?.string?.contains("cannot be read") == true)
            for name in ["kits", "like"] {
                let source = "\(repositoryRoot)/plugins/\(name)"
                try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/\(name)")
            }
            let created: JSON = ["changes": [["uri": .string("file://\(folder)/like/Info.plist"), "type": 1]]]
            let item: JSON = [
                "uri": uri, "languageId": "apns", "version": 1,
                "text": #"{"aps": {"alert": "Unsaved", "category": "like"}, "item_id": "1", "item_title": "Tea"}"#,
            ]
            let messages = [
                Self.line("workspace/didChangeWatchedFiles", created),
                Self.line("textDocument/didOpen", ["textDocument": item]),
                Self.line("workspace/executeCommand", push, id: 3),
            ]
            try program.write(Array(messages.joined().utf8))
            let drawn = try Self.answer(3, of: program)
            let text = drawn["result"]?["text"]?.string ?? "\(drawn)"
            #expect(text.contains("Unsaved") && text.contains("Tea"), "\(text)")
            program.closeInput()
            #expect(try program.wait() == .code(1))
        }
    }

    @Test("A preview lives as long as the server")
    func preview() throws {
        let program = try Self.start("--plugins", "\(repositoryRoot)/plugins")
        let uri: JSON = .string("file://\(repositoryRoot)/plugins/like/payload.apns")
        let command: JSON = ["command": "pushhost.preview", "arguments": [uri, ["show": false]]]
        let call = Self.line("workspace/executeCommand", command, id: 2)
        try program.write(Array((Self.line("initialize", ["capabilities": [:]], id: 1) + call).utf8))
        let answer = try Self.answer(2, of: program)
        let address = try #require(answer["result"]?["address"]?.string, "\(answer)")
        let match = try #require(address.firstMatch(of: /:(\d+)(\/\S*)/))
        let port = try #require(UInt16(match.1))
        let client = try LoopbackClient(port: port)
        client.write("GET \(match.2) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
        let page = try client.readToEnd()
        #expect(page.hasPrefix("HTTP/1.1 200"), "\(page)")
        try program.write(Array((Self.line("shutdown", [:], id: 3) + Self.line("exit", [:])).utf8))
        #expect(try program.wait() == .code(0))
        #expect(throws: (any Error).self) { try LoopbackClient(port: port) }
    }

    @Test("A full disk behind stdout is named", .enabled(if: isLinux))
    func full() throws {
        let program = try hostCommand(["lsp"], unchecked: "it speaks another protocol")
        let process = try ChildProcess("/bin/sh", ["-c", #"exec "$0" "$@" > /dev/full"#] + program)
        try process.write(Array(Self.initialize.utf8))
        #expect(try process.wait() == .code(74))
        #expect(process.standardError.contains("No space left on device"), "\(process.standardError)")
    }
}
