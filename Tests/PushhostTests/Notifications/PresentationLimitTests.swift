import JSON
import JSONRPC
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

    @Test("The reason is remembered for the 10,000 notifications that ended last")
    func memory() throws {
        try Workspace.open { workspace in
            let host = try workspace.host(["--presentations", "1"])
            var ended: [JSON] = []
            for _ in 0..<10_003 { ended.append(try host.shown("nobody")) }
            ended.removeLast()
            for (number, reason) in [(0, "unknown"), (1, "unknown"), (2, "noPresentation"), (10_001, "noPresentation")]
            {
                let error = try host.error("dismiss", ["notification": ended[number]])
                #expect(error.data?["reason"]?.string?.hasPrefix(reason) == true, "\(number)")
            }
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
