import Foundation
import JSON
import TestSupport
import Testing

/// What authors can do with each kit alike.
@Suite(.waits, .wire) struct KitParityTests {
    /// An ability by its name, with a test of a kit that fails if the kit lacks it.
    private static let abilities: [String: @Sendable (Kit) throws -> Void] = [
        "read every member of a notification": members, "read and replace the buttons": buttons,
        "show every kind of node": nodes, "set a title and a media button": media,
        "show a view and buttons between calls": viewBetweenCalls, "save between calls": saveBetweenCalls,
        "save an event with its time": time, "save for another user": user, "save once under a key": idempotencyKey,
        "store values": store, "append to the lists of Braze's guide": guide, "write into the log": log,
        "add diagnostics to a reply": diagnostics,
        "refuse with a reason and a path": refusal, "complete a response once, also later": completion,
        "read what a response answers": response, "continue after a number that is not finite": notFinite,
        "look up texts": texts, "read a fixed time that a client moves": clock,
        "continue after a cancelled call": cancellation, "learn of the dismissal": dismissal,
    ]

    @Test("Each kit has each ability", arguments: Kit.allCases, abilities.keys.sorted())
    func ability(kit: Kit, name: String) throws {
        let test = try #require(Self.abilities[name])
        try test(kit)
    }

