import Foundation
import JSON
import TestSupport
import Testing

/// The texts of this repository's bundles, and how the host resolves the localization keys of a payload.
@Suite(.waits, .wire) struct BundlesLocalisationTests {
    private static let languages = ["de", "en", "es", "fr", "ko"]

    /// The bundles that have localized texts.
    private static let bundles = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        .filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/en.lproj") }

    private static let folder = "\(repositoryRoot)/plugins"

    @Test("At least three bundles have localized texts")
    func presence() { #expect(Self.bundles.count >= 3) }

    @Test("Every language has the same keys, each with the same placeholders", arguments: bundles)
    func completeness(bundle: String) throws {
        let english = try texts(bundle, "en")
        #expect(!english.isEmpty)
        for language in Self.languages {
            let texts = try texts(bundle, language)
            #expect(Set(texts.keys) == Set(english.keys), "\(language)")
            for (key, text) in texts { #expect(places(text) == places(english[key] ?? ""), "\(language) \(key)") }
        }
    }

    @Test("All localization keys of a bundle's payload exist in every language", arguments: bundles, languages)
    func payload(bundle: String, language: String) throws {
        let text = try String(contentsOfFile: "\(Self.folder)/\(bundle)/payload.apns", encoding: .utf8)
        let payload = try JSON(parsing: text)
        try BundlesHost.with { host in
            let result = try host.result("didReceive", ["payload": payload, "locale": .string(language)])
            #expect(result["extension"] != JSON.null)
            #expect(result["diagnostics"] == [])
            let alert = try #require(payload["aps"]?["alert"])
            for (name, prefix) in [("title", "title-"), ("body", "")] {
                let key = try #require(alert[prefix + "loc-key"]?.string)
                var text = try #require(try texts(bundle, language)[key])
                for (index, value) in (alert[prefix + "loc-args"]?.array.map(Array.init) ?? []).enumerated() {
                    let place = try #require(text.firstMatch(of: try Regex("%(\(index + 1)\\$)?@")))
                    text.replaceSubrange(place.range, with: value.string ?? "")
                }
                #expect(result["content"]?[name]?.string == text.replacing("%%", with: "%"))
            }
            let listed = try host.result("notifications")["notifications"]?.array?[0]
            #expect(listed?["title"] == result["content"]?["title"])
        }
    }

    @Test("A view uses the locale of the notification, or the host's locale if the notification has none")
    func views() throws {
        try BundlesHost.with(["--locale", "ko_KR"]) { host in
            let payload = BundlesHost.payload(category: "lab_register")
            let korean = Shown(try host.result("didReceive", ["payload": payload]))
            #expect(korean["email"]?["placeholder"] == "이메일")
            let german = Shown(try host.result("didReceive", ["payload": payload, "locale": "de-CH"]))
            let params: JSON = ["notification": german.notification, "element": "email", "value": "a@b.cd"]
            #expect(Shown(try host.result("interact", params)).actions.array?[0]["title"] == "Anmelden")
        }
    }

    @Test("A thread's newest notification sets the locale, unless it is refused")
    func thread() throws {
        try BundlesHost.with { host in
            let payload = BundlesHost.payload(category: "lab_register", thread: "t")
            func attempt(_ locale: String, _ payload: JSON) throws -> Shown {
                Shown(try host.result("didReceive", ["payload": payload, "locale": .string(locale)]))
            }
            #expect(try attempt("de", payload)["email"]?["placeholder"] == "E-Mail")
            let shown = try attempt("es", payload)
            #expect(shown["email"]?["placeholder"] == "Correo electrónico")
            let bad = BundlesHost.payload(category: "lab_register", thread: "t", [("cert_title", 5)])
            _ = try host.refusal("didReceive", ["payload": bad, "locale": "ko"])
            let params: JSON = ["notification": shown.notification, "element": "email", "value": "x"]
            #expect(Shown(try host.result("interact", params))["email"]?["placeholder"] == "Correo electrónico")
        }
    }

    @Test("An extension receives the resolved texts and the unchanged payload")
    func content() throws {
        _ = try Tool.python.path()
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "echo", script: "exec python3 echo.py")
            let program = """
                import json, sys
                for message in map(json.loads, sys.stdin):
                    if "id" in message:
                        seen = json.dumps(message["params"].get("request", {}), ensure_ascii=False)
                        result = {"version": "1.0", "view": {"type": "text", "text": seen}}
                        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
                """
            try Data(program.utf8).write(to: URL(filePath: "\(folder)/echo.py"))
            try FileManager.default.createDirectory(atPath: "\(folder)/fr.lproj", withIntermediateDirectories: true)
            try Data("HELLO = \"Bonjour %@\";".utf8).write(to: URL(filePath: "\(folder)/fr.lproj/Localizable.strings"))
            let host = try workspace.host(["--locale", "fr-CA"])
            let alert: JSON = [
                "title": "Hello", "title-loc-key": "HELLO", "title-loc-args": ["Ada"], "loc-key": "NONE",
            ]
            let payload: JSON = ["aps": ["alert": alert, "category": "echo"]]
            let result = try host.result("didReceive", ["payload": payload])
            let request = try JSON(parsing: try #require(result["view"]?["text"]?.string))
            #expect(request["content"]?["title"] == "Bonjour Ada")
            #expect(request["content"]?["body"] == "NONE")
            #expect(request["content"]?["userInfo"] == payload)
            #expect(result["diagnostics"]?.array?.map { $0["reason"] } == ["unknownLocalizationKey"])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("An extension gets its texts with activate, and other ones with a notification in another language")
    func passing() throws {
        _ = try Tool.python.path()
        try Workspace.open { workspace in
            let folder = try workspace.add(named: "echo", script: "exec python3 echo.py")
            let program = """
                import json, sys
                for message in map(json.loads, sys.stdin):
                    texts = message.get("params", {}).get("texts")
                    if message["method"] == "activate": first = texts
                    if "id" in message:
                        seen = json.dumps([first, texts], ensure_ascii=False)
                        result = {"version": "1.0", "view": {"type": "text", "text": seen}}
                        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
                """
            try Data(program.utf8).write(to: URL(filePath: "\(folder)/echo.py"))
            for (language, text) in [("en", "A = a; B = b;"), ("de", "A = x;"), ("ja", "C = c")] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(language).lproj",
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(language).lproj/Localizable.strings"))
            }
            let host = try workspace.host(["--locale", "de-AT"])
            let german: JSON = ["A": "x", "B": "b"]
            let english: JSON = ["A": "a", "B": "b"]
            for (locale, texts) in [(nil, .null), ("de", .null), ("fr", english), ("ja", english), ("", .null)]
                as [(String?, JSON)]
            {
                let payload: JSON = ["aps": ["alert": "Hi", "category": "echo"]]
                let params: MemberList = ["payload": payload, "locale": locale.map(JSON.string)]
                let result = try host.result("didReceive", JSON(present: params))
                let seen = try JSON(parsing: try #require(result["view"]?["text"]?.string))
                #expect(seen == [german, texts], "\(locale ?? "none")")
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("--app names a folder with the app's texts, relative to that of a recording too")
    func app() throws {
        try Workspace.open { workspace in
            let app = "\(workspace.root)/app"
            try FileManager.default.createDirectory(atPath: "\(app)/de.lproj", withIntermediateDirectories: true)
            try Data("HELLO = \"Hallo %@\";".utf8).write(to: URL(filePath: "\(app)/de.lproj/Localizable.strings"))
            let file = "\(workspace.root)/a.session.jsonl"
            let alert = #"{"loc-key":"HELLO","loc-args":["Ada"]}"#
            let line =
                #"{"jsonrpc":"2.0","id":1,"method":"didReceive","params":{"payload":{"aps":{"alert":\#(alert)}}}}"#
            let arguments = workspace.arguments(["--app", app, "--locale", "de", "--record", file])
            let result = try JSON(parsing: try runPushhost(arguments, input: line.utf8).output)["result"]
            #expect(result?["content"]?["body"] == "Hallo Ada")
            #expect(result?["diagnostics"]?.array?.map { $0["reason"] } == ["noExtension"])
            #expect(try runPushhost(["replay", file]).status == .code(0))
            let text = try String(contentsOfFile: file, encoding: .utf8)
            try text.replacing("--app=\(app)", with: "--app=app").write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try runPushhost(["replay", file]).status == .code(0))
        }
    }

    // MARK: Files

    private func texts(_ bundle: String, _ language: String) throws -> [String: String] {
        let data = try Data(contentsOf: URL(filePath: "\(Self.folder)/\(bundle)/\(language).lproj/Localizable.strings"))
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        return try #require(list as? [String: String])
    }

    /// The argument positions of a text's placeholders, sorted.
    private func places(_ text: String) -> [Int] {
        text.matches(of: #/%(?:(\d+)\$)?@/#).enumerated().map { index, match in
            match.output.1.flatMap { Int($0) } ?? index + 1
        }.sorted()
    }
}
