import JSON
import JSONRPC
import Platform

@testable import LanguageServer
@testable import Relay

extension FuzzTarget {
    static let servers = [FuzzTarget("monitoring", checkMonitoring), FuzzTarget("editor", checkEditor)]
}

// MARK: HTTP

/// A head is read in pieces as at once, and every answer is HTTP.
private func checkMonitoring(_ input: [UInt8]) throws {
    var input = FuzzInput(input)
    let size = input.byte() % 16 + 1
    let bytes = input.bytes
    /// What is read first of the stream, as the server reads it.
    func answer(_ size: Int) -> String {
        var received: [UInt8] = []
        for piece in pieces(bytes, size: size) {
            received += piece
            do throws(HTTPRequestHead.Refusal) {
                if let head = try HTTPRequestHead.read(received) { return "\(head)" }
            } catch {
                return "\(error)"
            }
        }
        return "incomplete"
    }
    let (parts, whole) = (answer(size), answer(max(bytes.count, 1)))
    try require(parts == whole, "in pieces of \(size) it is \(parts), and at once \(whole)")
    let head: HTTPRequestHead?
    do throws(HTTPRequestHead.Refusal) {
        head = try HTTPRequestHead.read(bytes)
    } catch {
        head = nil
        let answer = String(decoding: HTTPAnswer(error).bytes(isHead: false, time: 0), as: UTF8.self)
        try require(answer.hasPrefix("HTTP/1.1 ") && answer.contains("\r\n\r\n"), "the answer is \(answer)")
    }
    guard let head else { return }
    try require(head.path.hasPrefix("/") && !head.path.contains("?"), "the path is \(head.path)")
}

// MARK: Editors

/// The text of a document stays that of a plain model, whatever an editor does; every request is answered once.
private func checkEditor(_ input: [UInt8]) throws {
    var session = EditorSession(input)
    try session.run()
}

private struct EditorSession {
    /// Documents by the kinds that the server reads.
    private static let names = ["a.apns", "Info.plist", "a.entitlements", "en.lproj/Localizable.strings", "a.jsonl"]
    private static let texts = [
        #"{"aps": {"alert": {"title": "é 😀", "loc-key": "A"}, "category": "checked", "badg": "1"}}"#,
        "<plist><dict><key>CFBundleIdentifier</key><string>a.b</string><key>NSExtension</key><dict/></dict></plist>",
        "<plist><dict><key>com.apple.security.application-groups</key><array><string>g</string></array></dict></plist>",
        "/* é */\n\"A\" = \"😀\";\r\n\"B\" = \"b\";\n",
        "{\"id\":1,\"method\":\"didReceive\",\"params\":{\"payload\":{\"aps\":{}}}}\n[]\n",
    ]
    private static let requests = [
        "completion", "hover", "definition", "references", "prepareRename", "rename", "documentSymbol", "foldingRange",
        "formatting", "codeAction", "inlayHint", "codeLens",
    ]

    private var input: FuzzInput
    private let server: LanguageServer
    private let uri: String
    private let countsBytes: Bool
    private var units: [UInt16]
    private var lastID = 1
    private let host = Host()

    /// The host's calls, which it answers late or never.
    private final class Host {
        var calls: [(JSON?) -> Void] = []
        var runs: [(ToolRun.End) -> Void] = []
    }

    init(_ bytes: [UInt8]) {
        input = FuzzInput(bytes)
        let kind = input.byte()
        let index = kind % Self.names.count
        countsBytes = kind & 128 != 0
        uri = "file:///nowhere/\(Self.names[index])"
        units = Array(Self.texts[index].utf16)
        server = LanguageServer(
            version: "1",
            folder: "/nowhere/pages",
            .init(
                call: { [host] in host.calls.append($2) },
                run: { [host] in
                    host.runs.append($1)
                    return {}
                },
                bundlesChanged: {}
            )
        )
    }

    mutating func run() throws {
        let encodings: JSON = countsBytes ? ["utf-8"] : ["utf-16"]
        send("initialize", ["capabilities": ["general": ["positionEncodings": encodings]]], isRequest: true)
        let item: JSON = ["uri": .string(uri), "languageId": "x", "version": 1, "text": .string(text)]
        send("textDocument/didOpen", ["textDocument": item])
        var count = 0
        while !input.isEmpty, count < 200 {
            count += 1
            step()
            try check()
        }
        while !host.calls.isEmpty { host.calls.removeFirst()(nil) }
        while !host.runs.isEmpty { host.runs.removeFirst()(.init(code: 0, output: "x", errors: "")) }
        try checkAnswers()
    }

