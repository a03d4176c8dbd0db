import JSON
import TestSupport
import Testing

/// Notifications that are delivered, and opened later or never.
@Suite(.waits, .wire) struct BannerTests {
    private static let tap: JSON = "com.apple.UNNotificationDefaultActionIdentifier"
    private static let dismissal: JSON = "com.apple.UNNotificationDismissActionIdentifier"

    private static func payload(_ category: String, thread: String? = nil) -> JSON {
        let aps = JSON(present: [
            "alert": ["title": "T", "body": "B"], "category": .string(category), "thread-id": thread.map(JSON.string),
        ])
        return [
            "aps": aps, "braze_id": "ada", "completed_session_count": "1", "total_session_count": "2",
            "cert_title": "C", "cert_description": "D",
        ]
    }

    private static func deliver(_ host: BundlesHost, _ category: String, thread: String? = nil) throws -> JSON {
        try host.result("didReceive", ["payload": payload(category, thread: thread), "expand": false])
    }

    private static func starts(_ host: BundlesHost) throws -> Int64 {
        try host.result("extensions")["extensions"].elements.reduce(0) { $0 + ($1["starts"]?.integer ?? 0) }
    }

    @Test("A banner that nobody opens starts no extension and saves nothing; opened, it saves what it saves at once")
    func unopened() throws {
        try BundlesHost.with { host in
            let banner = try Self.deliver(host, "lab_progress")
            #expect(banner["expanded"] == false && banner["view"] == ["type": "stack", "children": []])
            #expect(banner["extension"] == "com.example.pushhost.session-progress")
            #expect(banner["content"]?["title"] == "T" && banner["layout"]?["initialContentSizeRatio"] != nil)
            #expect(try host.pending() == [] && Self.starts(host) == 0)
            let notification = try #require(banner["notification"])
            let listed = try host.result("notifications", ["notification": notification])["notifications"]
            #expect(listed.elements.first?["expanded"] == false)
            let opened = try host.result("expand", ["notification": notification])
            #expect(opened["view"]?["children"].elements.isEmpty == false && opened["expanded"] == nil)
            let saved = try host.pending()
            #expect(!saved.isEmpty)
            // What is open already stays as it is.
            #expect(try host.result("expand", ["notification": notification])["view"] == opened["view"])
            #expect(try host.pending().count == saved.count && Self.starts(host) == 1)
        }
    }

