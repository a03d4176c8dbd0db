import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// `checkPayload` as a method: what it does not do.
@Suite(.waits, .wire) struct CheckPayloadTests {
    @Test("A check starts no process, shows nothing and stores nothing, and knows the bundles after a reload")
    func effects() throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let host = try workspace.host()
            let payload: JSON = ["payload": ["aps": ["alert": "x", "category": "late"]]]
            let first = try host.result("checkPayload", payload)
            #expect(first["extension"] == JSON.null)
            #expect(first["findings"]?[0]?["reason"] == "noExtension")
            try workspace.add(named: "late", script: try Workspace.script("good"))
            try host.result("reloadExtensions")
            let second = try host.result("checkPayload", payload)
            #expect(second["extension"] == "com.example.late")
            #expect(second["findings"] == [])
            for bundle in try host.result("extensions")["extensions"]?.array.map(Array.init) ?? [] {
                #expect(bundle["starts"] == 0)
            }
            #expect(try host.result("notifications")["notifications"] == [])
            #expect(try host.result("suites")["suites"] == [])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A registered category that no extension shows is not an error")
    func registered() throws {
        try Workspace.open { workspace in
            let host = try workspace.host()
            try host.result("setNotificationCategories", ["categories": [["identifier": "own"]]])
            let result = try host.result("checkPayload", ["payload": ["aps": ["alert": "x", "category": "own"]]])
            #expect(result["findings"]?[0]?["level"] == "information")
            #expect(try host.finish() == .code(0))
        }
    }

    // MARK: Templates

    /// Each finding as its level, reason and path.
    private func found(_ result: JSON) -> [String] {
        (result["findings"]?.array.map(Array.init) ?? []).map { finding in
            ["level", "reason", "path"].map { finding[$0]?.string ?? "" }.joined(separator: " ")
        }
    }

    @Test("With a profile, the rendered payload is checked, and what the renderer reports are findings")
    func rendered() throws {
        try PersonalizationWorkspace.withHost { host in
            let diagnostics: JSON = [
                ["reason": "absentAttribute", "message": "no city; add it", "path": "/params/payload/city"],
                ["reason": "other", "message": "elsewhere", "path": "/params/profile"],
            ]
            let payload: JSON = [
                "aps": ["alert": "Hello <name>", "category": "<kind>", "badge": "<name>"], "city": "x",
            ]
            let profile: JSON = ["name": "{{Ada}}", "kind": "echo", "diagnostics": diagnostics]
            let result = try host.result("checkPayload", ["payload": payload, "profile": profile])
            #expect(result["extension"] == "com.example.echo")
            #expect(
                found(result) == [
                    "error ignoredMember /aps/badge", "warning absentAttribute /city", "warning other ",
                ]
            )
            #expect(result["findings"]?[1]?["message"] == "no city")
            #expect(result["findings"]?[1]?["advice"] == "add it")
            #expect(result["findings"]?[0]?["message"]?.string?.contains("{{Ada}}") == true)
        }
    }

    @Test("An abort is a warning, and a refusal is an error at its place; the template itself is checked then")
    func failures() throws {
        try PersonalizationWorkspace.withHost { host in
            let payload: JSON = ["aps": ["alert": ["title": "{{x}}"], "category": "echo"]]
            let abort: JSON = ["do": "answer", "answer": ["payload": [:], "abort": "no offer"]]
            let aborted = try host.result("checkPayload", ["payload": payload, "profile": abort])
            #expect(found(aborted) == ["warning messageAborted "])
            #expect(aborted["findings"]?[0]?["message"]?.string?.hasSuffix("no offer") == true)
            let refused = try host.result("checkPayload", ["payload": payload, "profile": ["do": "refuse"]])
            #expect(found(refused) == ["error invalidTemplate /aps/alert/title"])
            let crash = try host.error("checkPayload", ["payload": payload, "profile": ["do": "crash"]])
            #expect(crash.data?["reason"] == "extensionExited")
            let wrong = try host.error("checkPayload", ["payload": payload, "profile": ["do": "answer", "answer": 1]])
            #expect(wrong.data?["reason"] == "badExtensionReply")
            let unchecked = try host.result("checkPayload", ["payload": payload, "template": true])
            #expect(found(unchecked) == ["information uncheckedTemplate "])
        }
    }

    @Test("A check that is cancelled while its templates are checked renders nothing afterwards")
    func cancelled() throws {
        try PersonalizationWorkspace.open { place in
            let gate = try Gate(place.renderer)
            let host = try place.bundles.host()
            try host.result("subscribe", ["topics": ["$/log"]])
            let payload: JSON = ["aps": ["alert": "Hello <name>"], "do": "wait"]
            let call = try host.request("checkPayload", ["payload": payload, "profile": ["do": "silence"]])
            #expect(try host.notification("$/log")["message"] == "waiting")
            #expect(try host.result("$/cancelRequest", ["id": call]) == ["cancelled": true])
            #expect(try host.reply()["error"]?["data"]?["reason"] == "requestCancelled")
            try gate.releaseOne()
            #expect(try host.notification("$/log")["message"] == "checked")
            // The extension works on its calls in order, so a rendering would be logged before the next check.
            let next = try host.request("checkPayload", ["payload": payload, "template": true])
            #expect(try host.notification("$/log")["message"] == "waiting")
            try gate.releaseOne()
            #expect(try host.reply()["id"] == next)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Without an extension that renders, a profile is refused, and a template is reported as unchecked")
    func noRenderer() throws {
        try Workspace.open { workspace in
            let host = try workspace.host()
            let payload: JSON = ["aps": ["alert": "{{x}}"]]
            let error = try host.error("checkPayload", ["payload": payload, "profile": [:]])
            #expect(error.data?["reason"] == "noPersonalization")
            #expect(error.data?["path"] == "/params/profile")
            let result = try host.result("checkPayload", ["payload": payload, "template": true])
            #expect(found(result).contains("information uncheckedTemplate "))
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Every mistake in a template is a finding with its path, also where a profile would not lead")
    func syntax() throws {
        try LiquidRenderer.requireLibrary()
        try BundlesHost.with { host in
            let texts: JSON = [
                "title": "{{${first_name} {% if %}", "body": "{% if false %}{{ 'x' | shout }}{% endif %}",
            ]
            let payload: JSON = ["aps": ["alert": texts, "category": "lab_register"]]
            for params in [["payload": payload, "template": true], ["payload": payload, "profile": [:]]] as [JSON] {
                let result = try host.result("checkPayload", params)
                #expect(
                    found(result) == [
                        "error invalidTemplate /aps/alert/title", "error undefinedFilter /aps/alert/body",
                    ]
                )
                #expect(result["findings"]?[0]?["message"] == "{{${first_name} {% if %} has no }}")
            }
        }
    }
}
