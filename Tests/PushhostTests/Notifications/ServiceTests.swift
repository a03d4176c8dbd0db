import JSON
import TestSupport
import Testing

/// What a service extension may change, when it is called, and how its failures are handled.
@Suite(.waits, .wire) struct ServiceTests {
    private let original: [String: JSON] = ["title": "T", "subtitle": "", "body": "B", "categoryIdentifier": "echo"]

    private func isOriginal(_ content: JSON) -> Bool { original.allSatisfy { content[$0.key] == $0.value } }

    @Test("The content extension receives the service's changes; everything else stays the same")
    func change() throws {
        try ServiceWorkspace.withHost { host in
            let change: JSON = ["title": "Other", "badge": 7, "userInfo": ["key": ["deep": .null]]]
            let shown = try host.served([("change", change), ("braze_id", "ada")])
            #expect(shown.title == "Other")
            #expect(shown.content["body"] == "B")
            #expect(shown.content["badge"] == 7)
            #expect(shown.content["userInfo"] == ["key": ["deep": .null]])
            #expect(shown.content["attachments"] == [])
            #expect(shown.diagnostics == [])
            let listed = try host.result("notifications")["notifications"]?[0]
            #expect(listed?["title"] == "Other")
            #expect(listed?["notification"] == shown.notification)
        }
    }

    @Test("The changed category selects the extension, and the changed thread selects the presentation")
    func categoryAndThread() throws {
        try ServiceWorkspace.withHost { host in
            let first = try host.served([("change", ["threadIdentifier": "changed"])])
            let second = try host.served([("change", ["threadIdentifier": "changed", "categoryIdentifier": "other"])])
            let listed = try host.result("notifications")["notifications"]
            #expect(listed?.array?.count == 1)
            #expect(listed?[0]?["notifications"] == [first.notification, second.notification])
            #expect(listed?[0]?["category"] == "other")

            let params = ServiceWorkspace.notification([("change", ["categoryIdentifier": "nobodys"])])
            let system = try host.result("didReceive", params)
            #expect(system["extension"] == .null)
            let diagnostic = try #require(system["diagnostics"]?[0])
            #expect(diagnostic["reason"] == "noExtension", "the payload names another one")
            #expect(diagnostic["path"] == nil, "the payload names another one")

            let silent = ServiceWorkspace.notification(
                category: "nobodys",
                [("change", ["categoryIdentifier": "echo"])]
            )
            #expect(try host.result("didReceive", silent)["extension"] == "com.example.echo")
        }
    }

    @Test(
        "The service is called only if mutable-content is the integer 1, and the reply says why it is not",
        arguments: [
            (nil, ["body": "B"], nil), (0, ["body": "B"], nil), (true, ["body": "B"], "it is true"),
            ("1", ["body": "B"], "it is \"1\""), (1.0, ["body": "B"], "it is 1.0"), (2, ["body": "B"], "it is 2"),
            (.null, ["body": "B"], "it is null"),
        ] as [(JSON?, JSON, String?)]
    )
    func notAsked(mutable: JSON?, alert: JSON, diagnostic: String?) throws {
        try ServiceWorkspace.withHost { host in
            let change: (String, JSON) = ("change", ["title": "changed"])
            let params = ServiceWorkspace.notification(mutable: mutable, alert: alert, [change])
            let shown = try ServedNotification(try host.call("didReceive", params))
            #expect(shown.title == "")
            #expect(shown.reasons == (diagnostic == nil ? [] : ["serviceSkipped"]))
            if let diagnostic { #expect(shown.diagnostics[0]["message"]?.string?.contains(diagnostic) == true) }
            #expect(try host.describe("service")["starts"] == 0)
        }
    }

    @Test(
        "Without an alert neither the service nor a content extension is called, and the reply says why",
        arguments: [[:], "", ["title": ""]] as [JSON]
    )
    func silent(alert: JSON) throws {
        try ServiceWorkspace.withHost { host in
            let params = ServiceWorkspace.notification(alert: alert, [("change", ["title": "changed"])])
            let result = try host.result("didReceive", params)
            #expect(result["extension"] == JSON.null)
            #expect(result["diagnostics"].elements.map { $0["reason"] } == ["serviceSkipped", "noAlert"])
            #expect(result["diagnostics"]?[0]?["message"]?.string?.contains("no alert") == true)
            for name in ["service", "echo"] { #expect(try host.describe(name)["starts"] == 0) }
        }
    }

    @Test(
        "A single text of any kind counts as an alert",
        arguments: ["hello", ["title": "T"], ["subtitle": "S"]] as [JSON]
    )
    func asked(alert: JSON) throws {
        try ServiceWorkspace.withHost { host in
            let params = ServiceWorkspace.notification(alert: alert, [("change", ["title": "changed"])])
            let shown = try ServedNotification(try host.call("didReceive", params))
            #expect(shown.title == "changed")
        }
    }

    @Test("Without a service extension mutable-content has no effect")
    func noService() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
            for mutable in [1, true, nil] as [JSON?] {
                let params = ServiceWorkspace.notification(mutable: mutable, category: "good")
                #expect(try host.result("didReceive", params)["diagnostics"] == [])
            }
        }
    }

