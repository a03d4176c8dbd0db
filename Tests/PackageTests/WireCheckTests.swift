import Foundation
import JSON
import TestSupport
import Testing

/// The check that compares what crosses the wires with the contract: whether it finds what it is there for.
@Suite struct WireCheckTests {
    /// Lines between the host and its client, `>` to the host and `<` from it; others name a bundle and its side.
    private func findings(_ lines: String..., bundle: String? = nil) throws -> [String] {
        var records: [JSON] = [["session": ["version": "1.0"]]]
        if let bundle { records.append(Self.bundle(bundle)) }
        for line in lines {
            let mark = line.prefix { $0 != "{" && $0 != "[" }
            let peer = mark.count > 1 ? "com.example.x" : "client"
            let raw = JSON.string(String(line.dropFirst(mark.count)))
            let (from, to) = mark.last == ">" ? (peer, "host") : ("host", peer)
            records.append(["t": 1, "from": .string(from), "to": .string(to), "raw": raw])
        }
        let text = records.map { "\($0)\n" }.joined()
        return try WireCheck.findings(in: Data(text.utf8)).map(\.sentence)
    }

    private static func bundle(_ point: String) -> JSON {
        let list = """
            <plist version="1.0"><dict><key>NSExtension</key><dict>
            <key>NSExtensionPointIdentifier</key><string>\(point)</string></dict></dict></plist>
            """
        return ["bundle": ["identifier": "com.example.x", "files": ["Info.plist": .string(list)]]]
    }

