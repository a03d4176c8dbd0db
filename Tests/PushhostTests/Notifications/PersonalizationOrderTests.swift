import Foundation
import JSON
import TestSupport
import Testing

/// Which calls wait for a template that is being rendered, which overtake it, and how the wait can end.
@Suite(.waits, .wire) struct PersonalizationOrderTests {
    /// Runs the closure with a host whose renderer is working on a template, and the call's id.
    private func duringRendering(
        thread: String = "",
        _ body: (HostProcess, Gate, JSON) throws -> Void
    ) throws {
        try PersonalizationWorkspace.open { place in
            let gate = try Gate(place.renderer)
            let host = try place.bundles.host()
            try host.result("subscribe", ["topics": ["$/log"]])
            let call = try host.request("didReceive", template("first", thread: thread, ["do": "wait"]))
            #expect(try host.notification("$/log")["message"] == "waiting")
            try body(host, gate, call)
        }
    }

    private func template(_ title: String, thread: String = "", mutable: JSON? = nil, _ profile: JSON = [:]) throws
        -> JSON
    {
        try PersonalizationWorkspace.template(title, thread: thread, mutable: mutable, profile)
    }

    private func plain(_ title: String, thread: String = "", mutable: JSON? = nil) -> JSON {
        ServiceWorkspace.notification(thread: thread, mutable: mutable, alert: ["title": .string(title)])
    }

    private func titles(_ host: HostProcess) throws -> [String] {
        try host.result("notifications")["notifications"].elements.compactMap { $0["title"]?.string }
    }

    @Test(
        "Notifications are shown in order, with or without templates and the service extension",
        arguments: ["", "t"]
    )
    func order(thread: String) throws {
        try duringRendering(thread: thread) { host, gate, call in
            let calls = try [
                call, host.request("didReceive", plain("second", thread: thread)),
                host.request("didReceive", template("third", thread: thread, mutable: 1)),
                host.request("didReceive", plain("fourth", thread: thread, mutable: 1)),
                host.request("notifications"),
            ]
            let ping = try host.request("ping")
            #expect(try host.reply()["id"] == ping)
            try gate.releaseOne()
            let replies = try calls.map { _ in try host.reply() }
            #expect(replies.map { $0["id"] } == calls)
            let listed = (replies.last?["result"]?["notifications"]).elements
            #expect(listed.count == (thread.isEmpty ? 4 : 1))
            #expect(listed.last?["title"] == "fourth")
        }
    }

    @Test("A read of a suite that rendering may change waits; saves and reads of other suites do not")
    func suites() throws {
        try duringRendering { host, gate, call in
            let waiting = try host.request("pending", ["suite": .string(Workspace.group)])
            let free = try [
                host.request("saveCustomEvent", ["suite": "standard", "name": "x"]),
                host.request("pending", ["suite": "standard"]),
            ]
            #expect(try free.map { _ in try host.reply()["id"] } == free)
            try gate.releaseOne()
            #expect(try [host.reply(), host.reply()].map { $0["id"] } == [call, waiting])
        }
    }

    @Test("A cancelled rendering is answered at once and never shown, and the next template is rendered")
    func cancelled() throws {
        try duringRendering { host, gate, call in
            let next = try host.request("didReceive", template("next"))
            #expect(try host.result("$/cancelRequest", ["id": call])["cancelled"] == true)
            #expect(try host.reply()["error"]?["code"] == -32800)
            try gate.releaseOne()
            #expect(try host.reply()["id"] == next)
            #expect(try titles(host) == ["next"])
        }
    }

    @Test(
        "At end of input and after shutdown, a template in progress is still rendered and shown",
        arguments: [false, true]
    )
    func end(isShutdown: Bool) throws {
        try duringRendering { host, gate, call in
            let shutdown = isShutdown ? [try host.request("shutdown")] : []
            host.process.closeInput()
            try gate.releaseOne()
            #expect(try host.finish() == .code(0))
            let replies = try ([call] + shutdown).map { _ in try host.reply() }
            #expect(replies.map { $0["id"] } == [call] + shutdown)
            #expect(replies[0]["result"]?["notification"] != nil)
        }
    }

    @Test("A signal answers the call that is being rendered, and the renderer exits too")
    func signal() throws {
        try duringRendering { host, _, call in
            try host.expectStop(answering: call, to: "renderer")
        }
    }

    @Test("A crash fails only the template that is being rendered, not those waiting behind it")
    func crash() throws {
        try duringRendering { host, _, call in
            let next = try host.request("didReceive", template("next"))
            kill(try host.pid(of: "renderer"), SIGKILL)
            let replies = try [host.reply(), host.reply()]
            #expect(replies.map { $0["id"] } == [call, next])
            #expect(replies[0]["error"]?["data"]?["reason"] == "extensionExited")
            #expect(try titles(host) == ["next"])
        }
    }

    @Test("A reload waits for a template that is being rendered, and later calls wait for the reload")
    func reload() throws {
        try duringRendering { host, gate, call in
            let reload = try host.request("reloadExtensions", ["force": true])
            let next = try host.request("didReceive", template("next"))
            try gate.releaseOne()
            let replies = try [host.reply(), host.reply(), host.reply()]
            #expect(replies.map { $0["id"] } == [call, reload, next])
            #expect(replies.allSatisfy { $0["result"] != nil }, "\(replies)")
            #expect(try titles(host) == ["next"], "a reload ends what was shown")
        }
    }

    @Test("In lock-step each line waits for rendering, and in a batch the answers keep their order")
    func lockStep() throws {
        try PersonalizationWorkspace.withHost(["--seed", "1"]) { host in
            let calls = try [host.request("didReceive", template("first")), host.request("ping")]
            #expect(try calls.map { _ in try host.reply()["id"] } == calls)
            let batch: JSON = [
                ["jsonrpc": "2.0", "id": "a", "method": "didReceive", "params": try template("second")],
                ["jsonrpc": "2.0", "id": "b", "method": "notifications"],
            ]
            try host.send(batch)
            let answers = try host.reply()
            #expect(answers.array?.map { $0["id"] } == ["a", "b"])
            #expect(answers[1]?["result"]?["notifications"]?.array?.count == 2)
        }
    }
}
