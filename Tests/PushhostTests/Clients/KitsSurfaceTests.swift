import JSON
import TestSupport
import Testing

/// What authors can do with buttons, titles and media through the kits, tested with a real host.
@Suite(.waits, .wire) struct KitsSurfaceTests {
    private static let category: JSON = [
        "identifier": "kit", "actions": [["identifier": "A", "title": "a"], ["identifier": "B", "title": "b"]],
    ]

    @Test("The category's buttons are offered until the extension sets others", arguments: Kit.allCases)
    func actions(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            try kit.host.result("setNotificationCategories", ["categories": [Self.category]])
            let shown = try kit.host.show("kit", title: "offered")["result"]
            #expect(shown?.shownText == "A B")
            #expect(shown?["actions"]?.array?.map { $0["identifier"] } == ["A", "B"])
        }
    }

    @Test("Rows, carousels and the members of texts and images are those of the contract", arguments: Kit.allCases)
    func nodes(kit: Kit) throws {
        let row: JSON = [
            "type": "row", "id": "row",
            "children": [["type": "button", "id": "back", "title": "Back"], ["type": "text", "text": "plain"]],
        ]
        let carousel: JSON = [
            "type": "carousel", "id": "pages", "page": 2,
            "children": [
                ["type": "text", "text": "Heading", "style": "title", "alignment": "center"],
                ["type": "image", "url": "https://example.com/a.png", "alt": "A cat"], row,
            ],
        ]
        try KitHost.with(kit) { kit in
            let touched = try kit.touch("nodes")["result"]
            #expect(touched?["view"] == carousel)
        }
    }

    @Test(
        "A diagnostic from the author is part of the reply to that call, unless the call fails",
        arguments: Kit.allCases
    )
    func diagnostics(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            #expect(try kit.touch("remarks_and_refuses")["error"] != nil)
            let diagnostics = try kit.touch("remarks")["result"]?["diagnostics"]
            #expect(diagnostics == [["reason": "pageLeftOut", "message": "page 2 has no image"]])
            let next = try kit.touch("changes")["result"]
            #expect(next?["diagnostics"] == nil)
            #expect(next?["view"] != nil)
        }
    }

    @Test("An extension answers with the contract version that it declares", arguments: Kit.allCases)
    func version(kit: Kit) throws {
        let program =
            switch kit {
            case .python:
                """
                #!/usr/bin/env python3
                from pushhost_extension import NotificationContentExtension, main
                class Story(NotificationContentExtension):
                    contract_version = "1.7"
                main(Story)
                """
            case .node:
                """
                #!/usr/bin/env node
                import { NotificationContentExtension, main } from "./pushhost-extension.mjs";
                class Story extends NotificationContentExtension {
                  static contractVersion = "1.7";
                }
                main(Story);
                """
            case .swift: throw TestFailure("a program for ExtensionKit must be compiled")
            }
        try withTemporaryDirectory { folder in
            let path = try kit.makeBundle(folder, program: program)
            let process = try ChildProcess(path, directory: folder)
            let activate: JSON = [
                "jsonrpc": "2.0", "id": 1, "method": "activate",
                "params": ["version": "1.7", "bundle": "com.example.kit", "locale": "en", "suites": []],
            ]
            try process.write(line: activate.description)
            var line = try #require(try process.readLine())
            // The kit ends a line that may have been started before the import.
            while line.isEmpty { line = try #require(try process.readLine()) }
            let answer = try JSON(parsing: line)
            #expect(answer["result"] == ["version": "1.7"])
        }
    }

    @Test("A title and a media button are shown, and a press of the button reaches the author", arguments: Kit.allCases)
    func media(kit: Kit) throws {
        try KitHost.with(kit) { kit in
            let notification: JSON = ["notification": kit.notification]
            #expect(try kit.host.call("mediaPlay", notification)["error"]?["data"]?["reason"] == "noMediaButton")
            let touched = try kit.touch("appearance")["result"]
            #expect(touched?["title"] == "A title")
            #expect(touched?["media"]?["button"] == "overlay")
            #expect(touched?["media"]?["playing"] == false)
            let played = try kit.host.result("mediaPlay", notification)
            #expect(played.shownText == "plays")
            #expect(played["media"]?["playing"] == true)
            #expect(played["media"]?["tintColor"] == "#ff0000")
            let paused = try kit.host.call("mediaPause", notification)
            #expect(paused.refusal?["code"] == -32601, "the author has no handler: \(paused)")
        }
    }
}
