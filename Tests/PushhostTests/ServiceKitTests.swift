import JSON
import TestSupport
import Testing

/// What ExtensionKit makes of the ways in which authors of a service extension hand over a content.
@Suite(.hangs, .wire) struct ServiceKitTests {
    private func with(_ options: [String] = [], _ body: (HostProcess) throws -> Void) throws {
        try Workshop.open { workshop in
            let program = try builtProduct("kit-service")
            try workshop.add(named: "service", point: ServiceWorkshop.point, script: "exec '\(program)'")
            let host = try workshop.host(options)
            try host.result("subscribe", ["topics": ["$/log"]])
            try body(host)
            #expect(try host.finish() == .code(0))
        }
    }

    /// The texts that the system shows after a way of the kit's fixture, and what the reply remarks.
    private func show(_ way: String, _ host: HostProcess) throws -> (texts: [String], remarks: [String]) {
        let alert: JSON = ["title": "T", "body": "B"]
        let aps: JSON = ["alert": alert, "mutable-content": 1, "sound": "bell", "relevance-score": 1]
        let payload: JSON = ["aps": aps, "way": .string(way)]
        let result = try host.result("didReceive", ["payload": payload])
        let texts = (result["view"]?["children"]).elements.compactMap { $0["text"]?.string }
        let remarks = result["diagnostics"].elements.compactMap { $0["reason"]?.string }
        return (texts, remarks.filter { $0 != "noExtension" })
    }

    @Test(
        "The first content counts, from whatever thread and at the last moment; without any, or refused, the original",
        arguments: [
            ("unchanged", ["T", "B"], []), ("all", ["all in en", "changed", "changed"], []),
            ("twice", ["twice in en", "B"], []), ("later", ["later in en", "B"], ["later"]),
            ("lastMoment", ["lastMoment in en", "B"], []), ("refused", ["T", "B"], ["serviceFailed"]),
            ("refusedAfterwards", ["T", "B"], ["serviceFailed"]), ("never", ["T", "B"], ["serviceFailed"]),
        ]
    )
    func ways(way: String, texts: [String], remarks: [String]) throws {
        let mayExpire = ["lastMoment", "never"].contains(way)
        try with(mayExpire ? ["--service-deadline", "2000"] : []) { host in
            let shown = try show(way, host)
            #expect(shown.texts == texts)
            #expect(shown.remarks == remarks)
            #expect(try show("unchanged", host).texts == ["T", "B"], "it serves on")
            let warnings = ["twice", "refusedAfterwards"].contains(way)
            if warnings { #expect(try host.notification("$/log")["level"] == "warning") }
        }
    }
}