    /// A payload that makes the service fail, and the expected message.
    struct Failure: Sendable, CustomTestStringConvertible {
        let name: String
        let says: String
        let cause: JSON
        var pairs: [(String, JSON)] = []
        var options: [String] = []
        var testDescription: String { name }
    }

    private static let emptied: JSON = ["title": "", "body": ""]

    static let failures = [
        Failure(name: "crash", says: "exited with code 3", cause: "extensionExited", pairs: [("do", "crash")]),
        Failure(name: "refusal", says: "refused: not today", cause: "extensionRefused", pairs: [("do", "refuse")]),
        Failure(
            name: "silence",
            says: "did not answer didReceive within 1500 ms",
            cause: "extensionTimedOut",
            pairs: [("do", "silence")],
            options: ["--service-deadline", "1500"]
        ),
        Failure(
            name: "number",
            says: "the result must be an object",
            cause: "badExtensionReply",
            pairs: [("do", "garbage"), ("answer", 42)]
        ),
        Failure(
            name: "no content",
            says: "content must be an object",
            cause: "badExtensionReply",
            pairs: [("do", "garbage"), ("answer", ["content": "x"])]
        ),
        Failure(
            name: "emptied alert",
            says: "left title, subtitle and body empty",
            cause: "badExtensionReply",
            pairs: [("change", emptied)]
        ),
    ]

    @Test("A service failure shows the original and says why, each time", arguments: failures)
    func failure(failure: Failure) throws {
        try ServiceWorkspace.withHost(failure.options) { host in
            for _ in 1...2 {
                let shown = try host.served(failure.pairs)
                #expect(isOriginal(shown.content), "\(shown.content)")
                #expect(shown.reasons == ["serviceFailed"])
                #expect(shown.diagnostics.first?["cause"] == failure.cause)
                let message = shown.diagnostics.first?["message"]?.string ?? ""
                #expect(message.hasPrefix("com.example.service "), "\(message)")
                #expect(message.contains(failure.says), "\(message)")
                #expect(message.hasSuffix("so the original content is shown"))
            }
            #expect(try host.served([("change", ["title": "well again"])]).title == "well again")
        }
    }

    @Test("A service that cannot be started or activated leaves the original unchanged", arguments: [nil, "exit 7"])
    func cannotStart(script: String?) throws {
        try ServiceWorkspace.open { service in
            // Its identifier sorts first, so it is the one used.
            try service.bundles.add(named: "a", point: ServiceWorkspace.point, script: script)
            let host = try service.bundles.host()
            let shown = try host.served([("change", ["title": "changed"])])
            #expect(isOriginal(shown.content))
            #expect(shown.reasons == ["serviceFailed"])
            let problems = try host.result("extensions")["problems"].elements
            #expect(problems.map { $0["path"] } == [.string(service.service)])
            #expect(try host.describe("service")["starts"] == 0)
        }
    }

    @Test("A service's answer to the notice that its time will expire still counts")
    func lastMoment() throws {
        try ServiceWorkspace.withHost(["--service-deadline", "2000"]) { host in
            let shown = try host.served([("do", "late")])
            #expect(shown.title == "at the last moment")
            #expect(shown.diagnostics == [])
            #expect(try host.describe("service")["starts"] == 1)
        }
    }

    @Test("Unknown or mistyped members are ignored with a diagnostic; the service's own diagnostics are passed on")
    func diagnostics() throws {
        try ServiceWorkspace.withHost { host in
            let change: JSON = ["titel": "x", "badge": "seven", "subtitle": "taken"]
            let diagnostics: JSON = [["reason": "slow", "message": "it took long"]]
            let shown = try host.served([("change", change), ("diagnostics", diagnostics)])
            #expect(shown.content["subtitle"] == "taken")
            #expect(shown.title == "T")
            #expect(shown.reasons.sorted() == ["ignoredMember", "ignoredMember", "slow"])
        }
    }

    @Test("A service has no presentation, so it may neither save nor show anything")
    func calls() throws {
        try ServiceWorkspace.withHost { host in
            let shown = try host.served([("do", "call")])
            #expect(shown.title == "unknownNotification unknownNotification")
        }
    }

    @Test("Params that are refused never reach the service")
    func badParams() throws {
        try ServiceWorkspace.withHost { host in
            let payload = ServiceWorkspace.notification()["payload"] ?? .null
            let reply = try host.call("didReceive", ["payload": payload, "date": "yesterday"])
            #expect(reply["error"]?["data"]?["reason"] == "mistypedParam")
            #expect(try host.describe("service")["starts"] == 0)
        }
    }
}
