import Foundation
import JSON
import TestSupport
import Testing

/// Property lists with typical mistakes: each affects only what it says, and the author gets a diagnostic.
@Suite(.waits, .wire) struct ExtensionsPlistsTests {
    private static let prefix = "UNNotificationExtension"

    @Test("Each notification of a bundle with the guide's misspelled key gets a diagnostic with the key that iOS reads")
    func misspeltInteraction() throws {
        try Workspace.open { workspace in
            let script = try Workspace.script("good")
            let (right, wrong) = ("\(Self.prefix)UserInteractionEnabled", "\(Self.prefix)InteractionEnabled")
            try workspace.add(named: "relies", script: script, attributes: [right: NSNull(), wrong: true])
            try workspace.add(named: "both", script: script, attributes: [right: true, wrong: true])
            try workspace.add(named: "off", script: script, attributes: [right: NSNull(), wrong: false])
            let host = try workspace.host()
            for _ in 0..<2 {
                let result = try host.result("didReceive", HostProcess.payload("relies"))
                let diagnostic = try #require(result["diagnostics"]?[0], "\(result)")
                #expect(diagnostic["reason"] == "ignoredInfoKey")
                let message = diagnostic["message"]?.string ?? ""
                #expect(message.contains(" \(wrong),"), "\(message)")
                #expect(message.contains(" \(right)"), "\(message)")
                #expect(message.hasPrefix("com.example.relies "), "\(message)")
                let touch: JSON = ["notification": result["notification"] ?? .null, "element": "status"]
                let error = try host.call("interact", touch)["error"]
                #expect(error?["data"]?["reason"] != "interactionDisabled", "the key goes on working here")
            }
            for name in ["both", "off"] {
                let result = try host.result("didReceive", HostProcess.payload(name))
                #expect(result["extension"] == .string("com.example.\(name)"))
                #expect(result["diagnostics"] == [], "\(name)")
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Unknown members, wrong types and conflicts affect only themselves")
    func odd() throws {
        try Workspace.open { workspace in
            let script = try Workspace.script("good")
            let wrong: [String: Any] = [
                "\(Self.prefix)InitialContentSizeRatio": "wide", "\(Self.prefix)DefaultContentHidden": 7,
                "\(Self.prefix)OverridesDefaultTitle": ["yes"], "\(Self.prefix)UserInteractionEnabled": "yes",
                "\(Self.prefix)Colour": "red", "Anything": ["at": "all"],
            ]
            try workspace.add(named: "a", script: script, attributes: wrong)
            try workspace.add(named: "b", script: script, attributes: ["\(Self.prefix)Category": ["b", "a"]])
            try workspace.add(named: "c", script: script, attributes: ["\(Self.prefix)Category": 5])
            let many = (1...10_000).map { "topic-\($0)" }
            try workspace.add(named: "d", script: script, attributes: ["\(Self.prefix)Category": many])
            let host = try workspace.host()

            let problems = try host.describe("a")["problems"]?.array?.compactMap { $0["message"]?.string } ?? []
            for name in ["InitialContentSizeRatio", "OverridesDefaultTitle", "UserInteractionEnabled"] {
                #expect(problems.contains { $0.hasPrefix("\(Self.prefix)\(name) must be ") }, "\(problems)")
            }
            let shown = try host.result("didReceive", HostProcess.payload("a"))
            #expect(shown["extension"] == "com.example.a", "of two with one category the lower identifier wins")
            #expect(shown["layout"]?["initialContentSizeRatio"] == 1.0)
            #expect(shown["layout"]?["overridesDefaultTitle"] == false)
            let touch: JSON = ["notification": shown["notification"] ?? .null, "element": "status"]
            #expect(try host.call("interact", touch)["error"]?["data"]?["reason"] == "interactionDisabled")

            let clash = try #require(try host.result("extensions")["problems"]?[0])
            #expect(clash["path"]?.string?.hasSuffix("/b") == true)
            #expect(clash["message"]?.string?.contains("com.example.a has the category a too and wins") == true)
            #expect(try host.result("didReceive", HostProcess.payload("b"))["extension"] == "com.example.b")
            #expect(try host.result("didReceive", HostProcess.payload("c"))["extension"] == JSON.null)
            #expect(try host.describe("c")["problems"]?[0]?["message"]?.string?.contains("is the number 5") == true)
            for category in ["topic-1", "topic-10000"] {
                let result = try host.result("didReceive", HostProcess.payload(category))
                #expect(result["extension"] == "com.example.d")
            }
            #expect(try host.describe("d")["starts"] == 1)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A bundle's identifier cannot forge a line of the log")
    func identifier() throws {
        try Workspace.open { workspace in
            let name = "a\nforged\u{202E}\u{2028}"
            try workspace.add(named: name, script: Workspace.script("garbageFirst"))
            let host = try workspace.host()
            _ = try host.show(name)
            let text = host.process.standardError
            #expect(text.contains("extension=com.example.a\\nforged\\u{202e}\\u{2028}"), "\(text.debugDescription)")
            #expect(!text.split(separator: "\n").contains { $0.hasPrefix("forged") })
            #expect(!text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{2028}" })
        }
    }
}
