import Foundation
import JSON
import TestSupport
import Testing

@testable import LanguageServer

/// Editors that do anything in any order.
@Suite struct RandomSessionTests {
    private static let texts = [
        "bundle/payload.apns":
            #"{"aps": {"alert": {"title": "é 😀", "loc-key": "A"}, "category": "checked", "badg": "1"}, "own": [1]}"#,
        "bundle/Info.plist": SoundBundle.info(),
        "bundle/run.entitlements":
            SoundBundle.entitlements("\(SoundBundle.groups)<array><string>group.a</string></array>"),
        "bundle/en.lproj/Localizable.strings": "/* é */\n\"A\" = \"😀\";\r\n\"B\" = \"b\";\n",
        "bundle/de.lproj/Localizable.strings": "\"A\" = \"ä\";\r\"C\" = \"c\";\n",
        "bundle/a.jsonl":
            "{\"id\":1,\"method\":\"didReceive\",\"params\":{\"payload\":{\"aps\":{\"category\":\"x\"}}}}\n[]\n",
        "bundle/profile.json": #"{"first_name": "Ada", "custom_attribute": {"level": 3}}"#,
        "bundle/run": "#!/bin/sh\necho 'é'\n",
    ]

    private static let pieces = [
        "", "", "a", "\n", "\r", "\r\n", "é", "😀", "\"", "\\", "{", "}", "[", "]", ",", ":", "\"x\": 1,\n", "{{ ${",
        "|",
        "line one\nline two\r\nthree", "\n\n\n", "<key>", "</key>", "<string>x</string>", "</dict>", "<dict>", "<!--",
        "&lt;", "\"D\" = \"d\";\n", "/*", "*/", ";", "=", "\\ud83d", "\"aps\"", "\"category\": \"checked\"", "\u{FEFF}",
    ]

    private static let requests = [
        "completion", "hover", "definition", "references", "prepareRename", "rename", "documentSymbol", "foldingRange",
        "formatting", "codeAction", "inlayHint", "codeLens", "moniker",
    ]

    /// A session of an editor, with the texts that its documents should have.
    private struct Editor {
        let probe: Probe
        let folder: String
        var random: TextDocumentTests.Generator
        /// The documents that are open.
        var open: [String: TextDocumentTests.Model] = [:]
        /// Whether a position counts bytes of UTF-8.
        let countsBytes: Bool
        var version = 1
        /// How often each request was answered.
        var answers: [Int64: Int] = [:]

        func uri(_ file: String) -> JSON { .string(LanguageServer.uri("\(folder)/\(file)")) }

        mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

        mutating func element<Element>(_ elements: [Element]) -> Element { elements[number(0...(elements.count - 1))] }

        mutating func request(_ method: String, _ params: JSON) {
            probe.begin(method, params)
            answers[Int64(probe.lastID)] = 0
        }

        /// Opens a document, or closes it if it is open.
        mutating func toggle(_ file: String) {
            guard open.removeValue(forKey: file) == nil else {
                return probe.notify("textDocument/didClose", ["textDocument": ["uri": uri(file)]])
            }
            let text = RandomSessionTests.texts[file] ?? ""
            open[file] = TextDocumentTests.Model(units: Array(text.utf16), countsBytes: countsBytes)
            let item: JSON = ["uri": uri(file), "languageId": "x", "version": 1, "text": .string(text)]
            probe.notify("textDocument/didOpen", ["textDocument": item])
        }

        mutating func position(_ units: [UInt16]) -> (Int, Int) {
            let lines = units.count { $0 == 0x0A || $0 == 0x0D } + 2
            switch number(0...30) {
            case 0: return (Int(Int32.max), number(0...9))
            case 1: return (number(0...lines), Int(Int32.max))
            default: return (number(-1...lines), number(-1...60))
            }
        }

        func json(_ position: (Int, Int)) -> JSON { ["line": JSON(position.0), "character": JSON(position.1)] }

        /// Changes a document in one to three places, one after the other.
        mutating func edit(_ file: String) {
            guard var model = open[file] else { return }
            var changes: [JSON] = []
            for _ in 0..<number(1...3) {
                // A long text is cut, and sometimes all of it is replaced.
                if model.units.count > 700 || number(0...60) == 0 {
                    let text = element([RandomSessionTests.texts[file] ?? "", "", "{", "\n😀"])
                    changes.append(["text": .string(text)])
                    model.units = Array(text.utf16)
                    continue
                }
                let start = position(model.units)
                let end = number(0...2) > 0 ? start : position(model.units)
                var text = element(RandomSessionTests.pieces)
                // A paste of what stands elsewhere.
                if number(0...9) == 0, model.units.count > 1 {
                    let part = number(0...(model.units.count - 1))
                    text = String(decoding: model.units[part..<min(part + 40, model.units.count)], as: UTF16.self)
                }
                changes.append([
                    "range": ["start": json(start), "end": json(end)], "text": .string(text),
                ])
                model.replace(start, end, text)
            }
            open[file] = model
            version += 1
            let document: JSON = ["uri": uri(file), "version": JSON(version)]
            probe.notify("textDocument/didChange", ["textDocument": document, "contentChanges": JSON(changes)])
        }

