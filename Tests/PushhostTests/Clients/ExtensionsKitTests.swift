import JSON
import TestSupport
import Testing

/// How ExtensionKit handles the ways in which authors complete a response.
@Suite(.waits, .wire) struct ExtensionsKitTests {
    @Test(
        "The first completion counts, on any thread, and without one the notification stays",
        arguments: [
            ("once", "dismissAndForward", nil), ("twice", "doNotDismiss", "completionTwice"),
            ("later", "dismiss", nil), ("never", "doNotDismiss", "completionMissing"),
        ] as [(String, JSON, String?)]
    )
    func completion(action: String, option: JSON, reason: String?) throws {
        try withKit { host, notification in
            let params: JSON = ["notification": notification, "actionIdentifier": .string(action)]
            let result = try host.result("didReceiveResponse", params)
            #expect(result["option"] == option)
            #expect(result["view"]?["text"] == (option == "doNotDismiss" ? .string(action) : nil))
            let reasons = result["diagnostics"]?.array?.map { $0["reason"]?.string } ?? []
            #expect(reasons == (reason.map { [$0] } ?? []))
        }
    }

    @Test("An error refuses the response, even after a completion", arguments: ["refused", "refusedAfterwards"])
    func refusal(action: String) throws {
        try withKit { host, notification in
            let params: JSON = ["notification": notification, "actionIdentifier": .string(action)]
            let data = try host.call("didReceiveResponse", params)["error"]?["data"]
            #expect(data?["reason"] == "extensionRefused")
            #expect(data?["cause"]?["data"]?["reason"] == "notNow")
            #expect(try host.result("notifications")["notifications"]?.array?.count == 1)
            let again: JSON = ["notification": notification, "actionIdentifier": "twice"]
            let kept = try host.result("didReceiveResponse", again)
            #expect(kept["option"] == "doNotDismiss")
        }
    }

    @Test(
        "A number that is not finite refuses a save or a reply with its path, and the extension continues",
        arguments: [
            ("savesNaN", 1, "invalidRecord", "/params/properties/list/1/a~1b", "nan"),
            ("framesInfinity", -32603, "internalError", "/result/media/frame/x", "inf"),
        ] as [(String, JSON, JSON, String, String)]
    )
    func notFinite(action: String, code: JSON, reason: JSON, path: String, number: String) throws {
        try withKit { host, notification in
            let pid = try host.pid(of: "kit")
            let params: JSON = ["notification": notification, "actionIdentifier": .string(action)]
            let cause = try host.call("didReceiveResponse", params)["error"]?["data"]?["cause"]
            #expect(cause?["code"] == code)
            #expect(cause?["data"]?["reason"] == reason)
            let message = "JSON has no \(number), which is at \(path): pass a finite number"
            #expect(cause?["message"]?.string?.hasSuffix(message) == true, "\(cause ?? .null)")
            let again: JSON = ["notification": notification, "actionIdentifier": "twice"]
            #expect(try host.result("didReceiveResponse", again)["media"] == nil)
            #expect(try host.pid(of: "kit") == pid)
        }
    }

    /// Passes a host to the closure that shows a notification in the extension and is subscribed to its log.
    private func withKit(_ body: (HostProcess, JSON) throws -> Void) throws {
        try Workspace.open { workspace in
            try workspace.add(named: "kit", script: "exec '\(try builtProduct("kit-extension"))'")
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["$/log"]])
            let result = try host.result("didReceive", HostProcess.payload("kit"))
            #expect(result.shownText == "shown")
            try body(host, try #require(result["notification"]))
            #expect(try host.finish() == .code(0))
        }
    }
}
