import JSON
import TestSupport
import Testing

/// The rest of Apple's API, with a real process: media, title, layout, offered actions and diagnostics.
@Suite(.waits, .wire) struct ExtensionsMediaTests {
    /// Passes a host to the closure that shows a notification in the kit's extension.
    private func withKit(
        _ attributes: [String: Any] = [:],
        _ body: (HostProcess, JSON) throws -> Void
    ) throws {
        try Workspace.open { workspace in
            let script = "exec '\(try builtProduct("kit-extension"))'"
            try workspace.add(named: "kit", script: script, attributes: attributes)
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["viewDidChange"]])
            let result = try host.result("didReceive", HostProcess.payload("kit", title: "offered"))
            try body(host, result)
            #expect(try host.finish() == .code(0))
        }
    }

    private func touch(_ host: HostProcess, _ notification: JSON, _ behaviour: JSON) throws -> JSON {
        try host.result("interact", ["notification": notification, "element": "way", "value": behaviour])
    }

    @Test(
        "Media play is refused without a button; with one, it goes to the extension, which may report the state itself"
    )
    func media() throws {
        try withKit { host, shown in
            let notification = try #require(shown["notification"])
            for method in ["mediaPlay", "mediaPause"] {
                let error = try host.call(method, [notification])["error"]
                #expect(error?["code"] == 115)
                #expect(error?["data"]?["reason"] == "noMediaButton")
                #expect(error?["data"]?["path"] == "/params/0")
            }
            let media = try touch(host, notification, "appearance")["media"]
            #expect(media?["playing"] == false)
            #expect(try host.result("mediaPlay", [notification])["media"]?["playing"] == true)
            #expect(try host.result("mediaPause", [notification])["media"]?["playing"] == false)

            #expect(try touch(host, notification, "started")["media"]?["playing"] == true)
            let change = try host.notification("viewDidChange")
            #expect(change["notification"] == notification)
            #expect(change["media"]?["playing"] == true)
            #expect(try touch(host, notification, "paused")["media"]?["playing"] == false)
            #expect(try host.notification("viewDidChange")["media"]?["playing"] == false)

            #expect(try touch(host, notification, "no_media")["media"]?["button"] == "none")
            #expect(try host.call("mediaPlay", [notification])["error"]?["code"] == 115)
        }
    }

    @Test("A media state that is set before there is a button is refused, as an error of the extension's own call")
    func startedWithoutButton() throws {
        try withKit { host, shown in
            let params: JSON = [shown["notification"] ?? .null, "way", "started"]
            let error = try host.call("interact", params)["error"]
            #expect(error?["data"]?["reason"] == "extensionRefused")
            #expect(error?["data"]?["cause"]?["data"]?["reason"] == "noMediaButton")
        }
    }

    @Test(
        "An extension's title is used if its plist allows it, and is otherwise reported as ignored",
        arguments: [true, false]
    )
    func title(overrides: Bool) throws {
        try withKit(["UNNotificationExtensionOverridesDefaultTitle": overrides]) { host, shown in
            #expect(shown["layout"]?["overridesDefaultTitle"] == .bool(overrides))
            #expect(shown["content"]?["title"] == "offered")
            #expect(shown["title"] == nil)
            let touched = try touch(host, try #require(shown["notification"]), "appearance")
            #expect(touched["title"] == (overrides ? "A title" : nil))
            let reasons = touched["diagnostics"]?.array?.map { $0["reason"] }
            #expect(reasons == (overrides ? nil : ["titleIgnored"]))
            let list = try host.result("notifications")["notifications"]
            #expect(list?[0]?["title"] == (overrides ? "A title" : "offered"))
        }
    }

    @Test("A title that is set to nil stays, for the extension too")
    func noTitle() throws {
        try withKit(["UNNotificationExtensionOverridesDefaultTitle": true]) { host, shown in
            let notification = try #require(shown["notification"])
            let titles = try ["appearance", "no_title", "same_title"].map {
                try touch(host, notification, .string($0))["title"]
            }
            #expect(titles.allSatisfy { $0 == "A title" })
        }
    }

    @Test("The layout is taken from the plist")
    func layout() throws {
        let attributes: [String: Any] = [
            "UNNotificationExtensionInitialContentSizeRatio": 0.25, "UNNotificationExtensionDefaultContentHidden": true,
        ]
        try withKit(attributes) { _, shown in
            let layout: JSON = [
                "initialContentSizeRatio": 0.25, "defaultContentHidden": true, "overridesDefaultTitle": false,
            ]
            #expect(shown["layout"] == layout)
        }
    }

    @Test("A media call to an extension without a handler is refused, and its button stays")
    func noHandler() throws {
        try Workspace.open { workspace in
            try workspace.add("playsMedia")
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["viewDidChange"]])
            let shown = try host.result("didReceive", HostProcess.payload("playsMedia"))
            #expect(shown["media"] == ["button": "overlay", "tintColor": "#ff0000", "playing": false])
            #expect(shown["diagnostics"]?[0]?["reason"] == "titleIgnored")
            let notification = try #require(shown["notification"])
            try host.result("interact", ["notification": notification, "element": "status"])
            #expect(try host.notification("viewDidChange")["media"]?["playing"] == true)
            let error = try host.call("mediaPause", [notification])["error"]
            #expect(error?["data"]?["cause"]?["code"] == -32601)
            let touched = try host.result("interact", ["notification": notification, "element": "status"])
            #expect(touched["media"]?["playing"] == true)
            #expect(try host.finish() == .code(0))
        }
    }
}
