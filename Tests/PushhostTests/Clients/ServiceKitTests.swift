import JSON
import TestSupport
import Testing

/// How ExtensionKit handles the ways in which authors of a service extension deliver content.
@Suite(.waits, .wire) struct ServiceKitTests {
    private func with(_ options: [String] = [], _ body: (HostProcess) throws -> Void) throws {
        try Workspace.open { workspace in
            let program = try builtProduct("kit-service")
            try workspace.add(named: "service", point: ServiceWorkspace.point, script: "exec '\(program)'")
            let host = try workspace.host(options)
            try host.result("subscribe", ["topics": ["$/log"]])
            try body(host)
            #expect(try host.finish() == .code(0))
        }
    }

    /// The texts that the system shows after an action of the kit's fixture, and the reply's diagnostics.
    private func show(_ action: String, _ host: HostProcess) throws -> (texts: [String], diagnostics: [String]) {
        let alert: JSON = ["title": "T", "body": "B"]
        let aps: JSON = ["alert": alert, "mutable-content": 1, "sound": "bell", "relevance-score": 1]
        let payload: JSON = ["aps": aps, "way": .string(action)]
        let result = try host.result("didReceive", ["payload": payload])
        let texts = (result["view"]?["children"]).elements.compactMap { $0["text"]?.string }
        let diagnostics = result["diagnostics"].elements.compactMap { $0["reason"]?.string }
        return (texts, diagnostics.filter { $0 != "noExtension" })
    }

    @Test(
        "The first content counts, from any thread and however late; without one, or if refused, the original is shown",
        arguments: [
            ("unchanged", ["T", "B"], []), ("all", ["all in en", "changed", "changed"], []),
            ("twice", ["twice in en", "B"], []), ("later", ["later in en", "B"], ["later"]),
            ("lastMoment", ["lastMoment in en", "B"], []), ("refused", ["T", "B"], ["serviceFailed"]),
            ("refusedAfterwards", ["T", "B"], ["serviceFailed"]), ("never", ["T", "B"], ["serviceFailed"]),
        ]
    )
    func actions(action: String, texts: [String], diagnostics: [String]) throws {
        let mayExpire = ["lastMoment", "never"].contains(action)
        try with(mayExpire ? ["--service-deadline", "2000"] : []) { host in
            let shown = try show(action, host)
            #expect(shown.texts == texts)
            #expect(shown.diagnostics == diagnostics)
            #expect(try show("unchanged", host).texts == ["T", "B"], "it serves on")
            let warnings = ["twice", "refusedAfterwards"].contains(action)
            if warnings { #expect(try host.notification("$/log")["level"] == "warning") }
        }
    }
}
