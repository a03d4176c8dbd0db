import Contract
import Foundation
import JSON
import Localization
import TestSupport
import Testing

@testable import Notifications

@Suite struct AlertTextTests {
    private static let texts = "T = \"Title %@\"; S = \"Subtitle\"; B = \"%2$@ %1$@\"; TITLE_KEY = x;"

    /// The payload of an alert, localized by a bundle with one English file.
    private func localized(
        _ alert: JSON,
        locale: String = "en",
        texts: String? = texts,
        catalog: String? = nil,
        isShown: Bool = true,
        isOfApp: Bool = false
    ) throws -> Payload {
        try withTemporaryDirectory { folder in
            let language = "\(folder)/en.lproj"
            try FileManager.default.createDirectory(atPath: language, withIntermediateDirectories: true)
            if let texts { try Data(texts.utf8).write(to: URL(filePath: "\(language)/Localizable.strings")) }
            if let catalog { try Data(catalog.utf8).write(to: URL(filePath: "\(folder)/Localizable.xcstrings")) }
            let aps: JSON = ["alert": alert]
            let object = JSON.Object([("aps", aps)])
            var payload = try Payload(object, path: "/params/payload", depth: 512)
            let strings = LocalizedStrings(folder: folder)
            let bundle = isShown ? ("com.example.a", strings) : nil
            payload.localize(LocalizedTextSource(bundle: bundle, app: isOfApp ? strings : nil, locale: locale))
            #expect(payload.userInfo["aps"]?["alert"] == alert, "userInfo keeps the payload as it came")
            return payload
        }
    }

    @Test("Keys are resolved, and take precedence over plain texts")
    func resolved() throws {
        let keys: [(String, JSON)] = [
            ("title-loc-key", "T"), ("title-loc-args", ["one"]), ("subtitle-loc-key", "S"), ("loc-key", "B"),
            ("loc-args", ["a", "b"]),
        ]
        let plain: [(String, JSON)] = [("title", "t"), ("subtitle", "s"), ("body", "b")]
        for members in [keys, plain + keys] {
            let payload = try localized(.object(JSON.Object(members)), locale: "de-AT")
            #expect((payload.title, payload.subtitle, payload.body) == ("Title one", "Subtitle", "b a"))
            #expect(payload.diagnostics.isEmpty)
            #expect(
                ReceivedContent(payload).json["title"] == "Title one"
                    && ReceivedContent(payload).json["body"] == "b a"
            )
            #expect(
                ReceivedContent(payload).defaultView["children"]?.array?.map { $0["text"] } == [
                    "Title one", "Subtitle", "b a",
                ]
            )
        }
    }

    @Test("For an unknown key the plain text is shown, or else the key, and a diagnostic names the files")
    func unknown() throws {
        let payload = try localized(["title": "Plain", "title-loc-key": "TITLE_KEI", "loc-key": "X"], locale: "de")
        #expect((payload.title, payload.body) == ("Plain", "X"))
        #expect(payload.diagnostics.map(\.reason) == ["unknownLocalizationKey", "unknownLocalizationKey"])
        #expect(
            payload.diagnostics.map(\.path) == ["title-loc-key", "loc-key"].map { "/params/payload/aps/alert/" + $0 }
        )
        let message = try #require(payload.diagnostics.first?.message)
        for part in [
            "com.example.a", "TITLE_KEI", "locale de", "en.lproj/Localizable.strings", "did you mean TITLE_KEY?",
        ] {
            #expect(message.contains(part), "\(message)")
        }
        #expect(payload.diagnostics[1].message.contains("the key itself is shown"))
        #expect(
            try localized(["loc-key": "B"], texts: nil).diagnostics.first?.message.contains("no Localizable") == true
        )
    }

    @Test("Of a plural, the number in an argument chooses the form", arguments: [("1", "one goal"), ("5", "5 goals")])
    func plural(number: String, body: String) throws {
        let catalog = """
            {"sourceLanguage": "en", "strings": {"GOALS": {"localizations": {"en": {"variations": {"plural": {
            "one": {"stringUnit": {"value": "one goal"}}, "other": {"stringUnit": {"value": "%lld goals"}}}}}}}}}
            """
        let payload = try localized(["loc-key": "GOALS", "loc-args": [.string(number)]], catalog: catalog)
        #expect(payload.body == body)
        #expect(payload.diagnostics.isEmpty, "the number is used, though the form does not show it")
    }

    @Test("Texts that the bundle lacks are those of the app, also if the system shows the notification")
    func app() throws {
        let payload = try localized(["title-loc-key": "S", "loc-key": "X"], isShown: false, isOfApp: true)
        #expect((payload.title, payload.body) == ("Subtitle", "X"))
        #expect(payload.diagnostics.map { $0.message.hasPrefix("the app has no text of the key X") } == [true])
        let both = try localized(["loc-key": "X"], isOfApp: true)
        #expect(both.diagnostics.map { $0.message.hasPrefix("com.example.a and the app have no text") } == [true])
    }

    @Test("If the system shows the notification and the app is not known, no texts are looked up")
    func system() throws {
        let payload = try localized(["title": "Plain", "title-loc-key": "T", "loc-key": "B"], isShown: false)
        #expect((payload.title, payload.body) == ("Plain", "B"))
        #expect(payload.diagnostics.count == 2)
        #expect(payload.diagnostics.allSatisfy { $0.message.contains("no extension shows") })
    }

    @Test("Arguments that do not fit the text are reported")
    func arguments() throws {
        let payload = try localized(["title-loc-key": "T", "subtitle-loc-key": "S", "subtitle-loc-args": ["x"]])
        #expect((payload.title, payload.subtitle) == ("Title %@", "Subtitle"))
        #expect(payload.diagnostics.map(\.reason) == ["localizationArguments", "localizationArguments"])
    }

    @Test(
        "Members of a wrong type are ignored and reported with their path",
        arguments: [
            (["title-loc-key": 5, "title": "P"], "/title-loc-key"), (["loc-key": "S", "loc-args": "x"], "/loc-args"),
            (["loc-key": "S", "loc-args": [1]], "/loc-args"), (["loc-args": ["x"], "body": "P"], "/loc-args"),
            (["subtitle-loc-key": []], "/subtitle-loc-key"),
        ] as [(JSON, String)]
    )
    func wrongTypes(alert: JSON, path: String) throws {
        let payload = try localized(alert)
        #expect(payload.diagnostics.first?.reason == "ignoredMember")
        #expect(payload.diagnostics.first?.path == "/params/payload/aps/alert" + path)
        #expect(payload.diagnostics.count == 1 || path == "/loc-args")
    }

    @Test("Arguments that are not an array of strings are all ignored")
    func mixedArguments() throws {
        let payload = try localized(["loc-key": "B", "loc-args": ["a", 1, "b"]])
        #expect(payload.body == "%2$@ %1$@")
        #expect(
            payload.diagnostics.map(\.reason) == ["ignoredMember", "localizationArguments", "localizationArguments"]
        )
    }

    @Test("Null is treated as absent, as on iOS")
    func null() throws {
        let payload = try localized(["title-loc-key": .null, "title-loc-args": .null, "loc-args": .null, "title": "P"])
        #expect(payload.title == "P")
        #expect(payload.diagnostics.isEmpty)
    }

    @Test("A damaged file is reported once, not once for each text")
    func damaged() throws {
        let payload = try localized(["title-loc-key": "T", "loc-key": "B"], texts: "T = x")
        #expect(payload.diagnostics.map(\.reason).count { $0 == "unreadableStrings" } == 1)
        #expect(payload.diagnostics.first?.message.contains("line 1") == true)
    }
}