    /// The rows of the reference's table of the context: what a member does, and its names in Swift, Python and Node.
    private static func rows() throws -> [[String]] {
        let page = try String(contentsOfFile: "\(repositoryRoot)/protocol/reference/kits.md", encoding: .utf8)
        let lines = page.split(separator: "\n").drop { !$0.hasPrefix("| to |") }.dropFirst(2).prefix {
            $0.hasPrefix("|")
        }
        return lines.map { line in line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    @Test("Each name in the reference's table of the context is one of the kit", arguments: Kit.allCases)
    func names(kit: Kit) throws {
        let column = [Kit.swift: 1, .python: 2, .node: 3][kit] ?? 0
        let source = try kit.source()
        let rows = try Self.rows()
        #expect(rows.count > 15)
        for row in rows {
            let names = row[column].matches(of: /`(\w+)/).map { String($0.output.1) }
            #expect(!names.isEmpty && names.allSatisfy { source.contains($0) }, "\(row)")
        }
    }

    // MARK: What is received

    /// The members are those of the document, each with a value by which it is recognized.
    private static func members(kit: Kit) throws {
        let schemas = try document("extension.openrpc.json")["components"]?["schemas"]
        let content = schemas?["Content"]?["properties"]?.object.map { $0.map(\.name) } ?? []
        let request = schemas?["Request"]?["properties"]?.object.map { $0.map(\.name) } ?? []
        let file: JSON = ["identifier": "a", "url": "file:///the/file", "type": "png"]
        let special: [String: (value: JSON, mark: String)] = [
            "title": ("members", "members"), "badge": (41, "41"), "relevanceScore": (0.75, "0.75"),
            "attachments": ([file], "file:///the/file"),
            "userInfo": (["key": "in the payload"], "in the payload"), "interruptionLevel": ("critical", "critical"),
            "verticalSizeClass": ("compact", "compact"),
        ]
        func values(_ names: [String]) -> [(String, JSON)] {
            names.map { ($0, special[$0]?.value ?? .string("value of \($0)")) }
        }
        let own = request.filter { $0 != "content" }
        let sent: JSON = .object(JSON.Object(values(own) + [("content", .object(JSON.Object(values(content))))]))
        try KitProcess.with(kit) { kit throws in
            let text = try kit.show("one", sent)["result"]?.shownText ?? ""
            let pairs = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            for name in content + own {
                let line = pairs.first { $0[0].replacing("_", with: "").lowercased() == name.lowercased() }
                let mark = special[name]?.mark ?? "value of \(name)"
                #expect(line?.last?.replacing("\\/", with: "/").contains(mark) == true, "\(name) in \(text)")
            }
            let attachments = pairs.first { $0[0] == "attachments" }?.last ?? ""
            #expect(attachments.contains(/identifier\W+a\W/) && attachments.contains(/type\W+png\W/), "\(attachments)")
        }
    }

    /// A response is about the newest notification that is shown, and a refused one is not.
    private static func response(kit: Kit) throws {
        try KitProcess.with(kit) { kit throws in
            _ = try kit.show("one", title: "first")
            _ = try kit.show("one", title: "second")
            #expect(try kit.show("one", title: "refuse")["error"] != nil)
            let press: JSON = ["notification": "one", "actionIdentifier": "asked", "userText": "a text"]
            let shown = try kit.call("didReceiveResponse", press)["result"]?.shownText
            #expect(shown == "a text second 2026-01-01T00:00:00.000Z")
        }
    }

    private static func buttons(kit: Kit) throws {
        let properties = try document("extension.openrpc.json")["components"]?["schemas"]?["Action"]?["properties"]
        let field: JSON = ["buttonTitle": "Send", "placeholder": "a text"]
        let options = properties?["options"]?["items"]?["enum"] ?? []
        // In the order of the document: the kits have a set of them.
        let actions: JSON = [
            ["identifier": "A", "title": "a", "options": []],
            ["identifier": "B", "title": "b", "options": options, "textInput": field],
        ]
        #expect(properties?.object?.map(\.name) == actions[1]?.object?.map(\.name), "each member is tested")
        try KitProcess.with(kit) { kit throws in
            let shown = try kit.show("one", title: "offered", actions: actions)["result"]
            #expect(shown?.shownText == "A B")
            #expect(shown?["actions"] == actions)
            #expect(try kit.show("two", title: "offered")["result"]?.shownText == "")
        }
    }

    /// A key without a text is shown itself, and the log names each once.
    private static func texts(kit: Kit) throws {
        let prepare: (String) throws -> Void = { bundle in
            try FileManager.default.createDirectory(atPath: "\(bundle)/en.lproj", withIntermediateDirectories: true)
            let text = #""GREETING" = "Hello %@";"#
            try Data(text.utf8).write(to: URL(filePath: "\(bundle)/en.lproj/Localizable.strings"))
        }
        try KitHost.with(kit, prepare: prepare) { kit throws in
            for _ in 1...2 { #expect(try kit.text("texts")?.hasPrefix("Hello Ada|ORDER|ONLY_ENGLISH|") == true) }
            _ = try kit.touch("logs")
            let messages = try (1...6).map { _ in try kit.host.notification("$/log")["message"]?.string ?? "" }
            let missing = ["ORDER", "ONLY_ENGLISH", "ONLY_BASE", "NOWHERE", "GOALS"]
            #expect(messages == missing.map { "no text has the key \($0) for the locale en" } + ["a line"])
        }
    }

    // MARK: What is shown

    private static func nodes(kit: Kit) throws {
        let row: JSON = [
            "type": "row", "id": "row", "background": ["light": "#ffffff", "dark": "#000000"],
            "children": [
                [
                    "type": "button", "id": "back", "title": "Back", "color": "#ffffff", "bold": true,
                    "background": "#0000ff",
                ], ["type": "text", "text": "plain"],
            ],
        ]
        let card: JSON = ["type": "card", "id": "card", "faceUp": true, "face": "A", "matched": true]
        let film: JSON = [
            "type": "media", "id": "film", "source": "a.mp4", "kind": "video", "state": "paused", "time": 1.5,
            "duration": 3.5, "alt": "A dance",
        ]
        let map: JSON = [
            "type": "map", "latitude": 1.5, "longitude": -2.5, "span": ["latitude": 0.5, "longitude": 0.25],
            "annotations": [["title": "Here", "latitude": 1.5, "longitude": 2.5]],
        ]
        let rest: JSON = [
            "type": "stack", "background": "#222222",
            "children": [
                ["type": "grid", "columns": 2, "background": "#111111", "children": [card]],
                ["type": "field", "id": "field", "value": "v", "placeholder": "p"],
                ["type": "progress", "value": 1, "total": 2, "color": "#00ff00"], film, map,
            ],
        ]
        let carousel: JSON = [
            "type": "carousel", "id": "pages", "page": 2, "background": "#333333",
            "children": [
                [
                    "type": "text", "text": "Heading", "style": "title", "alignment": "center", "color": "#ff0000",
                    "bold": true,
                ],
                ["type": "image", "url": "https://example.com/a.png", "alt": "A cat"], row, rest,
            ],
        ]
        let properties = try document("openrpc.json")["components"]?["schemas"]?["View"]?["properties"]
        var (types, names): (Set<String>, Set<String>) = ([], [])
        func visit(_ node: JSON) {
            types.insert(node["type"]?.string ?? "")
            names.formUnion(node.object?.map(\.name) ?? [])
            node.children.forEach(visit)
        }
        visit(carousel)
        #expect(types == Set(properties?["type"]?["enum"].elements.compactMap(\.string) ?? []))
        #expect(names == Set(properties?.object?.map(\.name) ?? []))
        try KitHost.with(kit) { kit throws in
            #expect(try kit.touch("nodes")["result"]?["view"] == carousel)
        }
    }

    /// What is set is sent once, with every member of the document, and stays.
    private static func media(kit: Kit) throws {
        let members = try document("extension.openrpc.json")["components"]?["schemas"]?["Media"]?["properties"]
        try KitProcess.with(kit) { kit throws in
            _ = try kit.show("one")
            let result = try kit.touch("one", "appearance")["result"]
            #expect(result?["title"] == "A title")
            let frame: [(String, Double?)] = ["x", "y", "width", "height"].map {
                ($0, result?["media"]?["frame"]?[$0]?.number)
            }
            #expect(frame.map(\.1) == [1, 2, 3, 4])
            #expect(result?["media"]?.object?.map(\.name) == members?.object?.map(\.name))
            #expect(result?["view"] == nil)
            #expect(try kit.touch("one", "logs")["result"] == [:])
            #expect(try kit.call("mediaPlay", ["notification": "one"])["result"]?.shownText == "plays")
        }
    }

    private static func viewBetweenCalls(kit: Kit) throws {
        try later(kit) { kit throws in
            #expect(try kit.host.notification("viewDidChange").shownText == "shown later")
            #expect(try kit.host.notification("viewDidChange")["actions"] == [])
            #expect(try kit.host.notification("$/log")["message"] == "later")
            #expect(try kit.text("logs") == "shown later")
        }
    }

    // MARK: What is saved

    private static func saveBetweenCalls(kit: Kit) throws {
        try later(kit) { kit throws in
            #expect(try kit.host.notification("$/log")["message"] == "later")
            #expect(try kit.records().map { $0["name"] } == ["Later"])
        }
    }

    /// Lets a thread of the program, or its timer, change something between calls.
    private static func later(_ kit: Kit, _ body: (KitHost) throws -> Void) throws {
        var gate: Gate?
        try KitHost.with(kit, prepare: { gate = try Gate($0) }) { kit throws in
            #expect(try kit.text("later") == "shown")
            try gate?.releaseOne()
            try body(kit)
        }
    }

    private static func time(kit: Kit) throws {
        try savedWithOptions(kit) { #expect($0.first?["time"] == "2025-01-01T01:00:00.000Z") }
    }

    private static func clock(kit: Kit) throws {
        try KitHost.with(kit, ["--clock", "2026-01-01T00:00:00Z"]) { kit throws in
            let before = try kit.text("time")
            let later: JSON = ["notification": kit.notification, "milliseconds": 3_600_000]
            try kit.host.result("advanceClock", later)
            let after = try kit.text("time")
            #expect(before?.hasPrefix("2026-01-01T00:00:00") == true)
            #expect(after?.hasPrefix("2026-01-01T01:00:00") == true)
        }
    }

    private static func user(kit: Kit) throws {
        try savedWithOptions(kit) { records in
            #expect(records.map { $0["kind"] } == ["customEvent", "customAttribute", "userAttribute"])
            #expect(records.allSatisfy { $0["user"] == ["external_id": "grace"] })
            #expect(records.dropFirst().first?["value"] == ["$merge": ["a": 1]])
        }
    }

    /// The second run of the same behaviour saves nothing.
    private static func idempotencyKey(kit: Kit) throws {
        try savedWithOptions(kit) { #expect($0.count == 3) }
    }

    private static func savedWithOptions(_ kit: Kit, _ check: ([JSON]) throws -> Void) throws {
        try KitHost.with(kit) { kit throws in
            for _ in 1...2 {
                let error = try kit.touch("saves_with_options")["error"]
                #expect(error == nil, "\(error ?? .null)")
            }
            try check(try kit.records())
        }
    }

    private static func store(kit: Kit) throws {
        try KitHost.with(kit) { kit throws in #expect(try kit.text("stores") == "True True") }
    }

    /// A number that a language writes in another form, and a record that was delivered meanwhile, are no changes.
    private static func guide(kit: Kit) throws {
        try KitHost.with(kit) { kit throws in
            let suite: JSON = .string(Workspace.group)
            for name in ["First", "Second"] {
                let event: JSON = [
                    "suite": suite, "name": .string(name), "properties": ["n": 1.0, "big": 9_007_199_254_740_993],
                ]
                try kit.host.result("saveCustomEvent", event)
            }
            let payload: JSON = ["aps": ["category": "kit", "alert": "Hello"], "braze_id": "ada"]
            let shown = try kit.host.result("didReceive", ["payload": payload])
            let ada = KitHost(host: kit.host, notification: shown["notification"] ?? .null)
            for _ in 1...2 { #expect(try ada.text("guide") == "reservedKey /params/value") }
            let records = try kit.records()
            let names = records.map { record in ["name", "key", "field"].compactMap { record[$0]?.string }.first ?? "" }
            #expect(names == ["First", "Second", "Waved", "level", "email", "Waved", "level", "email"])
            #expect(records[2]["properties"] == ["hand": "left"])
            #expect(records.dropFirst(2).allSatisfy { $0["user"] == ["braze_id": "ada"] })
        }
    }

    /// Nothing is saved, the author gets an error, and the same process serves on.
    private static func notFinite(kit: Kit) throws {
        try KitHost.with(kit) { kit throws in
            let pid = try kit.host.pid(of: "kit")
            #expect(try kit.touch("saves_nan").refusal != nil)
            #expect(try kit.records() == [])
            #expect(try kit.text("changes") == "changed inside")
            #expect(try kit.host.pid(of: "kit") == pid)
        }
    }

    // MARK: What is reported

    private static func log(kit: Kit) throws {
        try KitHost.with(kit) { kit throws in
            _ = try kit.touch("logs")
            let line = try kit.host.notification("$/log")
            #expect(line["level"] == "warning")
            #expect(line["message"] == "a line")
        }
    }

    private static func diagnostics(kit: Kit) throws {
        try KitHost.with(kit) { kit throws in
            #expect(try kit.touch("remarks_and_refuses")["error"] != nil)
            let diagnostics = try kit.touch("remarks")["result"]?["diagnostics"]
            #expect(diagnostics == [["reason": "pageLeftOut", "message": "page 2 has no image"]])
            #expect(try kit.touch("changes")["result"]?["diagnostics"] == nil)
        }
    }

    /// What was shown stays, and what was changed before the refusal is not sent later.
    private static func refusal(kit: Kit) throws {
        try KitHost.with(kit) { kit throws in
            let expected: JSON = [
                "code": 1, "message": "not now", "data": ["reason": "notNow", "path": "/params/value"],
            ]
            #expect(try kit.touch("refuses").refusal == expected)
            let after = try kit.touch("logs")["result"]
            #expect(after?.shownText == "shown")
            #expect(after?["actions"]?.array?.count == 8)
            #expect(try kit.text("changes") == "changed inside")
            #expect(try kit.host.show("kit", title: "refuse").refusal?["data"] == ["reason": "notToday"])
            #expect(try kit.host.result("notifications")["notifications"]?.array?.count == 1)
        }
    }

    // MARK: Calls

    private static func completion(kit: Kit) throws {
        let endings: [(String, JSON, String?)] = [
            ("twice", "doNotDismiss", "completionTwice"), ("never", "doNotDismiss", "completionMissing"),
            ("later", "dismiss", nil), ("once", "dismissAndForward", nil),
        ]
        try KitHost.with(kit) { kit throws in
            for (way, option, reason) in endings {
                // An earlier ending dismissed the notification.
                let shown = way == "once" ? try kit.showingAgain() : kit
                let result = try shown.press(way, text: way == "once" ? "a text" : nil)["result"]
                #expect(result?["option"] == option)
                #expect(result?["diagnostics"]?[0]?["reason"]?.string == reason)
                #expect(result?.shownText == (option == "doNotDismiss" ? way : nil))
            }
        }
    }

    /// The client is answered at once; the extension's answer comes later, and both agree about the view.
    private static func cancellation(kit: Kit) throws {
        var gate: Gate?
        try KitHost.with(kit, prepare: { gate = try Gate($0) }) { kit throws in
            let pid = try kit.host.pid(of: "kit")
            let id = try kit.host.request(
                "interact",
                ["notification": kit.notification, "element": "way", "value": "waits"]
            )
            try kit.host.send(["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": id]])
            #expect(try kit.host.reply()["error"]?["data"]?["reason"] == "requestCancelled")
            try gate?.releaseOne()
            #expect(try kit.text("logs") == "waited")
            #expect(try kit.host.pid(of: "kit") == pid)
        }
    }

    /// After the author dismissed the notification, the process serves on.
    private static func dismissal(kit: Kit) throws {
        try KitHost.with(kit) { kit throws in
            let pid = try kit.host.pid(of: "kit")
            _ = try kit.touch("ends")
            #expect(try kit.host.notification("$/log")["message"] == "dismissed")
            #expect(try kit.touch("logs")["error"]?["data"]?["reason"] == "noPresentation")
            _ = try kit.host.shown("kit")
            #expect(try kit.host.pid(of: "kit") == pid)
        }
    }

    private static func document(_ name: String) throws -> JSON {
        try JSON(parsing: [UInt8](try Data(contentsOf: URL(filePath: "\(repositoryRoot)/protocol/\(name)"))))
    }
}

extension Kit {
    /// The text of the kit's files.
    fileprivate func source() throws -> String {
        guard self == .swift else { return try String(contentsOfFile: try #require(filePath), encoding: .utf8) }
        let folder = "\(repositoryRoot)/Sources/ExtensionKit"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined()
    }
}

extension KitHost {
    /// Shows another notification.
    fileprivate func showingAgain() throws -> KitHost { KitHost(host: host, notification: try host.shown("kit")) }

    /// The records that were saved.
    fileprivate func records() throws -> [JSON] {
        try host.result("pending", ["suite": .string(Workspace.group)])["records"].elements
    }
}