        /// Asks for anything at any place, also of a document that is not open.
        mutating func ask(_ file: String) {
            let units = open[file]?.units ?? []
            let (start, end) = (json(position(units)), json(position(units)))
            guard number(0...15) > 0 else {
                let command = element(EditorCommand.allCases.map(\.rawValue) + ["none"])
                return request("workspace/executeCommand", ["command": .string(command), "arguments": [uri(file)]])
            }
            request(
                "textDocument/\(element(RandomSessionTests.requests))",
                [
                    "textDocument": ["uri": uri(file)], "position": start, "range": ["start": start, "end": end],
                    "newName": .string(element(RandomSessionTests.pieces)), "context": ["diagnostics": []],
                    "options": ["tabSize": 2, "insertSpaces": true],
                ]
            )
        }

        /// Lets the host or a command answer, rightly, wrongly or by failing.
        mutating func answer() {
            if !probe.calls.isEmpty {
                let finding: JSON = [
                    "level": "error", "reason": "misspeltKey", "path": "/aps/badg", "message": "wrong",
                    "advice": "did you mean badge or beta?",
                ]
                let results: [JSON?] = [
                    ["findings": [finding]], ["findings": []], ["extensions": [["categories": ["checked"]]]], nil, 5,
                ]
                probe.answer(element(results))
            }
            if !probe.runs.isEmpty, number(0...1) == 0 { probe.endRun(code: Int32(number(0...1))) }
        }

        /// Counts the answers that came since the last time.
        mutating func collect() {
            for message in probe.messages() where message["method"] == nil {
                guard let id = message["id"]?.integer else { continue }
                answers[id, default: 0] += 1
            }
        }
    }

    @Test("The texts stay those of a model, and every request is answered once", arguments: [1, 2, 3, 4] as [UInt64])
    func sessions(seed: UInt64) throws {
        try withTemporaryDirectory { folder in
            for (name, text) in Self.texts {
                let url = URL(filePath: "\(folder)/\(name)")
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: url)
            }
            let countsBytes = seed % 2 == 0
            let probe = try Probe(positionEncodings: countsBytes ? ["utf-8"] : ["utf-16"], folder: folder)
            var editor = Editor(
                probe: probe,
                folder: folder,
                random: .init(state: seed),
                countsBytes: countsBytes
            )
            let files = Self.texts.keys.sorted()
            for file in files { editor.toggle(file) }
            for step in 0..<1_300 {
                let file = editor.element(files)
                editor.edit(file)
                switch editor.number(0...9) {
                case 0...3: editor.ask(editor.element(files))
                case 4: editor.answer()
                case 5 where editor.number(0...9) == 0: editor.toggle(file)
                case 6 where editor.number(0...9) == 0:
                    probe.notify("textDocument/didSave", ["textDocument": ["uri": editor.uri(file)]])
                case 7 where probe.lastID > 1:
                    probe.notify("$/cancelRequest", ["id": JSON(editor.number(1...probe.lastID))])
                case 8 where editor.number(0...9) == 0:
                    // A text with one half of a surrogate pair is none; the message counts as not sent.
                    probe.send(text: #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"x":"\ud83d"}}"#)
                default: break
                }
                if step % 10 == 0 { editor.collect() }
                guard let model = editor.open[file] else { continue }
                let text = probe.server.documents[editor.uri(file).string ?? ""]?.text.text
                guard Array((text ?? "").utf16) == model.units else {
                    Issue.record("step \(step): the text of \(file) is \(text?.debugDescription ?? "not there")")
                    return
                }
            }
            // What the host never answers is cancelled, and what it answers behind that is too late.
            editor.collect()
            let waiting = editor.answers.filter { $0.value == 0 }.keys.sorted()
            for id in waiting { probe.notify("$/cancelRequest", ["id": .integer(id)]) }
            editor.collect()
            while !probe.calls.isEmpty || !probe.runs.isEmpty {
                if probe.calls.isEmpty { probe.endRun(code: 0) } else { probe.answer(nil) }
            }
            editor.collect()
            let wrong = editor.answers.filter { $0.value != 1 }
            #expect(wrong.isEmpty, "\(wrong)")
            #expect(editor.answers.count > 400)
        }
    }
}
