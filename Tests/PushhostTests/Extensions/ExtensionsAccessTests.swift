import Foundation
import JSON
import TestSupport
import Testing

/// What an extension can reach: its own App Groups and notifications, and nothing of the host's environment.
@Suite(.waits, .wire) struct ExtensionsAccessTests {
    private static let other = "group.com.example.other"
    private static let suiteMethods = [
        "saveCustomEvent", "saveCustomAttribute", "saveUserAttribute", "store", "retrieve", "removeObject",
    ]

    /// What the extension found, as its view shows it.
    private func findings(_ host: HostProcess, _ name: String, title: String = "") throws -> JSON {
        let aps: JSON = ["category": .string(name), "alert": ["title": .string(title), "body": "Hello"]]
        let result = try host.result("didReceive", ["payload": ["aps": aps]])
        return try JSON(parsing: try #require(result["view"]?["text"]?.string))
    }

    @Test(
        "An extension may call the methods of a suite only for the App Groups in its entitlements, compared exactly",
        arguments: [other, "GROUP.com.example.hostile", "group.com.example.hostile ", "../suites/x", ""]
    )
    func suites(suite: String) throws {
        try Workspace.open { workspace in
            try workspace.add("touchesSuite")
            let host = try workspace.host()
            for name in [Self.other, "standard"] {
                try host.result("store", ["suite": .string(name), "key": "secret", "value": "s3cret"])
            }
            let found = try findings(host, "touchesSuite", title: suite)
            // Without a title it names no suite and uses its own.
            let isOwn = suite.isEmpty
            for method in Self.suiteMethods {
                #expect((found[method] == "notEntitled") == !isOwn, "\(method): \(found)")
            }
            #expect(!found.description.contains("s3cret"))
            let list = try host.result("suites")["suites"]?.array?.compactMap { $0["suite"]?.string }
            #expect(list == (isOwn ? [Workspace.group] : []) + [Self.other, "standard"])
            for name in [Self.other, "standard"] {
                let params: JSON = ["suite": .string(name), "key": "secret"]
                #expect(try host.result("retrieve", params)["value"] == "s3cret")
                #expect(try host.result("pending", ["suite": .string(name)])["total"] == 0)
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("The suite standard of an extension is its own: it takes values and no records, and is not the host's")
    func standard() throws {
        try Workspace.open { workspace in
            try workspace.add("touchesSuite")
            let host = try workspace.host()
            let secret: JSON = ["suite": "standard", "key": "secret"]
            try host.result("store", ["suite": "standard", "key": "secret", "value": "s3cret"])
            let found = try findings(host, "touchesSuite", title: "standard")
            for method in Self.suiteMethods {
                #expect((found[method] == "notEntitled") == method.hasPrefix("save"), "\(method): \(found)")
            }
            #expect(!found.description.contains("s3cret"))
            #expect(try host.result("retrieve", secret)["value"] == "s3cret")
            let identifier = try #require(try host.result("extensions")["extensions"]?[0]?["identifier"]?.string)
            let suites = try host.result("suites")["suites"]?.array?.compactMap { $0["suite"]?.string }
            #expect(suites == [identifier, "standard"].sorted())
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An extension may use each of its App Groups, and none without entitlements", arguments: [true, false])
    func groups(hasEntitlements: Bool) throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("touchesSuite")
            let groups = [Workspace.group, Self.other]
            let file = URL(filePath: "\(folder)/run.entitlements")
            if hasEntitlements {
                let list: [String: Any] = ["com.apple.security.application-groups": groups]
                try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: file)
            } else {
                try FileManager.default.removeItem(at: file)
            }
            let host = try workspace.host()
            for title in [""] + groups {
                let found = try findings(host, "touchesSuite", title: title)
                for method in Self.suiteMethods { #expect((found[method] == "notEntitled") == !hasEntitlements) }
            }
            let suites = try host.result("suites")["suites"]?.array?.compactMap { $0["suite"]?.string }
            #expect(suites == (hasEntitlements ? groups.sorted() : []))
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Methods that only clients may call do not exist for an extension")
    func clientMethods() throws {
        try Workspace.open { workspace in
            try workspace.add("callsClientMethods")
            let host = try workspace.host()
            let found = try findings(host, "callsClientMethods")
            #expect(found.object?.count == 26)
            for (method, reason) in found.object ?? JSON.Object([]) { #expect(reason == "methodNotFound", "\(method)") }
            #expect(try host.result("notifications")["notifications"]?.array?.count == 1)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Another extension's notification and one that was never received are unknown to an extension")
    func others() throws {
        try Workspace.open { workspace in
            for name in ["good", "touchesOthers"] { try workspace.add(name) }
            let host = try workspace.host()
            try host.result("subscribe", ["topics": ["viewDidChange", "didDismiss", "openApplication"]])
            let notification = try host.shown("good")
            for name in [try #require(notification.string), "never"] {
                let found = try findings(host, "touchesOthers", title: name)
                #expect(found.object?.count == 10)
                for (method, reason) in found.object ?? JSON.Object([]) {
                    #expect(reason == "unknownNotification", "\(method)")
                }
            }
            let touched = try host.result("interact", ["notification": notification, "element": "status"])
            #expect(touched["actions"]?[0]?["identifier"] == "again")
            #expect(try host.result("pending", ["suite": .string(Workspace.group)])["total"] == 0)
            #expect(host.notifications.isEmpty, "no notification about a change was sent")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "An extension sees only allowed environment variables, no path of the host and no descriptor except its pipes"
    )
    func surroundings() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add("tellsSurroundings")
            try Data("secret".utf8).write(to: URL(filePath: "\(workspace.root)/secret"))
            let own = ["HOME": "/home/ada", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin"]
            let secrets = [
                "BRAZE_API_KEY": "s3cret", "AWS_SECRET_ACCESS_KEY": "s3cret", "PUSHHOST_TOKEN": "s3cret",
                "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "", "XDG_DATA_HOME": "/x",
                "USER": "ada", "SSH_AUTH_SOCK": "/s3cret", "LCX": "s3cret",
            ]
            // The host inherits a descriptor, which it must not pass on.
            let wrapper = ["/bin/sh", "-c", "exec \"$@\" 7<'\(workspace.root)/secret'", "sh"]
            let host = try workspace.host(environment: own.merging(secrets) { $1 }, under: wrapper)
            let found = try findings(host, "tellsSurroundings")
            let marks: Set = ["PUSHHOST_HOST", "PUSHHOST_EXTENSION", "PWD", "OLDPWD", "SHLVL", "_"]
            let environment = try #require(found["environment"]?.object)
            let rest = environment.filter { !marks.contains($0.0) }.map { ($0.0, $0.1.string ?? "") }
            let variables = Dictionary(rest) { $1 }
            #expect(variables["TMPDIR"]?.contains("/pushhost-extension-") == true, "a folder of its own")
            #expect(
                variables.filter { $0.key != "TMPDIR" } == own,
                "the shell that starts it adds PWD and the like"
            )
            #expect(found["descriptors"] == [0, 1, 2])
            #expect(found["folder"] == .string(folder))
            #expect(found["isGroupLeader"] == true)
            #expect(!found.description.contains("s3cret"))
            #expect(!found.description.contains(workspace.data))
            #expect(try host.finish() == .code(0))
        }
    }
}
