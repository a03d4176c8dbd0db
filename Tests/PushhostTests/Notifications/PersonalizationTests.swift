import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// What is rendered, in which order, and how failures are handled.
@Suite(.waits, .wire) struct PersonalizationTests {
    private func template(_ title: String = "Hello <name>", _ profile: JSON = ["name": "Ada"]) throws -> JSON {
        try PersonalizationWorkspace.template(title, profile)
    }

    @Test("Every string is rendered before anything else reads the payload: category, thread, user and texts")
    func first() throws {
        try PersonalizationWorkspace.withHost { host in
            let payload: JSON = [
                "aps": ["alert": "Hello <name>", "category": "<kind>", "thread-id": "<name>", "badge": 3],
                "braze_id": "<name>", "list": ["<name>", 1, true, .null], "<name>": "kept",
            ]
            let shown = try host.rendered(["payload": payload, "profile": ["name": "Ada", "kind": "echo"]])
            #expect(shown.content["body"] == "Hello Ada")
            #expect(shown.content["threadIdentifier"] == "Ada")
            let expected: JSON = [
                "aps": ["alert": "Hello Ada", "category": "echo", "thread-id": "Ada", "badge": 3],
                "braze_id": "Ada", "list": ["Ada", 1, true, .null], "<name>": "kept",
            ]
            #expect(shown.content["userInfo"] == expected)
            #expect(shown.diagnostics == [])
            try host.result("saveCustomEvent", ["name": "Seen", "notification": shown.notification])
            #expect(try host.result("pending")["records"]?[0]?["user"] == ["braze_id": "Ada"])
        }
    }

    @Test("Without a profile the renderer is not called, and an empty profile counts as a profile")
    func absent() throws {
        try PersonalizationWorkspace.withHost { host in
            let plain = try host.served([], thread: "")
            #expect(plain.title == "T")
            #expect(try host.describe("renderer")["starts"] == 0)
            #expect(try host.rendered(template("Hello <name>", [:])).title == "Hello ")
            #expect(try host.describe("renderer")["starts"] == 1)
        }
    }

    @Test("The service extension receives the rendered payload")
    func service() throws {
        try PersonalizationWorkspace.withHost { host in
            let pairs: [(String, JSON)] = [("change", ["subtitle": "for <name>"])]
            let shown = try host.rendered(try PersonalizationWorkspace.template(mutable: 1, ["name": "Ada"], pairs))
            #expect(shown.title == "Hello Ada")
            #expect(shown.content["subtitle"] == "for Ada")
        }
    }

    @Test("The renderer receives the notification's locale and date")
    func localeAndDate() throws {
        try PersonalizationWorkspace.withHost(["--locale", "de", "--clock", "2026-01-01T00:00:00Z"]) { host in
            let profile: JSON = ["do": "report"]
            let first = try host.rendered(template("T", profile)).content["userInfo"]?["received"]
            #expect(first?["locale"] == "de")
            #expect(first?["date"]?.string?.hasPrefix("2026-01-01T00:00:00.") == true)
            let fields = try #require(try template("T", profile).object)
                .setting("date", to: "2025-05-05T05:05:05+02:00").setting("locale", to: "fr")
            let second = try host.rendered(.object(fields)).content["userInfo"]?["received"]
            #expect(second == ["locale": "fr", "date": "2025-05-05T03:05:05.000Z"])
        }
    }

