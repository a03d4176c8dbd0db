import JSON
import TestSupport
import Testing

/// Notifications that nobody dismisses do not live for ever.
@Suite(.hangs, .wire) struct PresentationLimitTests {
    private static let reason: JSON = "more than 3 notifications were shown, and it was the oldest"

    @Test("Past the limit the oldest presentation ends, and everybody is told why", arguments: ["good", "nobody"])
    func oldest(category: String) throws {
        try Workshop.open { workshop in
            try workshop.add("good")
            let host = try workshop.host(["--presentations", "3"])
            try host.result("subscribe", ["topics": ["didDismiss"]])
            let all = try (0..<5).map { _ in try host.shown(category) }
            for old in all.prefix(2) {
                let told = try host.notification("didDismiss")
                #expect(told["notification"] == old)
                #expect(told["reason"] == Self.reason)
                let reply = try host.call("interact", ["notification": old, "element": "x"])
                #expect(reply["error"]?["data"]?["reason"] == "noPresentation")
                #expect(reply["error"]?["data"]?["ended"] == Self.reason)
            }
            let shown = try #require(try host.result("notifications")["notifications"]?.array)
            #expect(shown.map { $0["notification"] } == all.suffix(3).map { $0 })
            #expect(try host.result("status")["presentations"] == 3)
        }
    }

    @Test("Where all joined one presentation, the first that joined it go")
    func joined() throws {
        try Workshop.open { workshop in
            try workshop.add("good")
            let host = try workshop.host(["--presentations", "3"])
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
