import Foundation
import JSON
import TestSupport
import Testing

/// How ExtensionKit handles the ways in which authors of a service extension deliver content.
@Suite(.waits, .wire) struct ServiceKitTests {
    private func with(
        _ options: [String] = [],
        texts: [String: String] = [:],
        _ body: (HostProcess) throws -> Void
    ) throws {
        try Workspace.open { workspace in
            let program = try builtProduct("kit-service")
            let script = "exec '\(program)'"
            let bundle = try workspace.add(named: "service", point: ServiceWorkspace.point, script: script)
            for (language, text) in texts {
                let folder = "\(bundle)/\(language).lproj"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: URL(filePath: "\(folder)/Localizable.strings"))
            }
            let host = try workspace.host(options)
            try host.result("subscribe", ["topics": ["$/log"]])
            try body(host)
            #expect(try host.finish() == .code(0))
        }
    }

    /// The texts that the system shows after an action of the kit's fixture, and the reply's diagnostics.
    private func show(
        _ action: String,
        _ host: HostProcess,
        locale: JSON? = nil
    ) throws -> (texts: [String], diagnostics: [String]) {
        let alert: JSON = ["title": "T", "body": "B"]
        let aps: JSON = ["alert": alert, "mutable-content": 1, "sound": "bell", "relevance-score": 1]
        let payload: JSON = ["aps": aps, "way": .string(action)]
        let members = [("payload", payload)] + (locale.map { [("locale", $0)] } ?? [])
        let result = try host.result("didReceive", .object(JSON.Object(members)))
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

    @Test("The texts are those of the bundle for the notification's locale, and a mistake in them is reported")
    func texts() throws {
        let files = ["en": #""GREETING" = "Hello %@";"#, "de": #""GREETING" = "Hallo %@";"#, "fr": "no strings"]
        try with(texts: files) { host in
            for (locale, text) in [(nil, "Hello Ada"), ("de-AT", "Hallo Ada"), ("en", "Hello Ada")] as [(JSON?, String)]
            {
                let shown = try show("texts", host, locale: locale)
                #expect(shown.texts.last == text)
                #expect(shown.diagnostics == [])
            }
            let log = try (1...3).map { _ in try host.notification("$/log") }
            #expect(log[0]["message"] == "no text has the key NOWHERE for the locale en")
            #expect(log[1...].allSatisfy { $0["message"] == "NOWHERE" && $0["level"] == "notice" })
            let broken = try show("texts", host, locale: "fr")
            #expect(broken.texts.last == "Hello Ada")
            #expect(broken.diagnostics == ["unreadableStrings"])
        }
    }
}