    @Test(
        "The renderer's diagnostics are in the reply, with paths in the client's own request",
        arguments: [false, true]
    )
    func diagnostics(isPositional: Bool) throws {
        try PersonalizationWorkspace.withHost { host in
            let diagnostics: JSON = [
                ["reason": "absentAttribute", "message": "no city", "path": "/params/payload/aps/alert/title"],
                ["reason": "other", "message": "elsewhere", "path": "/params/profile"],
            ]
            let params = try template("T", ["diagnostics": diagnostics])
            let positional: JSON = [params["payload"] ?? .null, "id", "2026-01-01T00:00:00Z", "en", "regular"]
            let list = JSON((positional.array.map(Array.init) ?? []) + [params["profile"] ?? .null])
            let shown = try host.rendered(isPositional ? list : params)
            let path: JSON = isPositional ? "/params/0/aps/alert/title" : "/params/payload/aps/alert/title"
            #expect(
                shown.diagnostics == [
                    ["reason": "absentAttribute", "message": "no city", "path": path],
                    [
                        "reason": "other", "message": "elsewhere",
                        "path": isPositional ? "/params/5" : "/params/profile",
                    ],
                ]
            )
        }
    }

    @Test("Rendered text that looks like Liquid is plain text, and a user in it counts")
    func rendered() throws {
        try PersonalizationWorkspace.withHost { host in
            let payload: JSON = ["aps": ["alert": "<text>", "category": "echo"], "braze_id": "<text>"]
            let shown = try host.rendered(["payload": payload, "profile": ["text": "{{raw}}"]])
            #expect(shown.content["body"] == "{{raw}}")
            #expect(shown.diagnostics == [])
            try host.result("saveCustomEvent", ["name": "Seen", "notification": shown.notification])
            #expect(try host.result("pending")["records"]?[0]?["user"] == ["braze_id": "{{raw}}"])
        }
    }

    @Test("The rendered payload must be valid, by size and aps; a long template is allowed")
    func limits() throws {
        try PersonalizationWorkspace.withHost { host in
            let long = String(repeating: "<nobody>", count: 2_000)
            #expect(try host.rendered(template(long)).title == "")
            let large = try host.error("didReceive", template("<name>", ["name": .string(long)]))
            #expect(large.data?["reason"] == "payloadTooLarge")
            #expect(large.message.contains("once it is rendered"))
            #expect(large.data?["path"] == "/params/payload")
            let answer: JSON = ["do": "answer", "answer": ["payload": ["aps": 1]]]
            #expect(try host.error("didReceive", template("T", answer)).reason == "invalidPayload")
            let empty: JSON = ["payload": ["aps": ["alert": "<name>", "category": "echo"]], "profile": [:]]
            let silent = try host.result("didReceive", empty)
            #expect(silent["extension"] == .null)
            #expect(silent["diagnostics"]?[0]?["reason"] == "noAlert")
        }
    }

    @Test(
        "An error has its path in the client's own request, also with positional params",
        arguments: ["refuse", "odd"]
    )
    func positionalErrors(doing: String) throws {
        try PersonalizationWorkspace.withHost { host in
            let alert: JSON = doing == "odd" ? "refused" : "T"
            let payload: JSON = ["aps": ["alert": ["title": alert, "body": "B"], "category": "echo"]]
            let diagnostic: JSON = ["reason": "r", "message": "m", "path": "/params/payload/aps"]
            let profile: JSON = doing == "refuse" ? ["do": "refuse"] : ["diagnostics": [diagnostic]]
            let params: JSON = [payload, "id", "2026-01-01T00:00:00Z", "en", "regular", profile]
            let error = try host.error("didReceive", params)
            #expect(error.reason == "extensionRefused")
            if doing == "refuse" {
                #expect(error.data?["path"] == "/params/0/aps/alert/title")
                #expect(error.data?["diagnostics"] == nil)
            } else {
                #expect(error.data?["diagnostics"] == [["reason": "r", "message": "m", "path": "/params/0/aps"]])
            }
        }
    }

    @Test("A template that aborts fails the call with its reason and shows nothing", arguments: ["no city", ""])
    func abort(text: String) throws {
        try PersonalizationWorkspace.withHost { host in
            let diagnostics: JSON = [["reason": "absentAttribute", "message": "city has no value"]]
            let reply: JSON = ["payload": [:], "abort": .string(text), "diagnostics": diagnostics]
            let answer: JSON = ["do": "answer", "answer": reply]
            let error = try host.error("didReceive", template("T", answer))
            #expect(error.code.rawValue == 104)
            #expect(error.data?["aborted"] == .string(text))
            #expect(error.data?["diagnostics"] == diagnostics)
            #expect(try host.result("notifications")["notifications"] == [])
        }
    }

    @Test("A renderer failure fails the call, nothing is shown, and the next template is rendered")
    func failures() throws {
        try PersonalizationWorkspace.withHost(["--personalization-deadline", "500"]) { host in
            for (doing, reason, path) in [
                ("crash", "extensionExited", nil), ("silence", "extensionTimedOut", nil),
                ("refuse", "extensionRefused", "/params/payload/aps/alert/title"),
            ] as [(String, String, String?)] {
                let error = try host.error("didReceive", template("T", ["do": .string(doing)]))
                #expect(error.data?["reason"]?.string == reason)
                #expect(error.data?["extension"] == "com.example.renderer")
                #expect(error.data?["path"]?.string == path)
                #expect(try host.rendered(template()).title == "Hello Ada")
            }
            #expect(try host.result("notifications")["notifications"]?.array?.count == 3)
        }
    }

    @Test(
        "A renderer's answer that the contract does not allow is reported",
        arguments: [
            (.null, "the result must be an object"), ([:], "payload must be an object"),
            (["payload": "text"], "payload must be an object"),
            (["payload": [:], "abort": 1], "abort must be a string"),
            (
                ["payload": [:], "diagnostics": [["reason": "r"]]],
                "diagnostics/0/message must be a string, it is absent"
            ),
        ] as [(JSON, String)]
    )
    func badAnswers(answer: JSON, text: String) throws {
        try PersonalizationWorkspace.withHost { host in
            let error = try host.error("didReceive", template("T", ["do": "answer", "answer": answer]))
            #expect(error.data?["reason"] == "badExtensionReply")
            #expect(error.message.contains(text), "\(error)")
        }
    }

    @Test("Invalid params are refused before anything is rendered")
    func params() throws {
        try PersonalizationWorkspace.withHost { host in
            for (name, value) in [
                ("profile", "text"), ("date", "today"), ("identifier", 1), ("verticalSizeClass", "small"),
                ("payload", "text"), ("profile", .null),
            ] as [(String, JSON)] {
                let whole = try template().object.map { $0.setting(name, to: value) }
                let error = try host.error("didReceive", .object(try #require(whole)))
                #expect(error.code == .invalidParams, "\(name)")
                #expect(error.data?["path"]?.string == "/params/\(name)")
            }
            #expect(try host.describe("renderer")["starts"] == 0)
        }
    }

    @Test("The renderer may log and call nothing else")
    func calls() throws {
        try PersonalizationWorkspace.withHost { host in
            let reason = try host.rendered(template("T", ["do": "save"])).content["userInfo"]?["received"]
            #expect(reason == "methodNotFound")
        }
    }

    @Test("Without a renderer a profile is refused, and the message says what to do")
    func nobody() throws {
        try ServiceWorkspace.withHost { host in
            let error = try host.error("didReceive", template())
            #expect(error.code.rawValue == 103)
            #expect(error.data?["path"] == "/params/profile")
            #expect(error.message.contains("plugins/liquid"))
        }
    }

    @Test("Of several renderers the one with the lowest identifier is used, and a diagnostic names the other")
    func several() throws {
        try PersonalizationWorkspace.open { place in
            try place.bundles.add(named: "zzz", point: PersonalizationWorkspace.point, script: "exit 1")
            let host = try place.bundles.host()
            #expect(try host.rendered(template()).title == "Hello Ada")
            let problems = try host.result("extensions")["problems"].elements.compactMap { $0["message"]?.string }
            #expect(problems.contains { $0.contains("com.example.renderer is a personalization extension too") })
            #expect(try host.finish() == .code(0))
        }
    }
}
