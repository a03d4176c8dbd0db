import Foundation
import JSON
import TestSupport
import Testing

/// The kits' protocol messages, with the test as the host, where a real host would hide the detail.
@Suite(.waits, .wire) struct KitsWireTests {
    @Test("The offered buttons can be read; if the host sends none, the list is empty", arguments: Kit.allCases)
    func offered(kit: Kit) throws {
        try KitProcess.with(kit) { kit throws in
            let actions: JSON = [
                ["identifier": "A", "title": "a", "options": []],
                ["identifier": "B", "title": "b", "options": ["foreground"], "textInput": ["placeholder": "text"]],
            ]
            #expect(try kit.show("one", title: "offered", actions: actions)["result"]?.shownText == "A B")
            #expect(try kit.show("two", title: "offered")["result"]?.shownText == "")
        }
    }

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

    @Test("Title and media are sent when they are set, and stay unchanged afterwards", arguments: Kit.allCases)
    func appearance(kit: Kit) throws {
        try KitProcess.with(kit) { kit in
            _ = try kit.show("one")
            let result = try kit.touch("one", "appearance")["result"]
            #expect(result?["title"] == "A title")
            #expect(result?["media"]?["button"] == "overlay")
            #expect(result?["media"]?["frame"]?["height"]?.number == 4)
            #expect(result?["media"]?["tintColor"] == "#ff0000")
            #expect(result?["view"] == nil)
            #expect(try kit.touch("one", "logs")["result"] == [:])
            #expect(try kit.call("mediaPlay", ["notification": "one"])["result"]?.shownText == "plays")
            #expect(try kit.call("mediaPause", ["notification": "one"])["error"]?["code"] == -32601)
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
            let params: JSON = ["one"]
            #expect(try kit.call("mediaPlay", params)["error"]?["code"] == -32602)
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
            let text = "behaviours.\(kit.suffix) is an extension that pushhost starts: pushhost --plugins <bundle>"
            #expect(lines.last.map(String.init) == text)
        }
        #endif
    }
}

/// The program that uses a kit, with the test as its host.
private final class KitProcess {
    let process: ChildProcess
    private var last: Int64 = 0

    private init(_ process: ChildProcess) { self.process = process }

    /// Runs the closure with an activated process.
    static func with(_ kit: Kit, _ body: (KitProcess) throws -> Void) throws {
        try withTemporaryDirectory { folder in
            let program = try kit.makeBundle(folder)
            let process = KitProcess(try ChildProcess(program, directory: folder))
            let params: JSON = ["version": "1.0", "bundle": "com.example.kit", "locale": "en", "suites": []]
            #expect(try process.call("activate", params)["result"] == ["version": "1.0"])
            try body(process)
        }
    }

    func call(_ method: String, _ params: JSON) throws -> JSON {
        last += 1
        let call: JSON = ["jsonrpc": "2.0", "id": .integer(last), "method": .string(method), "params": params]
        try process.write(line: call.description)
        let answer = try answer()
        #expect(answer["id"] == .integer(last))
        return answer
    }

    /// The next message that is not a call from the program; lines printed before the kit's import are skipped.
    func answer() throws -> JSON {
        while let line = try process.readLine() {
            guard line.hasPrefix("{") else { continue }
            let message = try JSON(parsing: line)
            if message["method"] == nil { return message }
        }
        throw TestFailure("it ended before it answered: \(process.standardError)")
    }

    func show(
        _ notification: String,
        title: String = "Hello",
        actions: JSON? = nil,
        number: JSON? = nil
    ) throws -> JSON {
        let userInfo = JSON.Object([("aps", [:])] + (number.map { [("number", $0)] } ?? []))
        let request: JSON = [
            "identifier": .string(notification), "date": "2026-01-01T00:00:00.000Z",
            "content": ["title": .string(title), "userInfo": .object(userInfo)],
        ]
        let offered = actions.map { [("actions", $0)] } ?? []
        let params: [(String, JSON)] = [("notification", .string(notification)), ("request", request)]
        return try call("didReceive", .object(JSON.Object(params + offered)))
    }

    func touch(_ notification: String, _ behaviour: String) throws -> JSON {
        let params: JSON = ["notification": .string(notification), "element": "way", "value": .string(behaviour)]
        return try call("interact", params)
    }

    func press(_ notification: String, _ action: String) throws -> JSON {
        try call("didReceiveResponse", ["notification": .string(notification), "actionIdentifier": .string(action)])
    }
}
