import Foundation
import JSON
import TestSupport
import Testing

/// The process around the templates: the contract's calls, its exit, and a machine without the library.
@Suite(.waits) struct LiquidProcessTests {
    @Test("The renderer exits with 0 after deactivate and at the end of input", arguments: [true, false])
    func end(isAsked: Bool) throws {
        try LiquidRenderer.requireLibrary()
        let renderer = try LiquidRenderer.start()
        _ = try renderer.activate()
        if isAsked { try renderer.process.write(line: #"{"jsonrpc":"2.0","method":"deactivate","params":{}}"#) }
        if !isAsked { renderer.process.closeInput() }
        #expect(try renderer.process.wait() == .code(0), "\(renderer.process.standardError)")
    }

    @Test("An unknown call or one with invalid params is refused, and the process continues")
    func calls() throws {
        let whole: [(String, JSON)] = [
            ("payload", [:]), ("profile", [:]), ("locale", "en"), ("date", LiquidRenderer.date),
        ]
        let rows: [(String, JSON, String)] = [
            ("payload", [], "payload must be an object"), ("profile", .null, "profile must be an object"),
            ("locale", 1, "locale must be a string"), ("date", "today", "date must be an RFC 3339 time"),
        ]
        try LiquidRenderer.with { renderer throws in
            #expect(try renderer.call("didReceive", [:])["error"]?["code"] == -32601)
            #expect(try renderer.call("personalize", [1])["error"]?["code"] == -32602)
            for (name, value, message) in rows {
                let params = JSON.Object(whole.filter { $0.0 != name } + [(name, value)])
                let error = try renderer.call("personalize", .object(params))["error"]
                #expect(error?["code"] == -32602)
                #expect(error?["message"]?.string == "Invalid params: \(message)")
                #expect(error?["data"] == ["reason": "invalidParams", "path": .string("/params/\(name)")])
            }
            #expect(try renderer.render("{{ 1 | plus: 1 }}").text == "2")
        }
    }

    @Test("An invalid line is answered if an answer is due and has no other effect")
    func lines() throws {
        let rows = [
            ("{", -32700), ("[]", -32600), (#"{"jsonrpc":"2.0","method":7}"#, -32600), ("\"\u{FFFD}", -32700),
        ]
        try LiquidRenderer.with { renderer throws in
            for (line, code) in rows {
                try renderer.process.write(line: line)
                let answer = try renderer.answer()
                #expect(answer["id"] == .null)
                #expect(answer["error"]?["code"] == JSON(code))
            }
            try renderer.process.write([0x22, 0xFF, 0x22, 0x0A])
            #expect(try renderer.answer()["error"]?["code"] == -32700)
            for quiet in ["", #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"jsonrpc":"2.0","method":"later"}"#] {
                try renderer.process.write(line: quiet)
            }
            #expect(
                try renderer.render("é {{ 'ü' | upcase }} {{${n}}}", ["n": "\u{0}\u{2028}😀"]).text
                    == "é Ü \u{0}\u{2028}😀"
            )
        }
    }

    @Test("A payload and a profile may be nested as deeply as the host allows")
    func depth() throws {
        try LiquidRenderer.with { renderer throws in
            let deep = (0..<500).reduce(JSON("{{ 1 | plus: 1 }}")) { inner, _ in [inner] }
            let result = try renderer.personalize(["deep": deep], ["deep": deep])
            #expect(result["result"]?["payload"]?["deep"]?.description.contains("\"2\"") == true)
            let text = try renderer.render("{{ deep | as_json_string | size }}", ["deep": deep])
            #expect(text.reason == "renderingFailed", "JSON as a text nests 100 deep")
        }
    }

    @Test("Without the Liquid library every call fails with one sentence that names the missing package")
    func library() throws {
        let renderer = try LiquidRenderer.start(ruby: ["--disable=gems"])
        let message = "Shopify's Liquid 5.4 is missing: install Debian's package ruby-liquid."
        for answer in try [renderer.activate(), renderer.personalize([:])] {
            #expect(answer["error"] == ["code": 1, "message": .string(message), "data": ["reason": "missingLibrary"]])
        }
        renderer.process.closeInput()
        #expect(try renderer.process.wait() == .code(0))
        #expect(renderer.process.standardError == "")
    }

    @Test("Ruby reports no warnings in any file")
    func warnings() throws {
        try LiquidRenderer.requireLibrary()
        let renderer = try LiquidRenderer.start(ruby: ["-w"])
        _ = try renderer.activate()
        let template = "{{${a}}}{% message_extras :key a :value b %}{{ 'now' | time_zone: 'UTC' | date: '%F' }}"
        #expect(try renderer.render(template).text == "2026-01-01")
        renderer.process.closeInput()
        #expect(try renderer.process.wait() == .code(0))
        let warnings = renderer.process.standardError.split(separator: "\n")
        #expect(warnings.filter { $0.contains(LiquidRenderer.bundle) } == [])
    }

    @Test("Started from a terminal, the renderer explains in one line what starts it")
    func terminal() throws {
        #if os(Linux)
        try LiquidRenderer.requireLibrary()
        let terminal = try ChildProcess("script", ["-qec", LiquidRenderer.executable, "/dev/null"])
        let lines = try terminal.readToEnd().split(whereSeparator: \.isNewline)
        #expect(try terminal.wait() == .code(1))
        let text = "personalize.rb is an extension that pushhost starts: pushhost --plugins <bundle>"
        #expect(lines.last.map(String.init) == text)
        #endif
    }
}
