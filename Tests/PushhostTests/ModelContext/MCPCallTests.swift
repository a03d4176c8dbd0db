import JSON
import TestSupport
import Testing

/// What `tools/call` does and returns.
@Suite(.waits, .wire) struct MCPCallTests {
    private static let game: JSON = [
        "payload": ["aps": ["alert": ["title": "Match!", "body": "Find the pairs"], "category": "match_game"]]
    ]

    // MARK: Results

    @Test("The match game's board is drawn as text and returned as structured content", arguments: [false, true])
    func board(isModern: Bool) throws {
        try MCP.withHost { host in
            let shown = try host.tool("didReceive", Self.game, isModern: isModern)
            #expect(shown["isError"] == false)
            #expect(shown["resultType"] == (isModern ? "complete" : nil))
            #expect(shown["_meta"]?["io.modelcontextprotocol/serverInfo"] == (isModern ? MCP.serverInfo : nil))
            let structured = try #require(shown["structuredContent"])
            let notification = try #require(structured["notification"]?.string)
            #expect(structured["view"]?["children"]?[0]?["children"]?.array?.count == 12)
            let text = shown.toolText
            #expect(
                text.hasPrefix("notification \(notification), shown by com.example.pushhost.match-game\n"),
                "\(text)"
            )
            let board = """
                │ ╭─ #card-0 ────╮ ╭─ #card-1 ────╮ ╭─ #card-2 ────╮ ╭─ #card-3 ────╮  │
                │ │ ░░░░░░░░░░░░ │ │ ░░░░░░░░░░░░ │ │ ░░░░░░░░░░░░ │ │ ░░░░░░░░░░░░ │  │
                """
            #expect(text.contains(board), "\(text)")

            let turned = try host.tool(
                "interact",
                ["notification": .string(notification), "element": "card-0"],
                isModern: isModern
            )
            let card = try #require(turned["structuredContent"]?["view"]?["children"]?[0]?["children"]?[0])
            #expect(card["faceUp"] == true)
            let face = try #require(card["face"]?.string)
            #expect(turned.toolText.contains("#card-0"), "\(turned.toolText)")
            #expect(turned.toolText.contains(face), "\(turned.toolText)")
        }
    }

    @Test("A view that changed by itself is read with the tool notifications, and drawn")
    func changed() throws {
        try MCP.withHost { host in
            let shown = try host.tool("didReceive", Self.game)["structuredContent"]
            let now = try host.tool("notifications", ["notification": shown?["notification"] ?? .null])
            let listed = now["structuredContent"]?["notifications"]
            #expect(listed?.array?.count == 1)
            #expect(listed?[0]?["view"] == shown?["view"])
            #expect(listed?[0]?["actions"] == shown?["actions"])
            #expect(now.toolText.contains("╭─ #card-0 ────╮ ╭─ #card-1 ────╮"), "\(now.toolText)")
            let all = try host.tool("notifications", nil)
            #expect(all["structuredContent"]?["notifications"]?[0]?["view"] == nil)
        }
    }

    @Test("A notification that the system shows is drawn once")
    func system() throws {
        try MCP.withHost { host in
            let payload: JSON = ["aps": ["alert": ["title": "Hi", "body": "Only once"]]]
            let text = try host.tool("didReceive", ["payload": payload]).toolText
            #expect(text.ranges(of: "Only once").count == 1, "\(text)")
        }
    }

    @Test("A form's fields and buttons are drawn with their identifiers")
    func form() throws {
        try MCP.withHost { host in
            let payload: JSON = [
                "aps": ["alert": "Join us", "category": "lab_register"], "cert_title": "Certification",
                "cert_description": "Prove what you know",
            ]
            let shown = try host.tool("didReceive", ["payload": payload])
            for part in ["│ Certification ", "│ Prove what you know ", "╭─ #email ─", "│ E-mail "] {
                #expect(shown.toolText.contains(part), "\(shown.toolText)")
            }
            let notification = shown["structuredContent"]?["notification"] ?? .null
            let filled = try host.tool(
                "interact",
                ["notification": notification, "element": "email", "value": "ada@example.com"]
            )
            #expect(filled.toolText.contains("│ ada@example.com "))
            #expect(filled.toolText.contains("│  1  Register  REGISTER, authenticationRequired "))
            let answered = try host.tool(
                "didReceiveResponse",
                ["notification": notification, "actionIdentifier": "REGISTER"]
            )
            #expect(answered.toolText.contains("│ Thanks for registering! "), "\(answered.toolText)")
        }
    }

    @Test("Structured content equals the method's result; a result without a view is its JSON as text")
    func same() throws {
        try MCP.withHost(["--clock", "2026-01-01T00:00:00Z"]) { host in
            try host.tool(
                "saveCustomEvent",
                ["name": "Opened", "properties": ["n": 1.0, "big": 9_007_199_254_740_993]]
            )
            let called = try host.tool("pending")
            let plain = try host.result("pending")
            #expect(called["structuredContent"]?.description == plain.description)
            #expect(called["content"] == [["type": "text", "text": .string(plain.description)]])
            #expect(try host.tool("ping", nil)["structuredContent"] == MCP.pong)
        }
    }

    // MARK: Failures

    @Test(
        "A method that fails is a tool result with isError: a text with the path, and code and data in _meta",
        arguments: [
            ("pending", ["limit": 0], -32602, "mistypedParam", "/limit"),
            ("pending", ["limits": 1], -32602, "unknownParam", "/limits"),
            ("interact", [:], -32602, "missingParam", "/notification"),
            ("interact", ["notification": "n", "element": "e"], 110, "unknownNotification", "/notification"),
            ("saveCustomEvent", ["name": "n", "properties": ["time": 1]], 210, "invalidRecord", "/properties/time"),
            ("saveCustomEvent", ["name": "n", "user": ["a/b": 1]], -32602, "unknownParam", "/user/a~1b"),
        ] as [(String, JSON, Int64, String, String)],
        [false, true]
    )
    func failure(_ call: (String, JSON, Int64, String, String), isModern: Bool) throws {
        let (name, arguments, code, reason, path) = call
        try MCP.withHost { host in
            let result = try host.tool(name, arguments, isModern: isModern)
            #expect(result["isError"] == true)
            #expect(result["structuredContent"] == nil)
            #expect(result["resultType"] == (isModern ? "complete" : nil))
            let error = try #require(result["_meta"]?["pushhost/error"])
            #expect(error["code"]?.integer == code)
            #expect(error["data"]?["reason"]?.string == reason)
            #expect(error["data"]?["path"]?.string == "/params/arguments\(path)")
            let message = try #require(error["message"]?.string)
            #expect(result.toolText == "\(message) (/params/arguments\(path))")
        }
    }

    @Test(
        "Invalid params of tools/call are a protocol error, not a tool result",
        arguments: [
            (["name": "fly"], "/params/name"), (["name": "shutdown"], "/params/name"),
            (["name": "setView"], "/params/name"), ([:], "/params/name"), (["name": 5], "/params/name"),
            (["name": "ping", "arguments": []], "/params/arguments"),
            (["name": "ping", "arguments": .null], "/params/arguments"), (["ping"], "/params"),
        ] as [(JSON, String)]
    )
    func noCall(params: JSON, path: String) throws {
        try MCP.withHost { host in
            let error = try host.callError("tools/call", params)
            #expect(error["code"] == -32602)
            #expect(error["data"]?["path"]?.string == path)
        }
    }

    // MARK: The same path

    @Test("A tool call waits for and overtakes the same calls as its method")
    func order() throws {
        try MCP.duringCall { host, gate, call in
            let group: JSON = ["suite": .string(Workspace.group)]
            let save: JSON = ["suite": .string(Workspace.group), "name": "Early"]
            let saved = try host.request("tools/call", MCP.params("saveCustomEvent", save))
            let read = try host.request("tools/call", MCP.params("pending", group))
            let plain = try host.request("pending", group)
            let ping = try host.request("tools/call", MCP.params("ping"))
            #expect(try [host.reply()["id"], host.reply()["id"]] == [saved, ping])
            #expect(try host.result("status")["requestsInFlight"] == 3)
            try gate.releaseOne()
            let replies = try (0..<3).map { _ in try host.reply() }
            #expect(replies.map { $0["id"] } == [call, read, plain])
            #expect(replies[1]["result"]?["structuredContent"] == replies[2]["result"])
        }
    }

    @Test("A tool call whose id is in flight is refused like any other request")
    func duplicateID() throws {
        try MCP.duringCall { host, gate, call in
            try host.send(["jsonrpc": "2.0", "id": call, "method": "tools/call", "params": MCP.params("ping")])
            let refused = try host.reply()
            #expect(refused["id"] == .null)
            #expect(refused["error"]?["data"]?["reason"] == "duplicateId")
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
        }
    }

    @Test("Tool calls and plain calls can share a batch, which is answered in its order")
    func batch() throws {
        try MCP.withHost { host in
            func member(_ id: JSON, _ method: JSON, _ params: JSON) -> JSON {
                ["jsonrpc": "2.0", "id": id, "method": method, "params": params]
            }
            let save = MCP.params("saveCustomEvent", ["name": "Opened"])
            try host.send([
                member(1, "tools/call", save), member(2, "tools/call", MCP.params("pending")),
                member(3, "pending", [:]),
                ["jsonrpc": "2.0", "method": "tools/call", "params": save], member(4, "tools/call", MCP.params("fly")),
                member(5, "tools/call", MCP.params("pending", [:], isModern: true)),
            ])
            let replies = try #require(try host.reply().array)
            #expect(replies.map { $0["id"] } == [1, 2, 3, 4, 5])
            #expect(replies[0]["result"]?["structuredContent"] == ["id": 1])
            #expect(replies[1]["result"]?["structuredContent"] == replies[2]["result"])
            #expect(replies[3]["error"]?["code"] == -32602)
            #expect(replies[4]["result"]?["structuredContent"]?["total"] == 2)
        }
    }

    @Test("A tool call sent as a notification runs without an answer, and its failure is logged")
    func notification() throws {
        try MCP.withHost { host in
            let save = MCP.params("saveCustomEvent", ["name": "Opened"])
            try host.send(["jsonrpc": "2.0", "method": "tools/call", "params": save])
            try host.send(["jsonrpc": "2.0", "method": "tools/call", "params": MCP.params("pending", ["limit": 0])])
            #expect(try host.result("pending")["total"] == 1)
            #expect(try host.finish() == .code(0))
            #expect(host.process.standardError.contains("the notification pending failed"))
        }
    }
}