    @Test("An opened banner shows what didReceive shows at once")
    func same() throws {
        try BundlesHost.with { host in
            let atOnce = try host.result("didReceive", ["payload": Self.payload("lab_register")])
            let banner = try Self.deliver(host, "lab_register")
            let opened = try host.result("expand", ["notification": try #require(banner["notification"])])
            #expect(opened["view"] == atOnce["view"] && opened["actions"] == atOnce["actions"])
        }
    }

    @Test("A tap on a banner opens the app, and the extension learns of nothing")
    func tap() throws {
        try BundlesHost.with { host in
            let banner = try Self.deliver(host, "lab_register")
            let params: JSON = ["notification": try #require(banner["notification"]), "actionIdentifier": Self.tap]
            let result = try host.result("didReceiveResponse", params)
            #expect(result["option"] == "dismissAndForward" && result["forwarded"] == true)
            #expect(try host.error("didReceiveResponse", params)["data"]?["reason"] == "noPresentation")
            #expect(try Self.starts(host) == 0)
        }
    }

    @Test("A dismissal of a banner reaches the app only with customDismissAction", arguments: [true, false])
    func dismissal(isCustom: Bool) throws {
        try BundlesHost.with { host in
            let options: JSON = isCustom ? ["customDismissAction"] : []
            let category: JSON = ["identifier": "lab_register", "actions": [], "options": options]
            _ = try host.result("setNotificationCategories", ["categories": [category]])
            let banner = try Self.deliver(host, "lab_register")
            let notification = try #require(banner["notification"])
            let params: JSON = ["notification": notification, "actionIdentifier": Self.dismissal]
            let result = try host.result("didReceiveResponse", params)
            #expect(result["option"] == "dismiss" && result["forwarded"] == .bool(isCustom))
            #expect(try Self.starts(host) == 0)
        }
    }

    @Test("What needs an open notification is refused with what to do")
    func refusals() throws {
        try BundlesHost.with { host in
            let category: JSON = ["identifier": "lab_register", "actions": [["identifier": "GO", "title": "Go"]]]
            _ = try host.result("setNotificationCategories", ["categories": [category]])
            let notification = try #require(try Self.deliver(host, "lab_register")["notification"])
            let touch = try host.error("interact", ["notification": notification, "element": "email", "value": "a"])
            #expect(touch["data"]?["reason"] == "unknownElement")
            #expect(touch["message"]?.string?.contains("call expand first") == true)
            let press = try host.error(
                "didReceiveResponse",
                ["notification": notification, "actionIdentifier": "GO"]
            )
            #expect(press["data"]?["reason"] == "unknownAction")
            #expect(press["message"]?.string?.contains("call expand first") == true)
            #expect(try host.result("dismiss", ["notification": notification])["dismissed"] == true)
            #expect(try Self.starts(host) == 0)
        }
    }

    @Test("A later notification joins an open one of its thread at once, and never a banner")
    func threads() throws {
        try BundlesHost.with { host in
            let first = try Self.deliver(host, "lab_progress", thread: "t")
            let second = try Self.deliver(host, "lab_progress", thread: "t")
            #expect(try Self.starts(host) == 0)
            _ = try host.result("expand", ["notification": try #require(first["notification"])])
            let third = try Self.deliver(host, "lab_progress", thread: "t")
            #expect(third["expanded"] == nil && third["view"]?["children"].elements.isEmpty == false)
            let list = try host.result("notifications")["notifications"].elements
            #expect(list.map { $0["notifications"].elements.count } == [2, 1])
            #expect(list.last?["notification"] == second["notification"] && list.last?["expanded"] == false)
        }
    }

    @Test("render draws a banner alone, and the notification once it is open")
    func render() throws {
        try BundlesHost.with { host in
            let notification = try #require(try Self.deliver(host, "lab_register")["notification"])
            func drawn() throws -> String {
                let params: JSON = ["notification": notification, "format": "text"]
                return try host.result("render", params)["text"]?.string ?? ""
            }
            let banner = try drawn()
            #expect(banner.contains("│ T ") && !banner.contains("#email"), "\(banner)")
            _ = try host.result("expand", ["notification": notification])
            #expect(try drawn().contains("#email"))
        }
    }

    @Test("What an extension has set before it failed to open is no part of the banner")
    func halfMade() throws {
        try Workspace.open { workspace in
            let script = """
                #!/usr/bin/env python3
                import json, sys
                def send(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
                for line in sys.stdin:
                    call = json.loads(line)
                    if call["method"] == "activate": send(id=call["id"], result={"version": "1.0"})
                    if call["method"] != "didReceive": continue
                    own = {"notification": call["params"]["notification"]}
                    send(method="setView", params={**own, "view": {"type": "button", "id": "b", "title": "half made"}})
                    action = {"identifier": "A", "title": "A"}
                    send(method="setNotificationActions", params={**own, "actions": [action]})
                    send(id=call["id"], error={"code": 1, "message": "no"})

                """
            try writeExecutable(script, to: "\(try workspace.add("good"))/run")
            let host = try workspace.host()
            let payload = HostProcess.payload("good").setting("expand", to: false)
            let notification = try #require(try host.result("didReceive", payload)["notification"])
            let banner = try host.result("notifications", ["notification": notification])
            let refusal = try host.call("expand", ["notification": notification])["error"]
            #expect(refusal?["data"]?["reason"] == "extensionRefused", "\(String(describing: refusal))")
            #expect(try host.result("notifications", ["notification": notification]) == banner)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An extension that fails to open leaves the banner")
    func failure() throws {
        try BundlesHost.with { host in
            // It refuses a payload without its key-value pairs.
            let notification = try #require(try Self.deliver(host, "like")["notification"])
            for _ in 1...2 {
                #expect(
                    try host.error("expand", ["notification": notification])["data"]?["reason"] == "extensionRefused"
                )
            }
            let listed = try host.result("notifications")["notifications"].elements
            #expect(listed.map { $0["expanded"] } == [false])
        }
    }
}
