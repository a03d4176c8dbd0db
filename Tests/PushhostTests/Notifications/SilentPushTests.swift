import Foundation
import JSON
import TestSupport
import Testing

/// Notifications without a text, for which a phone shows nothing.
@Suite(.waits, .wire) struct SilentPushTests {
    /// The members of `aps` other than the category.
    static let silent: [JSON] = [
        [:], ["content-available": 1], ["alert": ""], ["alert": [:]], ["alert": ["title": "", "body": ""]],
        ["alert": ["launch-image": "x"]], ["alert": .null], ["badge": 3], ["sound": "default"],
        ["content-available": 1, "badge": 1, "sound": "default"], ["thread-id": "lab", "content-available": 1],
        ["mutable-content": 1, "content-available": 1], ["content-available": 1, "alert": ""],
    ]

    /// Alerts with a text.
    static let visible: [JSON] = ["Body", ["title": "T"], ["subtitle": "S"], ["body": "B"], ["title-loc-key": "K"]]

    private static func payload(_ aps: JSON, category: String = "lab_progress") -> JSON {
        let members = (aps.object ?? JSON.Object([])).map { ($0.name, $0.value) }
        return [
            "aps": .object(JSON.Object([("category", .string(category))] + members)),
            "completed_session_count": "1", "total_session_count": "2",
        ]
    }

    @Test("No extension is called for a notification without a text, and nothing is stored", arguments: silent)
    func nothingRuns(aps: JSON) throws {
        try BundlesHost.with { host in
            let result = try host.result("didReceive", ["payload": Self.payload(aps)])
            #expect(result["extension"] == JSON.null)
            #expect(result["layout"] == JSON.null)
            #expect(result["actions"] == [])
            #expect(result["view"] == ["type": "stack", "id": "notification", "children": []])
            let reasons = result["diagnostics"].elements.map { $0["reason"] }
            #expect(reasons.filter { $0 == "noAlert" }.count == 1, "\(result)")
            #expect(!reasons.contains("noExtension"))
            #expect(try host.pending() == [])
            let starts = try host.result("extensions")["extensions"].elements.map { $0["starts"] }
            #expect(starts.count > 5)
            #expect(starts.filter { $0 != 0 } == [])
        }
    }

    @Test("A silent notification is in no list, and every call that names it says why")
    func noPresentation() throws {
        try BundlesHost.with { host in
            let result = try host.result("didReceive", ["payload": Self.payload(["content-available": 1])])
            let notification = try #require(result["notification"])
            #expect(try host.result("notifications")["notifications"] == [])
            #expect(try host.result("status")["presentations"] == 0)
            let calls: [(String, JSON)] = [
                ("dismiss", ["notification": notification]),
                ("interact", ["notification": notification, "element": "x"]),
                ("notifications", ["notification": notification]),
                ("saveCustomEvent", ["suite": "s", "name": "E", "notification": notification]),
            ]
            for (method, params) in calls {
                let error = try host.error(method, params)
                #expect(error["data"]?["reason"] == "noPresentation", "\(method)")
                #expect(error["data"]?["ended"]?.string?.contains("no alert") == true, "\(error)")
                #expect(error["message"]?.string?.contains("was never shown") == true, "\(error)")
            }
        }
    }

    @Test("The diagnostic contains the path, and says where a push with content-available goes")
    func diagnostic() throws {
        try BundlesHost.with { host in
            func diagnostic(_ aps: JSON) throws -> JSON {
                let result = try host.result("didReceive", ["payload": Self.payload(aps)])
                return try #require(result["diagnostics"].elements.first { $0["reason"] == "noAlert" })
            }
            let background = try diagnostic(["content-available": 1])
            #expect(background["path"] == "/params/payload/aps")
            #expect(background["message"]?.string?.contains("content-available") == true)
            let empty = try diagnostic(["alert": ["title": ""]])
            #expect(empty["path"] == "/params/payload/aps/alert")
            #expect(empty["message"]?.string?.contains("content-available") == false)
        }
    }

    @Test("A text of any kind is shown, also with content-available", arguments: visible)
    func shown(alert: JSON) throws {
        try BundlesHost.with { host in
            for aps: JSON in [["alert": alert], ["alert": alert, "content-available": 1]] {
                let result = try host.result("didReceive", ["payload": Self.payload(aps)])
                #expect(result["extension"] == "com.example.pushhost.session-progress")
                #expect(!result["diagnostics"].elements.contains { $0["reason"] == "noAlert" })
            }
            #expect(try host.pending().count == 2)
        }
    }

    @Test("A key whose localized text is empty shows nothing")
    func emptyText() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("good")
            try FileManager.default.createDirectory(atPath: "\(folder)/en.lproj", withIntermediateDirectories: true)
            try Data(#""EMPTY" = "";"#.utf8).write(to: URL(filePath: "\(folder)/en.lproj/Localizable.strings"))
            let host = try workspace.host()
            let payload: JSON = ["aps": ["category": "good", "alert": ["loc-key": "EMPTY"]]]
            let result = try host.result("didReceive", ["payload": payload])
            #expect(result["extension"] == JSON.null)
            #expect(result["diagnostics"].elements.map { $0["reason"] } == ["noAlert"])
            #expect(try host.describe("good")["starts"] == 0)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A silent push does not change what its thread shows")
    func thread() throws {
        try BundlesHost.with { host in
            let alert: JSON = ["alert": "Hello", "thread-id": "lab"]
            let shown = try host.result("didReceive", ["payload": Self.payload(alert)])
            let silent: JSON = ["content-available": 1, "thread-id": "lab"]
            _ = try host.result("didReceive", ["payload": Self.payload(silent)])
            let listed = try host.result("notifications")["notifications"].elements
            #expect(listed.map { $0["notifications"] } == [[shown["notification"] ?? .null]])
        }
    }
}
