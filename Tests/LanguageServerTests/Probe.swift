import JSON
import JSONRPC
import Testing

@testable import LanguageServer

/// A server with an editor and a host in memory.
final class Probe {
    let server: LanguageServer
    /// The calls to the host that are not answered yet.
    private(set) var calls: [(method: String, params: JSON, completion: (JSON?) -> Void)] = []
    /// The commands that have not ended.
    private(set) var runs: [(run: ToolRun, completion: (ToolRun.End) -> Void)] = []
    private(set) var stops = 0
    private(set) var bundleChanges = 0
    private(set) var lastID = 0

    /// Starts a session.
    ///
    /// - Parameters:
    ///   - positionEncodings: How the editor can count characters.
    ///   - snippets: Whether it takes snippets.
    ///   - folder: The folder that the editor has open.
    ///   - pages: Where the server writes what it shows.
    ///   - plugins: The folders with bundles that the user named.
    ///   - capabilities: What the editor can do besides.
    /// - Throws: A failure of the test.
    init(
        positionEncodings: JSON = ["utf-16"],
        snippets: Bool = true,
        folder: String = "/home/a b",
        pages: String = "/nowhere",
        plugins: [String] = [],
        capabilities: [(String, JSON)] = []
    ) throws {
        final class Box { var probe: Probe? }
        let box = Box()
        let surroundings = LanguageServer.Surroundings(
            call: { box.probe?.calls.append(($0, $1, $2)) },
            run: { run, completion in
                box.probe?.runs.append((run, completion))
                return { box.probe?.stops += 1 }
            },
            bundlesChanged: { box.probe?.bundleChanges += 1 }
        )
        server = LanguageServer(version: "1", folder: pages, plugins: plugins, surroundings)
        box.probe = self
        _ = try request(
            "initialize",
            [
                "workspaceFolders": [["uri": .string(LanguageServer.uri(folder)), "name": "b"]],
                "capabilities": .object(
                    JSON.Object(
                        [
                            ("general", ["positionEncodings": positionEncodings]),
                            (
                                "textDocument",
                                [
                                    "completion": ["completionItem": ["snippetSupport": .bool(snippets)]],
                                    "publishDiagnostics": [
                                        "relatedInformation": true, "codeDescriptionSupport": true,
                                    ],
                                ]
                            ),
                        ] + capabilities
                    )
                ),
            ]
        )
    }

    func send(_ message: JSON) { send(text: message.description) }

    /// Sends a text that may be no message.
    func send(text: String) {
        Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8).withUnsafeBytes { server.session.consume($0) }
    }

    func notify(_ method: String, _ params: JSON) {
        send(["jsonrpc": "2.0", "method": .string(method), "params": params])
    }

    /// Sends a request.
    func begin(_ method: String, _ params: JSON) {
        lastID += 1
        send(["jsonrpc": "2.0", "id": JSON(lastID), "method": .string(method), "params": params])
    }

    /// The response to a request; the host answers nothing meanwhile.
    func request(_ method: String, _ params: JSON = [:]) throws -> JSON {
        begin(method, params)
        return try #require(messages().first { $0["id"] == JSON(lastID) }, "\(method) was not answered")
    }

    /// What the server has sent since the last time.
    func messages() -> [JSON] {
        var text: [UInt8] = []
        server.session.output.drain { bytes in
            text += bytes
            return bytes.count
        }
        return String(decoding: text, as: UTF8.self).split(separator: /Content-Length: \d+\r\n\r\n/)
            .compactMap { try? JSON(parsing: String($0)) }
    }

    /// Opens a payload.
    func open(_ text: String, _ uri: String = "file:///a.apns", languageID: String = "apns") {
        let item: JSON = ["uri": .string(uri), "languageId": .string(languageID), "version": 1, "text": .string(text)]
        notify("textDocument/didOpen", ["textDocument": item])
    }

    func change(_ version: Int, _ changes: JSON) {
        let document: JSON = ["uri": "file:///a.apns", "version": JSON(version)]
        notify("textDocument/didChange", ["textDocument": document, "contentChanges": changes])
    }

    /// Lets the first command end.
    func end(_ end: ToolRun.End) { runs.removeFirst().completion(end) }

    /// Lets the host answer its first call.
    func answer(_ result: JSON?) { calls.removeFirst().completion(result) }

    /// Lets the first command end.
    func endRun(code: Int32) {
        runs.removeFirst().completion(.init(code: code, output: "http://127.0.0.1/\n", errors: ""))
    }

    /// A request about a place in the document.
    func ask(_ method: String, line: Int, character: Int) throws -> JSON {
        try request(
            "textDocument/\(method)",
            [
                "textDocument": ["uri": "file:///a.apns"],
                "position": ["line": JSON(line), "character": JSON(character)],
            ]
        )["result"] ?? "no result"
    }
}
