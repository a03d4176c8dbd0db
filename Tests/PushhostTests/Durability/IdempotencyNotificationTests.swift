import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// Saves with an idempotency key that refer to a notification: from a client after a restart, and from an extension.
@Suite(.waits, .wire) struct IdempotencyNotificationTests {
    @Test("A save that names a notification can be repeated after a restart, but a new save cannot name it")
    func restarted() throws {
        try withTemporaryDirectory { folder in
            let first = try HostProcess(["--data", folder])
            let payload: JSON = ["aps": ["alert": "x"], "braze_id": "ada"]
            let notification = try #require(try first.result("didReceive", ["payload": payload])["notification"])
            let save: JSON = ["name": "Seen", "notification": notification, "idempotencyKey": "k"]
            #expect(try first.result("saveCustomEvent", save) == ["id": 1])
            #expect(try first.result("saveCustomEvent", save)["repeated"] == true)
            #expect(try first.finish() == .code(0))
            let host = try HostProcess(["--data", folder])
            #expect(try host.result("saveCustomEvent", save) == ["id": 1, "repeated": true])
            #expect(try host.error("saveCustomEvent", save.setting("idempotencyKey", to: "l")).code.rawValue == 110)
            #expect(try host.error("saveCustomEvent", save.setting("name", to: "Other")).code.rawValue == 211)
            #expect(try host.error("saveCustomEvent", save.setting("notification", to: 7)).code == .invalidParams)
            let eve = save.setting("user", to: ["braze_id": "eve"])
            #expect(try host.error("saveCustomEvent", eve).code.rawValue == 211)
            let elsewhere = save.setting("suite", to: "group.new")
            #expect(try host.error("saveCustomEvent", elsewhere).code.rawValue == 110)
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/group.new.sqlite"), "a refusal makes no suite")
            // With a user, the repeated save is the same record or a different one.
            let known: JSON = ["name": "Seen", "idempotencyKey": "k", "user": ["braze_id": "ada"]]
            #expect(try host.result("saveCustomEvent", known)["repeated"] == true)
            #expect(
                try host.error("saveCustomEvent", known.setting("user", to: ["braze_id": "eve"])).code.rawValue == 211
            )
            #expect(try host.finish() == .code(0))
        }
    }

    /// Saves an event under one key each time a notification is shown, and shows the outcome.
    private static let saver = """
        exec python3 -c '
        import json, sys
        def send(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
        for line in sys.stdin:
            message = json.loads(line)
            if message.get("method") == "activate":
                send(id=message["id"], result={"version": "1.0"})
            elif message.get("method") == "didReceive":
                params = {"name": "Seen", "notification": message["params"]["notification"], "idempotencyKey": "once"}
                send(id="save", method="saveCustomEvent", params=params)
                answer = json.loads(sys.stdin.readline())
                answer = answer.get("result") or answer["error"]["data"]["reason"]
                send(id=message["id"], result={"view": {"type": "text", "text": json.dumps(answer)}})
        '
        """

    @Test("An extension saves once however often its notification arrives; a key reused for another user is refused")
    func `extension`() throws {
        try Workspace.open { workspace in
            _ = try Tool.python.path()
            try workspace.add(named: "saver", script: Self.saver)
            let host = try workspace.host()
            func show(_ user: String) throws -> JSON? {
                let payload: JSON = ["aps": ["alert": "x", "category": "saver"], "braze_id": .string(user)]
                let text = try host.result("didReceive", ["payload": payload])["view"]?["text"]?.string
                return try JSON(parsing: try #require(text))
            }
            try host.result("subscribe", ["topics": ["didSave"]])
            #expect(try show("ada") == ["id": 1])
            #expect(try host.notification("didSave")["id"] == 1)
            #expect(try show("ada") == ["id": 1, "repeated": true])
            #expect(try show("eve") == "idempotencyKeyReused")
            let records = try host.result("pending", ["suite": .string(Workspace.group)])["records"]
            #expect(records?.array?.map { $0["user"] } == [["braze_id": "ada"]])
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self, "a repeated save saved nothing") { try host.notification("didSave") }
        }
    }
}
