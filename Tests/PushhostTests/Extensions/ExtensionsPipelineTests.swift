import Foundation
import JSON
import TestSupport
import Testing

/// Dependent requests that are sent in one write: each sees the effects of the earlier ones.
@Suite(.waits, .wire) struct ExtensionsPipelineTests {
    private static let register = "\(repositoryRoot)/plugins"

    @Test("A button that appears after a touch can be pressed in the same write")
    func pressAfterTouch() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--plugins", Self.register, "--data", folder])
            let notification = try shown(host)
            try host.request("interact", [notification, "email", "ada@example.com"])
            try host.request("didReceiveResponse", [notification, "REGISTER"])
            try host.request("didReceiveResponse", [notification, "CLOSE"])
            try host.request("interact", [notification, "email", "bob@example.com"])
            #expect(try host.reply()["result"]?["actions"]?[0]?["identifier"] == "REGISTER")
            #expect(try host.reply()["result"]?["option"] == "doNotDismiss")
            #expect(try host.reply()["result"]?["option"] == "dismiss")
            #expect(try host.reply()["error"]?["data"]?["reason"] == "noPresentation")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "A notification of the thread starts a new presentation if an earlier request in the same write ends the old one",
        arguments: [("dismiss", []), ("didReceiveResponse", ["REGISTER", "CLOSE"])] as [(String, [JSON])]
    )
    func joinAfterEnd(method: String, actions: [JSON]) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--plugins", Self.register, "--data", folder])
            let notification = try shown(host)
            try host.request("interact", [notification, "email", "ada@example.com"])
            let ends = actions.isEmpty ? [[notification]] : actions.map { [notification, $0] as JSON }
            for params in ends { try host.request(method, params) }
            try host.request("didReceive", Self.payload)
            try host.request("notifications")
            let replies = try (0..<ends.count + 3).map { _ in try host.reply() }
            #expect(replies.allSatisfy { $0["result"] != nil }, "\(replies)")
            let last = try #require(replies.last?["result"]?["notifications"]?.array)
            #expect(last.count == 1)
            #expect(last.first?["notification"] == replies[replies.count - 2]["result"]?["notification"])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A save about a notification is refused after its dismissal in the same write")
    func saveAfterDismissal() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--plugins", Self.register, "--data", folder])
            let notification = try shown(host)
            try host.request("interact", [notification, "email", "ada@example.com"])
            try host.request("dismiss", [notification])
            try host.request("saveCustomEvent", ["name": "Late", "notification": notification])
            let replies = try (0..<3).map { _ in try host.reply() }
            #expect(replies.last?["error"]?["data"]?["reason"] == "noPresentation", "\(replies)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A crash fails only the call that was running, and a waiting notification goes to the next process")
    func queuedBehindCrash() throws {
        try Workspace.open { workspace in
            try workspace.add("exitsInCall")
            let host = try workspace.host()
            let ids = try (0..<3).map { _ in
                try host.request("didReceive", HostProcess.payload("exitsInCall"))
            }
            for id in ids {
                let reply = try host.reply()
                #expect(reply["id"] == id)
                #expect(reply["error"]?["code"] == 121)
            }
            #expect(try host.describe("exitsInCall")["starts"] == 3)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A notification that waited during a crash is shown by the next process, and stays")
    func shownAfterCrash() throws {
        try Workspace.open { workspace in
            // The first process exits in its first call; the later ones serve.
            let program = try builtProduct("hostile-extension")
            let script = "if mkdir died 2>/dev/null; then exec '\(program)' exitsInCall; fi; exec '\(program)' good"
            try workspace.add(named: "once", script: script)
            let host = try workspace.host()
            try host.request("didReceive", HostProcess.payload("once", title: "lost"))
            let second = try host.request("didReceive", HostProcess.payload("once", title: "kept"))
            #expect(try host.reply()["error"]?["code"] == 121)
            let reply = try host.reply()
            #expect(reply["id"] == second)
            let shown = try #require(reply["result"]?["notification"], "\(reply)")
            let list = try #require(try host.result("notifications")["notifications"]?.array)
            #expect(list.map { $0["notification"] } == [shown])
            #expect(try host.result("dismiss", [shown])["dismissed"] == true)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A batch that contains shutdown is answered in lock-step too")
    func batchWithShutdown() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--seed", "1"])
            let members: JSON = [
                ["jsonrpc": "2.0", "id": 1, "method": "ping"], ["jsonrpc": "2.0", "id": 2, "method": "shutdown"],
                ["jsonrpc": "2.0", "id": 3, "method": "ping"],
            ]
            try host.send(members)
            let reply = try host.reply().array.map(Array.init) ?? []
            #expect(reply.map { $0["id"] } == [1, 2, 3])
            #expect(reply.last?["error"]?["data"]?["reason"] == "stopping")
            #expect(try host.process.wait() == .code(0))
        }
    }

    private static let payload: JSON = [
        "payload": ["aps": ["alert": "x", "category": "lab_register", "thread-id": "t"]]
    ]

    private func shown(_ host: HostProcess) throws -> JSON {
        try #require(try host.result("didReceive", Self.payload)["notification"])
    }
}
