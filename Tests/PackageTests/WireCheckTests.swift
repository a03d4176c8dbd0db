import Foundation
import JSON
import TestSupport
import Testing

/// Whether the check that compares recorded messages with the contract finds every deviation.
@Suite struct WireCheckTests {
    private typealias Lines = WireLines

    private static func detailed(_ code: Int, _ reason: String, _ data: String, id: String = "1") -> String {
        Lines.error(code, reason, id: id).replacing(
            #""reason":"\#(reason)""#,
            with: #""reason":"\#(reason)",\#(data)"#
        )
    }

    private static func shown(at time: String) -> String {
        Lines.answer(#"{"notifications":[{"notification":"n","date":"\#(time)"}]}"#)
    }

    // MARK: What fits

    @Test("Messages that the documents declare give no finding")
    func fitting() throws {
        #expect(try Lines.findings(Lines.ping, Lines.answer(#"{"version":"1.0"}"#)) == [])
        #expect(try Lines.findings(Lines.dismiss, Lines.error(111, "noPresentation")) == [])
        #expect(try Lines.findings(">{", Lines.error(-32700, "parseError", id: "null")) == [])
        let place = #""line":1,"column":1,"position":1"#
        #expect(try Lines.findings(">{", Self.detailed(-32700, "parseError", place, id: "null")) == [])
        let cause = #""extension":"x","cause":{"code":5,"message":"m","data":{"anything":[1]}}"#
        #expect(
            try Lines.findings(Lines.request("interact", #"["n","e"]"#), Self.detailed(123, "extensionRefused", cause))
                == []
        )
        #expect(try Lines.findings(#">{"id":1}"#, Lines.error(-32600, "version")) == [])
        #expect(
            try Lines.findings(
                #">{"jsonrpc":"2.0","id":"1","method":"no"}"#,
                Lines.error(-32601, "methodNotFound", id: #""1""#)
            ) == []
        )
        let save = Lines.request("saveCustomEvent", #"{"name":"a","_own":1}"#)
        #expect(try Lines.findings(save, Lines.answer(#"{"id":7}"#)) == [])
        let subscribe = Lines.request("subscribe", #"[["didDismiss"]]"#)
        let subscribed = Lines.answer(#"{"topics":["didDismiss"]}"#)
        let notification = Lines.notification("didDismiss", #"{"notification":"n","reason":"r"}"#)
        #expect(try Lines.findings(subscribe, subscribed, notification) == [])
    }

    @Test("Batches, ids of every type, and answers out of order are matched with their requests")
    func ids() throws {
        let batch =
            #">[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"1","method":"notifications"},"#
            + #"{"jsonrpc":"2.0","id":1.0,"method":"suites"},{"jsonrpc":"2.0","id":null,"method":"store","params":{"key":"k","value":1}}]"#
        let answer =
            #"<[{"jsonrpc":"2.0","id":null,"result":{"stored":true}},{"jsonrpc":"2.0","id":1.0,"result":{"suites":[]}},"#
            + #"{"jsonrpc":"2.0","id":"1","result":{"notifications":[]}},{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"}}]"#
        #expect(try Lines.findings(batch, answer) == [])
        // Each answer is checked against the method to which it belongs.
        #expect(try Lines.findings(batch, answer.replacing(#""id":1.0"#, with: #""id":1"#)) != [])
    }

    @Test("A truncated recording of a killed host, and unanswered requests, give no finding")
    func cut() throws {
        let whole = "{\"session\":{}}\n"
        let line = #"{"t":1,"from":"host","to":"client","raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"res"#
        #expect(try WireCheck.findings(in: Data((whole + line).utf8)) == [])
        let partial = #"{"t":1,"from":"host","to":"client","raw":"{\"jsonrpc\"","partial":true}"# + "\n"
        #expect(try WireCheck.findings(in: Data((whole + partial).utf8)) == [])
        #expect(try Lines.findings(Lines.ping, Lines.dismiss) == [])
    }

    // MARK: What does not

    @Test(
        "Each deviation from the documents is found",
        arguments: [
            // An undeclared member of a result, of an answer, of an error.
            (Lines.ping, Lines.answer(#"{"version":"1.0","extra":1}"#), "in the result of ping, /extra"),
            (Lines.ping, Lines.answer(#"{}"#), "in the result of ping, it lacks version"),
            (Lines.ping, #"<{"jsonrpc":"2.0","id":1,"result":{"version":"1.0"},"extra":1}"#, "has the member extra"),
            (Lines.ping, #"<{"jsonrpc":"1.0","id":1,"result":{"version":"1.0"}}"#, "jsonrpc is not 2.0"),
            (
                Lines.dismiss, #"<{"jsonrpc":"2.0","id":1,"error":{"code":111,"message":"m"}}"#,
                "in the error, it lacks data"
            ),
            (Lines.dismiss, detailed(111, "noPresentation", #""ended":"e","more":1"#), "in the error, /data/more"),
            (">{", detailed(-32700, "parseError", #""line":1.5"#, id: "null"), "in the error, /data/line"),
            (
                Lines.request("suites"),
                Lines.answer(
                    #"{"suites":[{"suite":"s","error":{"code":202,"message":"m","data":{"reason":"suiteBusy","more":1}}}]}"#
                ),
                "in the result of suites"
            ),
            (Lines.request("rpc.discover"), Lines.answer(#"{"openrpc":"1.4.1"}"#), "another document"),
            // A diagnostic with an undeclared reason.
            (
                Lines.request("flushPending", #"{"to":"file"}"#),
                Lines.answer(
                    #"{"delivered":0,"rejected":0,"possiblySent":0,"remaining":0,"diagnostics":[{"reason":"new","message":"m"}]}"#
                ), "no diagnostic new"
            ),
            // A time that is not in UTC, or without milliseconds.
            (Lines.request("notifications"), shown(at: "2026-01-01T01:00:00.000+01:00"), "/notifications/0/date"),
            (Lines.request("notifications"), shown(at: "2026-01-01T00:00:00Z"), "/notifications/0/date"),
            // A request that is not JSON-RPC 2.0.
            (
                Lines.ping.replacing("2.0", with: "1.0"), Lines.answer(#"{"version":"1.0"}"#),
                "accepted in line 2, whose jsonrpc"
            ),
            // An error of another method, a code with the wrong reason, an undeclared reason.
            (Lines.ping, Lines.error(111, "noPresentation"), "no error 111 noPresentation of ping"),
            (Lines.dismiss, Lines.error(111, "unknownNotification"), "no error 111 unknownNotification"),
            (Lines.dismiss, Lines.error(999, "new"), "no error 999 new of dismiss"),
            (Lines.dismiss, Lines.error(-32601, "methodNotFound"), "has the method dismiss, and the host does not"),
            // A method that only the host knows.
            (Lines.request("secret"), Lines.answer(#"{}"#), "no method secret"),
            (Lines.request("secret"), Lines.error(-32602, "missingParam"), "no method secret"),
            (Lines.request("setView"), Lines.answer(#"{}"#), "no method setView"),
            // A request that the document refuses.
            (
                Lines.request("saveCustomEvent", #"{"name":""}"#),
                Lines.answer(#"{"id":1}"#), "accepted in line 2, and the document forbids it: /params/name"
            ),
            (
                Lines.request("saveCustomEvent", #"["a",1]"#),
                Lines.answer(#"{"id":1}"#), "/params/1 is of type integer"
            ),
            (
                Lines.request("ping", #"{"echo":1}"#),
                Lines.answer(#"{"version":"1.0"}"#), "no param echo of ping"
            ),
            (
                Lines.request("acknowledge"),
                Lines.answer(#"{"acknowledged":1}"#), "acknowledge lacks the param lease"
            ),
            // A notification that is undeclared, has an undeclared member, or was not subscribed to.
            (Lines.ping, Lines.notification("news", #"{}"#), "no notification news"),
            (Lines.ping, Lines.notification("didDismiss", #"{"notification":"n","reason":"r"}"#), "not subscribed"),
            // Answers without a request, and a message that is not an answer.
            (Lines.ping, #"<{"jsonrpc":"2.0","id":2,"result":{}}"#, "without a request"),
            (Lines.ping, Lines.error(-32600, "version", id: "2"), "an id that no open request has"),
            (Lines.ping, Lines.error(203, "notStored", id: "null"), "an error without a request"),
            (Lines.ping, Lines.error(-32700, "unheardOf", id: "null"), "no error -32700 unheardOf"),
            (Lines.ping, "<{", "not JSON"),
        ]
    )
    func client(request: String, answer: String, wanted: String) throws {
        let found = try Lines.findings(request, answer)
        #expect(found.count >= 1, "\(found)")
        #expect(found.contains { $0.contains(wanted) }, "\(found)")
    }

    @Test("An undeclared member in a subscribed notification is found")
    func notification() throws {
        let subscribe = Lines.request("subscribe", #"[["didDismiss"]]"#)
        let subscribed = Lines.answer(#"{"topics":["didDismiss"]}"#)
        let notification = Lines.notification("didDismiss", #"{"notification":"n","reason":"r","extra":1}"#)
        #expect(
            try Lines.findings(subscribe, subscribed, notification) == [
                "the document has no param extra of didDismiss for the client"
            ]
        )
    }

    // MARK: The recording

    @Test("A recording without header and an unreadable record are found")
    func damage() throws {
        #expect(try WireCheck.findings(in: Data()).map(\.sentence) == ["the recording has no header"])
        let text = "{\"session\":{}}\n{\"t\":1,\n{\"t\":2}\n"
        let found = try WireCheck.findings(in: Data(text.utf8))
        #expect(found.map(\.line) == [2])
        #expect(found.map(\.sentence) == ["the record cannot be read"])
    }
}
