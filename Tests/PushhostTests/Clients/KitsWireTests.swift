import Foundation
import JSON
import TestSupport
import Testing

/// The kits' protocol messages, with the test as the host, where a real host would hide the detail.
@Suite(.waits, .wire) struct KitsWireTests {
    @Test("A misused completion is reported once, with the reply", arguments: Kit.allCases)
    func diagnostics(kit: Kit) throws {
        try KitProcess.with(kit) { kit in
            let shown = try kit.show("one")["result"]
            #expect(shown?["diagnostics"] == nil)
            #expect(shown?["actions"]?.array?.first?["textInput"] == ["buttonTitle": "Send", "placeholder": "Text"])
            let twice = try kit.press("one", "twice")["result"]
            let called = "the completion handler for twice was called 2 times; the first counts"
            #expect(twice?["diagnostics"] == [["reason": "completionTwice", "message": .string(called)]])
            #expect(try kit.touch("one", "logs")["result"] == [:])
            let never = try kit.press("one", "never")["result"]
            let missing = "the completion handler for never was not called in time, so the notification stays"
            #expect(never?["diagnostics"] == [["reason": "completionMissing", "message": .string(missing)]])
            #expect(never?["option"] == "doNotDismiss")
            #expect(try kit.press("one", "once")["result"]?["option"] == "dismissAndForwardAction")
        }
    }

    @Test(
        "An invalid pair of the payload is reported with its key, the problem and the expected value",
        arguments: Kit.allCases
    )
    func userInfo(kit: Kit) throws {
        try KitProcess.with(kit) { kit in
            let need = "the key-value pair number must be a string that spells an integer from 1 to 10, it is "
            let rows: [(JSON, String)] = [
                ("11", "\"11\" (string)"), (" 3", "\" 3\" (string)"), ("3.0", "\"3.0\" (string)"),
                (["3"], "[\"3\"] (array)"), (.null, "null (null)"), (true, "true (boolean)"),
            ]
            for (index, (value, finding)) in rows.enumerated() {
                let error = try kit.show("\(index)", title: "integer", number: value)["error"]
                #expect(error?["message"]?.string == need + finding)
                let path = "/params/request/content/userInfo/number"
                #expect(error?["data"] == ["reason": "invalidUserInfo", "path": .string(path)])
            }
            #expect(try kit.show("absent", title: "integer")["error"]?["message"]?.string == need + "missing")
            for spelled in ["3", "03", "+3"] {
                let shown = try kit.show(spelled, title: "integer", number: .string(spelled))
                #expect(shown["result"]?.shownText == "3")
            }
        }
    }

    @Test(
        "An invalid line is answered, a call about an unknown notification is refused, and the process continues",
        arguments: Kit.allCases
    )
    func mistakes(kit: Kit) throws {
        try KitProcess.with(kit) { kit in
            for (line, code) in [("{", -32700), ("[]", -32600), ("{\"jsonrpc\":\"2.0\",\"method\":7}", -32600)] {
                try kit.process.write(line: line)
                let answer = try kit.answer()
                #expect(answer["id"] == .null)
                #expect(answer["error"]?["code"] == JSON(code))
            }
            #expect(try kit.touch("nothing", "logs")["error"]?["data"]?["reason"] == "unknownNotification")
            #expect(try kit.call("mediaPlay", ["notification": 5])["error"]?["code"] == -32602)
            #expect(try kit.show("one")["result"]?.shownText == "shown")
        }
    }

    @Test(
        "A kit's process exits with 0 after deactivate and at the end of input",
        arguments: Kit.allCases,
        [true, false]
    )
    func end(kit: Kit, isAsked: Bool) throws {
        try KitProcess.with(kit) { kit in
            _ = try kit.show("one")
            if isAsked { try kit.process.write(line: #"{"jsonrpc":"2.0","method":"deactivate","params":{}}"#) }
            if !isAsked { kit.process.closeInput() }
            #expect(try kit.process.wait() == .code(0), "\(kit.process.standardError)")
        }
    }

    @Test("Started from a terminal, a kit explains in one line what starts it", arguments: Kit.allCases)
    func terminal(kit: Kit) throws {
        #if os(Linux)
        try withTemporaryDirectory { folder in
            let program = try kit.makeBundle(folder)
            let terminal = try ChildProcess("script", ["-qec", program, "/dev/null"], directory: folder)
            let lines = try terminal.readToEnd().split(whereSeparator: \.isNewline)
            #expect(try terminal.wait() == .code(1))
            let name = kit == .swift ? "kit-extension" : "behaviours.\(kit.suffix)"
            let text = "\(name) is an extension that pushhost starts: pushhost --plugins <bundle>"
            #expect(lines.last.map(String.init) == text)
        }
        #endif
    }
}
