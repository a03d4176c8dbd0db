import JSON
import TestSupport
import Testing

/// The URL with which an extension asks to open its app, in every language of an extension.
@Suite(.waits, .wire) struct OpenApplicationTests {
    private static let link: JSON = "https://example.com/a?b=c"
    private static let tap: JSON = "com.apple.UNNotificationDefaultActionIdentifier"

    @Test("A response that forwards may contain the URL with which the app is opened", arguments: Kit.allCases)
    func response(kit: Kit) throws {
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

    @Test("The URL of one response is not sent with the next one", arguments: Kit.allCases)
    func forgotten(kit: Kit) throws {
        try withKit(kit) { host, notification in
            _ = try host.result("didReceiveResponse", press(notification, "linkedNowhere"))
            let text: JSON = ["notification": notification, "actionIdentifier": "once", "userText": "a text"]
            let result = try host.result("didReceiveResponse", text)
            #expect(result["forwarded"] == true)
            #expect(result["url"] == nil)
            let opened = try host.notification("openApplication")
            #expect(opened["actionIdentifier"] == "once")
            #expect(opened["url"] == nil)
        }
    }

    @Test(
        "The default action may be performed with a URL, and an invalid URL is refused by name",
        arguments: Kit.allCases
    )
    func performed(kit: Kit) throws {
        try withKit(kit) { host, notification in
            let nowhere = try touch(host, notification, "opens_nowhere")
            let cause = nowhere["error"]?["data"]?["cause"]
            #expect(cause?["data"] == ["reason": "mistypedParam", "path": "/params/url"])
            let message = cause?["message"]?.string ?? ""
            #expect(message.contains("url must be an absolute URL such as https://example.com/a"), "\(message)")
            #expect(message.contains(#"it is "nowhere""#), "\(message)")
            #expect(try touch(host, notification, "opens")["result"] != nil)
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

    @Test("A button without foreground and a swipe reach the app in the background, and do not open it")
    func background() throws {
        try Workspace.open { workspace in
            let host = try workspace.host()
            _ = try host.result("subscribe", ["topics": ["openApplication"]])
            let category: JSON = [
                "identifier": "rate", "actions": [["identifier": "LATER", "title": "Later"]],
                "options": ["customDismissAction"],
            ]
            _ = try host.result("setNotificationCategories", ["categories": [category]])
            let swipe = "com.apple.UNNotificationDismissActionIdentifier"
            let inBackground: [(String, String, String)] = [
                ("ab_cat_yes_no", "ab_pb_no", "dismissAndForward"), ("rate", "LATER", "dismissAndForward"),
                ("rate", swipe, "dismiss"),
            ]
            for (category, action, option) in inBackground {
                let notification = try host.shown(category)
                let result = try host.result("didReceiveResponse", press(notification, .string(action)))
                #expect(result == ["option": .string(option), "forwarded": true, "background": true], "\(action)")
            }
            let notification = try host.shown("ab_cat_yes_no")
            let opens = try host.result("didReceiveResponse", press(notification, "ab_pb_yes"))
            #expect(opens == ["option": "dismissAndForward", "forwarded": true])
            // The first notification about an opened app is that of the only action that opens it.
            #expect(try host.notification("openApplication")["actionIdentifier"] == "ab_pb_yes")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A tap opens Braze's link of the payload, in a web view if Braze asks for one")
    func brazeLink() throws {
        let payload: JSON = [
            "aps": ["alert": "Sale", "category": "ab_cat_more"], "ab": ["c": .null],
            "ab_uri": "https://example.com/sale?a=b", "ab_use_webview": true,
        ]
        try Workspace.open { workspace in
            let host = try workspace.host()
            _ = try host.result("subscribe", ["topics": ["openApplication"]])
            func respond(_ action: JSON) throws -> (result: JSON, opened: JSON) {
                let shown = try host.result("didReceive", ["payload": payload])
                let result = try host.result("didReceiveResponse", press(try #require(shown["notification"]), action))
                return (result, try host.notification("openApplication"))
            }
            let tap = try respond(Self.tap)
            for members in [tap.result, tap.opened] {
                #expect(members["url"] == "https://example.com/sale?a=b")
                #expect(members["useWebView"] == true)
            }
            let button = try respond("ab_pb_more")
            #expect(button.result == ["option": "dismissAndForward", "forwarded": true])
            #expect(button.opened["url"] == nil)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("The default action that an extension performs without a URL opens Braze's link")
    func performedLink() throws {
        let program = """
            #!/usr/bin/env python3
            import json, sys
            for message in map(json.loads, sys.stdin):
                if "id" not in message or "method" not in message: continue
                if message["method"] == "didReceiveResponse":
                    params = {"notification": message["params"]["notification"]}
                    call = {"jsonrpc": "2.0", "method": "performNotificationDefaultAction", "params": params}
                    print(json.dumps(call), flush=True)
                results = {"activate": {"version": "1.0"}, "didReceiveResponse": {"option": "doNotDismiss"}}
                result = results.get(message["method"], {})
                print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
            """
        try Workspace.open { workspace in
            let bundle = try workspace.add(named: "performs", script: nil)
            try writeExecutable(program, to: "\(bundle)/run")
            let host = try workspace.host()
            _ = try host.result("subscribe", ["topics": ["openApplication"]])
            let payload: JSON = ["aps": ["alert": "A", "category": "performs"], "ab_uri": "myapp://offer"]
            let notification = try #require(try host.result("didReceive", ["payload": payload])["notification"])
            _ = try host.result("didReceiveResponse", press(notification, Self.tap))
            let opened = try host.notification("openApplication")
            #expect(opened == ["notification": notification, "actionIdentifier": Self.tap, "url": "myapp://offer"])
            #expect(try host.finish() == .code(0))
        }
    }

    // MARK: Steps

    private func press(_ notification: JSON, _ action: JSON) -> JSON {
        ["notification": notification, "actionIdentifier": action]
    }

    private func touch(_ host: HostProcess, _ notification: JSON, _ behaviour: JSON) throws -> JSON {
        try host.call("interact", ["notification": notification, "element": "way", "value": behaviour])
    }

    private func withKit(_ kit: Kit, _ body: (HostProcess, JSON) throws -> Void) throws {
        try Workspace.open { workspace in
            try kit.makeBundle("\(workspace.plugins)/kit")
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["openApplication"]])
            let shown = try host.result("didReceive", HostProcess.payload("kit"))
            try body(host, try #require(shown["notification"]))
            #expect(try host.finish() == .code(0))
        }
    }
}
