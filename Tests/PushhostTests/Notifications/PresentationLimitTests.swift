import JSON
import TestSupport
import Testing

/// Notifications that are never dismissed do not accumulate forever.
@Suite(.waits, .wire) struct PresentationLimitTests {
    private static let reason: JSON = "more than 3 notifications were shown, and it was the oldest"

    @Test(
        "Beyond the limit the oldest presentation ends, and client and extension receive the reason",
        arguments: ["good", "nobody"]
    )
    func oldest(category: String) throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host(["--presentations", "3"])
            try host.result("subscribe", ["topics": ["didDismiss"]])
            let all = try (0..<5).map { _ in try host.shown(category) }
            for old in all.prefix(2) {
                let dismissal = try host.notification("didDismiss")
                #expect(dismissal["notification"] == old)
                #expect(dismissal["reason"] == Self.reason)
                let reply = try host.call("interact", ["notification": old, "element": "x"])
                #expect(reply["error"]?["data"]?["reason"] == "noPresentation")
                #expect(reply["error"]?["data"]?["ended"] == Self.reason)
            }
            let shown = try #require(try host.result("notifications")["notifications"]?.array)
            #expect(shown.map { $0["notification"] } == all.suffix(3).map { $0 })
            #expect(try host.result("status")["presentations"] == 3)
        }
    }

    @Test("If all notifications joined one presentation, those that joined first are removed")
    func joined() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host(["--presentations", "3"])
            let payload: JSON = ["aps": ["category": "good", "thread-id": "t", "alert": "Hello"]]
            let all = try (0..<5).map { _ in
                try #require(try host.result("didReceive", ["payload": payload])["notification"])
            }
            let shown = try #require(try host.result("notifications")["notifications"]?[0])
            #expect(shown["notification"] == all[0])
            #expect(shown["notifications"] == JSON([all[0], all[3], all[4]]))
            for old in all[1...2] {
                let error = try host.call("dismiss", ["notification": old])["error"]
                #expect(error?["data"]?["reason"] == "noPresentation")
                #expect(error?["data"]?["ended"] == Self.reason)
            }
            #expect(try host.result("dismiss", ["notification": all[4]])["dismissed"] == true)
        }
    }
}
