import Foundation
import JSON
import TestSupport
import Testing

/// Templates rendered through the host, with the bundles of this repository.
@Suite(.waits, .wire) struct LiquidHostTests {
    private static let alert: JSON = ["title": "{{${first_name} | default: 'friend'}}", "body": "B"]

    private static func template(_ pairs: [(String, JSON)], _ profile: JSON, alert: JSON = alert) -> JSON {
        let aps: JSON = ["alert": alert, "category": "lab_progress"]
        let counts: [(String, JSON)] = [("completed_session_count", "3"), ("total_session_count", "8")]
        return ["payload": .object(JSON.Object([("aps", aps)] + counts + pairs)), "profile": profile]
    }

    @Test("The guide's key-value pairs are rendered before the extension that shows them reads them")
    func guide() throws {
        try LiquidRenderer.requireLibrary()
        try BundlesHost.with { host in
            let pairs: [(String, JSON)] = [
                ("next_session_name", "{{api_trigger_properties.${next_session_name}}}"),
                (
                    "next_session_complete_date",
                    "{{ 'now' | date: '%B %-d' }}{% if custom_attribute.${level} > 3 %}!{% endif %}"
                ),
            ]
            let profile: JSON = [
                "first_name": "Ada", "custom_attribute": ["level": 4],
                "api_trigger_properties": ["next_session_name": "Liquid & {{more}}"],
            ]
            let shown = try host.result("didReceive", Self.template(pairs, profile))
            #expect(shown["content"]?["title"] == "Ada")
            #expect(shown["extension"] == "com.example.pushhost.session-progress")
            let view = shown["view"]?.description ?? ""
            #expect(view.contains("Liquid & {{more}}"), "\(view)")
            #expect(view.contains("January 1!"), "\(view)")
            #expect(shown["diagnostics"] == [])
        }
    }

    @Test("An absent attribute is a diagnostic with its path in the client's request")
    func absent() throws {
        try LiquidRenderer.requireLibrary()
        try BundlesHost.with { host in
            let pairs: [(String, JSON)] = [("next_session_name", "{{custom_attribute.${next}}}")]
            let shown = try host.result("didReceive", Self.template(pairs, [:]))
            #expect(shown["content"]?["title"] == "friend")
            let diagnostic = (shown["diagnostics"]).elements.first
            #expect(diagnostic?["reason"] == "absentAttribute")
            #expect(diagnostic?["path"] == "/params/payload/next_session_name")
        }
    }

    @Test("Mistakes, exceeded limits and features that need Braze fail the call at their path; the next call succeeds")
    func refusals() throws {
        try LiquidRenderer.requireLibrary()
        try BundlesHost.with { host in
            for (text, reason) in [
                ("{% if %}", "invalidTemplate"), ("{{ 'a' | shout }}", "undefinedFilter"),
                ("{% connected_content https://example.com %}", "needsBraze"),
                ("{{ 1 | modulo: 0 }}", "renderingFailed"),
                ("{% for i in (1..1000000000) %}{% endfor %}", "limitReached"),
            ] {
                let params = Self.template([], [:], alert: ["title": .string(text)])
                let error = try host.error("didReceive", params)
                #expect(error["data"]?["reason"] == "extensionRefused", "\(error)")
                #expect(error["data"]?["extension"] == "com.example.pushhost.liquid")
                #expect(error["data"]?["path"] == "/params/payload/aps/alert/title")
                #expect(error["data"]?["cause"]?["data"]?["reason"]?.string == reason)
                #expect(error["data"]?["cause"]?["data"]?["line"] == 1)
            }
            #expect(try host.result("notifications")["notifications"] == [])
            #expect(try host.result("didReceive", Self.template([], [:]))["content"]?["title"] == "friend")
        }
    }

    @Test("An aborted message is not shown, and the error contains the reason")
    func abort() throws {
        try LiquidRenderer.requireLibrary()
        try BundlesHost.with { host in
            let alert: JSON = ["title": "{% if ${city} %}{% else %}{% abort_message('no city') %}{% endif %}"]
            let error = try host.error("didReceive", Self.template([], [:], alert: alert))
            #expect(error["code"] == 104)
            #expect(error["data"]?["aborted"] == "no city")
            #expect(try host.result("notifications")["notifications"] == [])
        }
    }

    @Test("The check renders the bundle's own payload, and the example on the page renders as documented")
    func check() throws {
        try LiquidRenderer.requireLibrary()
        let run = try CommandRun.check([LiquidRenderer.bundle])
        #expect(run.status == .code(0), "\(run.output)\(run.standardError)")
        #expect(run.output.contains("0 errors, 0 warnings"), "\(run.output)")
        let page = try String(contentsOfFile: "\(LiquidRenderer.bundle)/README.md", encoding: .utf8)
        let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("→ ") })
        let request = try JSON(parsing: String(line.dropFirst(2)))
        try BundlesHost.with { host in
            let shown = try host.result("didReceive", try #require(request["params"]))
            #expect(shown["content"]?["body"] == "Hello Ada")
            #expect(shown["diagnostics"] == [])
        }
    }
}