    private var text: String { String(decoding: units, as: UTF16.self) }

    private mutating func step() {
        switch input.byte() % 4 {
        case 0, 1: edit()
        case 2: ask()
        default:
            guard !host.calls.isEmpty else { return edit() }
            let finding: JSON = [
                "level": "error", "reason": .string(input.choice(["misspeltKey", "ignoredMember", "x"])),
                "path": .string(input.text()), "message": "wrong", "advice": "did you mean badge or beta?",
            ]
            host.calls.removeFirst()(input.choice([["findings": [finding]], ["extensions": []], nil, 5]))
        }
    }

    private mutating func position() -> (Int, Int) { (input.byte() - 1, input.byte() - 1) }

    private func json(_ position: (Int, Int)) -> JSON { ["line": JSON(position.0), "character": JSON(position.1)] }

    private mutating func edit() {
        let start = position()
        let end = input.byte() % 2 == 0 ? start : position()
        let new = input.text().replacing("|", with: "\n")
        let (first, last) = start <= end ? (start, end) : (end, start)
        units.replaceSubrange(offset(first)..<offset(last), with: new.utf16)
        let change: JSON = ["range": ["start": json(start), "end": json(end)], "text": .string(new)]
        send(
            "textDocument/didChange",
            ["textDocument": ["uri": .string(uri), "version": 2], "contentChanges": [change]]
        )
    }

    private mutating func ask() {
        let (method, start, end) = (input.choice(Self.requests), position(), position())
        let range: JSON = ["start": json(start), "end": json(end)]
        let params: JSON = [
            "textDocument": ["uri": .string(uri)], "position": json(start), "range": range,
            "newName": .string(input.text()), "context": ["diagnostics": [["range": range, "code": "misspeltKey"]]],
            "options": ["tabSize": 2, "insertSpaces": true],
        ]
        send("textDocument/\(method)", params, isRequest: true)
    }

    /// The offset of a position; one within a surrogate pair is that of its beginning.
    private func offset(_ position: (line: Int, character: Int)) -> Int {
        guard position.line >= 0 else { return 0 }
        var (index, line) = (0, 0)
        while line < position.line {
            guard index < units.count else { return units.count }
            if units[index] == 0x0D, index + 1 < units.count, units[index + 1] == 0x0A { index += 1 }
            if units[index] == 0x0A || units[index] == 0x0D { line += 1 }
            index += 1
        }
        var left = max(0, position.character)
        while left > 0, index < units.count, units[index] != 0x0A, units[index] != 0x0D {
            let unit = units[index]
            let isPair = (0xD800...0xDBFF).contains(unit)
            let size = countsBytes ? (isPair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3) : isPair ? 2 : 1
            guard size <= left else { break }
            index += isPair ? 2 : 1
            left -= size
        }
        return index
    }

    private mutating func send(_ method: String, _ params: JSON, isRequest: Bool = false) {
        if isRequest { lastID += 1 }
        let message = JSON(present: [
            "jsonrpc": "2.0", "id": isRequest ? JSON(lastID) : nil, "method": .string(method), "params": params,
        ])
        let text = message.description
        Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8).withUnsafeBytes { server.session.consume($0) }
    }

    private func check() throws {
        let document = try require(server.documents[uri], "the document is not there")
        try require(Array(document.text.text.utf16) == units, "the text is \(document.text.text), not \(text)")
        let count = document.text.bytes.count
        for finding in document.findings {
            try require(finding.range.upperBound <= count, "\(finding) ends behind \(document.text.text)")
        }
    }

    /// Every request has one answer, which is JSON.
    private func checkAnswers() throws {
        var output: [UInt8] = []
        server.session.output.drain { bytes in
            output += bytes
            return bytes.count
        }
        var answers: [Int64: Int] = [:]
        for message in String(decoding: output, as: UTF8.self).split(separator: /Content-Length: \d+\r\n\r\n/) {
            let value = try require(try? JSON(parsing: String(message)), "a message is no JSON: \(message)")
            if value["method"] == nil, let id = value["id"]?.integer { answers[id, default: 0] += 1 }
        }
        for id in 2...Int64(lastID) { try require(answers[id] == 1, "request \(id) has \(answers[id] ?? 0) answers") }
    }
}
