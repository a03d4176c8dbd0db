import Foundation
import JSON
import TestSupport
import Testing

/// Which calls wait for a notification at the service extension, which overtake it, and how the wait can end.
@Suite(.waits, .wire) struct ServiceOrderTests {
    /// Runs the closure with a host whose service is working on a notification, and the call's id.
    private func duringService(
        _ options: [String] = [],
        thread: String = "",
        _ body: (HostProcess, Gate, JSON) throws -> Void
    ) throws {
        try ServiceWorkspace.open { service in
            let gate = try Gate(service.service)
            let host = try service.bundles.host(options)
            try host.result("subscribe", ["topics": ["$/log"]])
            let call = try host.request("didReceive", notification("first", thread: thread, wait: true))
            #expect(try host.notification("$/log")["message"] == "waiting")
            try body(host, gate, call)
        }
    }

    private func notification(_ title: String, thread: String = "", wait: Bool = false) -> JSON {
        let work: [(String, JSON)] = wait ? [("do", "wait")] : []
        return ServiceWorkspace.notification(thread: thread, [("change", ["title": .string(title)])] + work)
    }

    /// A notification that is not passed to the service.
    private func plain(_ title: String, thread: String = "") -> JSON {
        ServiceWorkspace.notification(thread: thread, mutable: nil, alert: ["title": .string(title)])
    }

    private func titles(_ host: HostProcess) throws -> [String] {
        try host.result("notifications")["notifications"].elements.compactMap { $0["title"]?.string }
    }

    @Test("Notifications are shown in order, whether they go through the service or not")
    func order() throws {
        try duringService { host, gate, call in
            let calls = try [
                call, host.request("didReceive", notification("second")), host.request("didReceive", plain("third")),
                host.request("didReceive", notification("fourth")), host.request("notifications"),
            ]
            let ping = try host.request("ping")
            #expect(try host.reply()["id"] == ping)
            try gate.releaseOne()
            let replies = try calls.map { _ in try host.reply() }
            #expect(replies.map { $0["id"] } == calls)
            #expect(replies.last?["result"]?["notifications"]?.array?.count == 4)
            #expect(try titles(host) == ["first", "second", "third", "fourth"])
        }
    }

    @Test("Notifications of one thread join in order")
    func thread() throws {
        try duringService(thread: "t") { host, gate, call in
            let calls = try [
                call, host.request("didReceive", notification("second", thread: "t")),
                host.request("didReceive", plain("third", thread: "t")),
            ]
            try gate.releaseOne()
            let replies = try calls.map { _ in try host.reply() }
            #expect(replies.map { $0["id"] } == calls)
            let listed = try host.result("notifications")["notifications"]
            #expect(listed?.array?.count == 1)
            let joined = (listed?[0]?["notifications"]).elements
            #expect(joined == replies.compactMap { $0["result"]?["notification"] })
            #expect(listed?[0]?["title"] == "third")
        }
    }

    @Test("A dismissal, a touch and a read of an affected suite wait for the service; saves and other suites do not")
    func others() throws {
        try ServiceWorkspace.open { service in
            let gate = try Gate(service.service)
            let host = try service.bundles.host()
            try host.result("subscribe", ["topics": ["$/log"]])
            let shown = try host.result("didReceive", plain("shown", thread: "t"))
            let notification = try #require(shown["notification"])
            let call = try host.request("didReceive", self.notification("joining", thread: "t", wait: true))
            #expect(try host.notification("$/log")["message"] == "waiting")
            let group: JSON = ["suite": .string(Workspace.group)]
            let waiting = try [
                host.request("pending", group),
                host.request("interact", ["notification": notification, "element": "content"]),
                host.request("dismiss", ["notification": notification]),
            ]
            let free = try [
                host.request("saveCustomEvent", ["suite": "standard", "name": "x"]),
                host.request("pending", ["suite": "standard"]), host.request("extensions"),
            ]
            #expect(try free.map { _ in try host.reply()["id"] } == free)
            try gate.releaseOne()
            let replies = try (0..<4).map { _ in try host.reply() }
            #expect(replies.first?["id"] == call)
            #expect(waiting.allSatisfy { id in replies.contains { $0["id"] == id && $0["result"] != nil } })
            #expect(try titles(host) == [], "the dismissal took the notification that joined, too")
        }
    }

    @Test("A cancelled call at the service is answered at once and never shown, and the next one is served")
    func cancelled() throws {
        try duringService { host, gate, call in
            let next = try host.request("didReceive", notification("next"))
            #expect(try host.result("$/cancelRequest", ["id": call])["cancelled"] == true)
            let reply = try host.reply()
            #expect(reply["id"] == call)
            #expect(reply["error"]?["code"] == -32800)
            try gate.releaseOne()
            #expect(try host.reply()["id"] == next)
            #expect(try titles(host) == ["next"])
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self, "the late answer came out") { try host.reply() }
        }
    }

    @Test("A call that waits for the service can be cancelled too")
    func cancelledWaiting() throws {
        try duringService { host, gate, call in
            let next = try host.request("didReceive", notification("next"))
            #expect(try host.result("$/cancelRequest", ["id": next])["cancelled"] == true)
            #expect(try host.reply()["id"] == next)
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
            #expect(try titles(host) == ["first"])
        }
    }

    @Test("At end of input and after shutdown, notifications at the service are still shown", arguments: [false, true])
    func end(isShutdown: Bool) throws {
        try duringService { host, gate, call in
            let next = try host.request("didReceive", notification("next"))
            let shutdown = isShutdown ? [try host.request("shutdown")] : []
            host.process.closeInput()
            try gate.releaseOne()
            #expect(try host.finish() == .code(0))
            let replies = try ([call, next] + shutdown).map { _ in try host.reply() }
            #expect(replies.map { $0["id"] } == [call, next] + shutdown)
            #expect(replies.prefix(2).allSatisfy { $0["result"]?["notification"] != nil })
        }
    }

    @Test("A signal answers the calls at the service, and its process exits too")
    func signal() throws {
        try duringService { host, _, call in
            try host.expectStop(answering: call, to: "service")
        }
    }

    @Test("A crash of the service leaves one notification unchanged and does not affect those behind it")
    func crash() throws {
        try duringService { host, _, call in
            let next = try host.request("didReceive", notification("next"))
            kill(try host.pid(of: "service"), SIGKILL)
            let replies = try [host.reply(), host.reply()]
            #expect(replies.map { $0["id"] } == [call, next])
            #expect(replies[0]["result"]?["diagnostics"]?[0]?["reason"] == "serviceFailed")
            #expect(replies[1]["result"]?["diagnostics"] == [])
            #expect(try titles(host) == ["T", "next"])
        }
    }

    @Test("In lock-step each line waits for the service, and in a batch the answers keep their order")
    func lockStep() throws {
        try ServiceWorkspace.withHost(["--seed", "1"]) { host in
            let calls = try [
                host.request("didReceive", notification("first")), host.request("ping"),
                host.request("didReceive", plain("second")),
            ]
            #expect(try calls.map { _ in try host.reply()["id"] } == calls)
            let batch: JSON = [
                ["jsonrpc": "2.0", "id": "a", "method": "didReceive", "params": notification("third")],
                ["jsonrpc": "2.0", "method": "didReceive", "params": notification("unanswered")],
                ["jsonrpc": "2.0", "id": "b", "method": "notifications"],
            ]
            try host.send(batch)
            let answers = try host.reply()
            #expect(answers.array?.map { $0["id"] } == ["a", "b"])
            #expect(answers[1]?["result"]?["notifications"]?.array?.count == 4)
        }
    }
}
