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

    @Test("A full disk behind stdout is named", .enabled(if: isLinux))
    func full() throws {
        let program = try hostCommand(["lsp"], unchecked: "it speaks another protocol")
        let process = try ChildProcess("/bin/sh", ["-c", #"exec "$0" "$@" > /dev/full"#] + program)
        try process.write(Array(Self.initialize.utf8))
        #expect(try process.wait() == .code(74))
        #expect(process.standardError.contains("No space left on device"), "\(process.standardError)")
    }
}
