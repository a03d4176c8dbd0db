import JSON
import TestSupport
import Testing

/// The URL with which an extension asks to open its app, in every language of an extension.
@Suite(.hangs, .wire) struct OpenApplicationTests {
    private static let link: JSON = "https://example.com/a?b=c"
    private static let tap: JSON = "com.apple.UNNotificationDefaultActionIdentifier"

    /// The kit that the extension uses; nil means ExtensionKit.
    private static let kits: [Kit?] = [nil] + Kit.allCases.map(Optional.some)

    @Test("A response that forwards may contain the URL with which the app is opened", arguments: kits)
    func response(kit: Kit?) throws {
        try withKit(kit) { host, notification in
            let stays = try host.result("didReceiveResponse", press(notification, "linkedNowhere"))
            #expect(stays["option"] == "doNotDismiss")
            #expect(stays["url"] == nil)
            // The URL of the previous response is forgotten.
            let result = try host.result("didReceiveResponse", press(notification, "linked"))
            #expect(result["forwarded"] == true)
            #expect(result["url"] == Self.link)
            let opened = try host.notification("openApplication")
            #expect(opened == ["notification": notification, "actionIdentifier": "linked", "url": Self.link])
        }
    }

    @Test("The URL of one response is not sent with the next one", arguments: kits)
    func forgotten(kit: Kit?) throws {
        try withKit(kit) { host, notification in
            _ = try host.result("didReceiveResponse", press(notification, "linkedNowhere"))
            let text: [(String, JSON)] = kit == nil ? [] : [("userText", "a text")]
            let members = try #require(press(notification, "once").object).map { ($0.name, $0.value) }
            let result = try host.result("didReceiveResponse", .object(JSON.Object(members + text)))
            #expect(result["forwarded"] == true)
            #expect(result["url"] == nil)
            let opened = try host.notification("openApplication")
            #expect(opened["actionIdentifier"] == "once")
            #expect(opened["url"] == nil)
        }
    }

    @Test("The default action may be performed with a URL, and an invalid URL is refused by name", arguments: kits)
    func performed(kit: Kit?) throws {
        try withKit(kit) { host, notification in
            let nowhere = try act(host, kit, notification, kit == nil ? "opensNowhere" : "opens_nowhere")
            let cause = nowhere["error"]?["data"]?["cause"]
            #expect(cause?["data"] == ["reason": "mistypedParam", "path": "/params/url"])
            let message = cause?["message"]?.string ?? ""
            #expect(message.contains("url must be an absolute URL such as https://example.com/a"), "\(message)")
            #expect(message.contains(#"it is "nowhere""#), "\(message)")
            #expect(try act(host, kit, notification, "opens")["result"] != nil)
            let opened = try host.notification("openApplication")
            #expect(opened == ["notification": notification, "actionIdentifier": Self.tap, "url": "myapp://home"])
        }
    }

    @Test(
        "A result with an invalid URL is refused, and the error says what is required",
        arguments: [
            (#""nowhere""#, "dismissAndForward", #"url must be an absolute URL such as"#),
            ("5", "dismissAndForward", "it is 5"), ("null", "dismissAndForwardAction", "it is null"),
            (#""https://example.com/a b""#, "dismissAndForward", "percent-encoded"),
            (#""https://example.com""#, "doNotDismiss", "url needs the option dismissAndForward"),
            (#""https://example.com""#, "dismiss", "the option is dismiss"),
        ]
    )
    func wrong(url: String, option: String, text: String) throws {
        let program = """
            #!/usr/bin/env python3
            import json, sys
            null = None
            for message in map(json.loads, sys.stdin):
                if "id" not in message: continue
                response = {"option": "\(option)", "url": \(url)}
                results = {"activate": {"version": "1.0"}, "didReceiveResponse": response}
                result = results.get(message["method"], {})
                print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
            """
        try Workspace.open { workspace in
            let bundle = try workspace.add(named: "linked", script: nil)
            try writeExecutable(program, to: "\(bundle)/run")
            let host = try workspace.host()
            let notification = try #require(try host.show("linked")["result"]?["notification"])
            let error = try host.call("didReceiveResponse", press(notification, Self.tap))["error"]
            #expect(error?["data"]?["reason"] == "badExtensionReply")
            let message = error?["message"]?.string ?? ""
            #expect(message.contains("com.example.linked"), "\(message)")
            #expect(message.contains(text), "\(message)")
            #expect(try host.finish() == .code(0))
        }
    }

    // MARK: Steps

    private func press(_ notification: JSON, _ action: JSON) -> JSON {
        ["notification": notification, "actionIdentifier": action]
    }

    /// Triggers a behaviour: through a touch in the kits' program, through a button in that of ExtensionKit.
    private func act(_ host: HostProcess, _ kit: Kit?, _ notification: JSON, _ behaviour: String) throws -> JSON {
        guard kit != nil else { return try host.call("didReceiveResponse", press(notification, .string(behaviour))) }
        return try host.call("interact", ["notification": notification, "element": "way", "value": .string(behaviour)])
    }

    private func withKit(_ kit: Kit?, _ body: (HostProcess, JSON) throws -> Void) throws {
        try Workspace.open { workspace in
            if let kit {
                try kit.makeBundle("\(workspace.plugins)/kit")
            } else {
                try workspace.add(named: "kit", script: "exec '\(try builtProduct("kit-extension"))'")
            }
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["openApplication"]])
            let shown = try host.result("didReceive", HostProcess.payload("kit"))
            try body(host, try #require(shown["notification"]))
            #expect(try host.finish() == .code(0))
        }
    }
}