    private static let content = "com.apple.usernotifications.content-extension"
    private static let destination = "pushhost.destination"
    private static let ping = ask("ping")
    private static let dismiss = ask("dismiss", #"["n"]"#)

    private static func ask(_ method: String, _ params: String? = nil, _ mark: String = ">") -> String {
        let params = params.map { ",\"params\":\($0)" } ?? ""
        return mark + #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"\#(params)}"#
    }

    private static func tell(_ method: String, _ params: String, _ mark: String = "<") -> String {
        mark + #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
    }

    private static func answer(_ result: String, _ mark: String = "<", id: String = "1") -> String {
        mark + #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
    }

    private static func failed(_ code: Int, _ reason: String, id: String = "1", _ mark: String = "<") -> String {
        mark + #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"m","data":{"reason":"\#(reason)"}}}"#
    }

    // MARK: What fits

    @Test("What the documents have is no finding")
    func fitting() throws {
        #expect(try findings(Self.ping, Self.answer(#"{"version":"1.0"}"#)) == [])
        #expect(try findings(Self.dismiss, Self.failed(111, "noPresentation")) == [])
        #expect(try findings(">{", Self.failed(-32700, "parseError", id: "null")) == [])
        #expect(try findings(#">{"id":1}"#, Self.failed(-32600, "version")) == [])
        #expect(
            try findings(
                #">{"jsonrpc":"2.0","id":"1","method":"no"}"#,
                Self.failed(-32601, "methodNotFound", id: #""1""#)
            ) == []
        )
        let save = Self.ask("saveCustomEvent", #"{"name":"a","_own":1}"#)
        #expect(try findings(save, Self.answer(#"{"id":7}"#)) == [])
        let subscribe = Self.ask("subscribe", #"[["didDismiss"]]"#)
        let subscribed = Self.answer(#"{"topics":["didDismiss"]}"#)
        let told = Self.tell("didDismiss", #"{"notification":"n","reason":"r"}"#)
        #expect(try findings(subscribe, subscribed, told) == [])
    }

    @Test("Batches, ids of every type, and answers out of order find their requests")
    func ids() throws {
        let batch =
            #">[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"1","method":"notifications"},"#
            + #"{"jsonrpc":"2.0","id":1.0,"method":"suites"},{"jsonrpc":"2.0","id":null,"method":"store","params":{"key":"k","value":1}}]"#
        let answer =
            #"<[{"jsonrpc":"2.0","id":null,"result":{"stored":true}},{"jsonrpc":"2.0","id":1.0,"result":{"suites":[]}},"#
            + #"{"jsonrpc":"2.0","id":"1","result":{"notifications":[]}},{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"}}]"#
        #expect(try findings(batch, answer) == [])
        // Each answer is judged by the method that it belongs to.
        #expect(try findings(batch, answer.replacing(#""id":1.0"#, with: #""id":1"#)) != [])
    }

    @Test("A recording that a killed host left, and requests that nobody answered, are no findings")
    func cut() throws {
        let whole = "{\"session\":{}}\n"
        let line = #"{"t":1,"from":"host","to":"client","raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"res"#
        #expect(try WireCheck.findings(in: Data((whole + line).utf8)) == [])
        let partial = #"{"t":1,"from":"host","to":"client","raw":"{\"jsonrpc\"","partial":true}"# + "\n"
        #expect(try WireCheck.findings(in: Data((whole + partial).utf8)) == [])
        #expect(try findings(Self.ping, Self.dismiss) == [])
    }

    // MARK: What does not

    @Test(
        "Each thing that the documents do not have is found",
        arguments: [
            // A member of a result, of an answer, of an error.
            (ping, answer(#"{"version":"1.0","extra":1}"#), "in the result of ping, /extra"),
            (ping, answer(#"{}"#), "in the result of ping, it lacks version"),
            (ping, #"<{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"},"extra":1}"#, "has the member extra"),
            (ping, #"<{"jsonrpc":"1.0","id":1,"result":{"version":"1.0"}}"#, "jsonrpc is not 2.0"),
            (dismiss, #"<{"jsonrpc":"2.0","id":1,"error":{"code":111,"message":"m"}}"#, "in the error, it lacks data"),
            // An error of another method, a number with another's reason, one that is nobody's.
            (ping, failed(111, "noPresentation"), "no error 111 noPresentation of ping"),
            (dismiss, failed(111, "unknownNotification"), "no error 111 unknownNotification"),
            (dismiss, failed(999, "new"), "no error 999 new of dismiss"),
            (dismiss, failed(-32601, "methodNotFound"), "has the method dismiss, and the host does not"),
            // A method that only the host knows.
            (ask("secret"), answer(#"{}"#), "no method secret"),
            (ask("secret"), failed(-32602, "missingParam"), "no method secret"),
            (ask("setView"), answer(#"{}"#), "no method setView"),
            // A request that the document refuses.
            (
                ask("saveCustomEvent", #"{"name":""}"#),
                answer(#"{"id":1}"#), "accepted in line 2, and the document refuses it: /params/name"
            ),
            (
                ask("saveCustomEvent", #"["a",1]"#),
                answer(#"{"id":1}"#), "/params/1 is of type integer"
            ),
            (
                ask("ping", #"{"echo":1}"#),
                answer(#"{"version":"1.0"}"#), "no param echo of ping"
            ),
            (
                ask("acknowledge"),
                answer(#"{"acknowledged":1}"#), "acknowledge lacks the param lease"
            ),
            // A notification that there is not, that has a stranger, that nobody asked for.
            (ping, tell("news", #"{}"#), "no notification news"),
            (ping, tell("didDismiss", #"{"notification":"n","reason":"r"}"#), "nobody subscribed"),
            // Answers to nobody, and what is no answer.
            (ping, #"<{"jsonrpc":"2.0","id":2,"result":{}}"#, "nobody asked for"),
            (ping, failed(-32600, "version", id: "2"), "an id that nobody used"),
            (ping, failed(203, "notStored", id: "null"), "says of no request"),
            (ping, failed(-32700, "unheardOf", id: "null"), "no error -32700 unheardOf"),
            (ping, "<{", "no JSON"),
        ]
    )
    func client(request: String, answer: String, wanted: String) throws {
        let found = try findings(request, answer)
        #expect(found.count >= 1 && found.contains { $0.contains(wanted) }, "\(found)")
    }

    @Test("A stranger in a notification that somebody chose is found")
    func notification() throws {
        let subscribe = Self.ask("subscribe", #"[["didDismiss"]]"#)
        let subscribed = Self.answer(#"{"topics":["didDismiss"]}"#)
        let told = Self.tell("didDismiss", #"{"notification":"n","reason":"r","extra":1}"#)
        #expect(
            try findings(subscribe, subscribed, told) == [
                "the document has no param extra of didDismiss for the client"
            ]
        )
    }

    @Test(
        "What the host says to extensions is checked by what each of them is",
        arguments: [
            (content, ask("interact", #"{"notification":"n","element":"e"}"#, "x<"), nil),
            (content, ask("interact", #"{"notification":"n","element":"e","x":1}"#, "x<"), "no param x"),
            (content, ask("interact", #"{"notification":"n"}"#, "x<"), "lacks the param element"),
            (content, ask("deliver", #"{"suite":"s","batch":[]}"#, "x<"), "no method deliver"),
            (content, ask("didDismiss", #"{"notification":"n"}"#, "x<"), "has the member id"),
            (content, tell("deactivate", #"{}"#, "x<"), nil),
            (destination, ask("deliver", #"{"suite":"s","batch":[]}"#, "x<"), nil),
            (
                destination,
                ask(
                    "deliver",
                    #"{"suite":"s","batch":[{"id":1,"kind":"customEvent","time":"2026-01-01T00:00:00.000Z","leased":true}]}"#,
                    "x<"
                ),
                "/batch/0/leased"
            ),
            (destination, ask("interact", #"{"notification":"n","element":"e"}"#, "x<"), "no method interact"),
        ]
    )
    func calls(point: String, line: String, wanted: String?) throws {
        let found = try findings(line, bundle: point)
        if let wanted {
            #expect(found.count == 1 && found[0].contains(wanted), "\(found)")
        } else {
            #expect(found == [])
        }
    }

    @Test("What an extension calls is judged by what an extension may, when the host accepts it")
    func callsOfExtensions() throws {
        let store = Self.ask("store", #"{"key":"k","value":1}"#, "x>")
        let accepted = Self.answer(#"{"stored":true}"#, "x<")
        #expect(
            try findings(store, accepted, bundle: Self.content).map {
                $0.hasSuffix("store lacks the param notification")
            } == [true]
        )
        let refused = Self.failed(-32602, "missingParam").replacing("<", with: "x<")
        #expect(try findings(store, refused, bundle: Self.content) == [])
        let whole = store.replacing(#""k""#, with: #""k","notification":"n""#)
        #expect(try findings(whole, accepted, bundle: Self.content) == [])
        #expect(try findings(whole, accepted, bundle: Self.destination) != [])
        #expect(try findings(whole, Self.answer(#"{"stored":true,"at":1}"#, "x<"), bundle: Self.content).count == 1)
        #expect(try findings("x>{stray", "x>[]", "x>{\"no\":1}", bundle: Self.content) == [])
    }

    @Test("An answer of an extension that the document refuses must be refused by the host")
    func answersOfExtensions() throws {
        let asked = Self.ask("interact", #"{"notification":"n","element":"e"}"#, "x<")
        let bad = Self.answer(#"{"view":{"type":"blink"}}"#, "x>")
        let touch = Self.ask("interact", #"["n","e"]"#)
        let taken = Self.answer(#"{"view":{"type":"text","text":""},"actions":[]}"#)
        let found = try findings(touch, asked, bad, taken, bundle: Self.content)
        #expect(found.count == 1 && found[0].contains("accepted in the result of interact: /view/type"), "\(found)")
        #expect(try findings(touch, asked, bad, Self.failed(124, "badExtensionReply"), bundle: Self.content) == [])
        // Nobody can tell what a host that was killed made of it.
        #expect(try findings(touch, asked, bad, bundle: Self.content) == [])
    }

    // MARK: The recording

    @Test("A recording without header, and a record that cannot be read, are found")
    func damage() throws {
        #expect(try WireCheck.findings(in: Data()).map(\.sentence) == ["the recording has no header"])
        let text = "{\"session\":{}}\n{\"t\":1,\n{\"t\":2}\n"
        let found = try WireCheck.findings(in: Data(text.utf8))
        #expect(found.map(\.line) == [2] && found.map(\.sentence) == ["the record cannot be read"])
    }
}
