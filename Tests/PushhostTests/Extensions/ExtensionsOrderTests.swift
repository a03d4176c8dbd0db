import JSON
import TestSupport
import Testing

/// Which calls wait for a call that an extension is handling, and which ones overtake it.
@Suite(.waits, .wire) struct ExtensionsOrderTests {
    private let group: JSON = ["suite": .string(Workspace.group)]

    /// A host whose extension is handling a `didReceive`; the closure receives the call's id.
    private func duringCall(
        _ options: [String] = [],
        _ body: (Workspace, HostProcess, Gate, JSON) throws -> Void
    ) throws {
        try Workspace.open { workspace in
            let gate = try Gate(try workspace.add("waits"))
            try workspace.add("good")
            let host = try workspace.host(options)
            try host.result("subscribe", ["topics": ["$/log"]])
            let call = try host.request("didReceive", HostProcess.payload("waits"))
            #expect(try host.notification("$/log")["message"] == "waiting")
            try body(workspace, host, gate, call)
        }
    }

    private func ids(_ host: HostProcess, _ count: Int) throws -> [JSON?] {
        try (0..<count).map { _ in try host.reply()["id"] }
    }

    @Test("Reads of a suite that the extension may access, and the list of notifications, wait for its call")
    func reads() throws {
        try duringCall { _, host, gate, call in
            let retrieve: JSON = ["suite": .string(Workspace.group), "key": "k"]
            let other = try host.request("pending", ["suite": "standard"])
            let waiting = [
                try host.request("pending", group), try host.request("notifications"),
                try host.request("flushPending", group), try host.request("retrieve", retrieve),
                try host.request("suites"),
            ]
            let ping = try host.request("ping")
            #expect(try ids(host, 2) == [other, ping])
            try gate.releaseOne()
            let late = try ids(host, 6)
            #expect(late.first == call)
            #expect(waiting.allSatisfy { late.contains($0) })
        }
    }

    @Test("ping, status, other extensions and saves overtake a call to an extension")
    func overtaking() throws {
        try duringCall { _, host, gate, call in
            let free = [
                try host.request("ping"), try host.request("status"), try host.request("extensions"),
                try host.request("rpc.discover"),
                try host.request("saveCustomEvent", ["suite": group["suite"] ?? "", "name": "Early"]),
            ]
            #expect(try ids(host, 5) == free)
            #expect(try host.show("good")["result"] != nil)
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
        }
    }

    @Test("A read that waits for an extension sees no save that was sent after it")
    func saveBehindRead() throws {
        try duringCall { _, host, gate, call in
            let read = try host.request("pending", group)
            let save = try host.request("saveCustomEvent", ["suite": group["suite"] ?? "", "name": "Late"])
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
            let first = try host.reply()
            #expect(first["id"] == read)
            #expect(first["result"]?["total"] == 0, "the read was sent before the save")
            #expect(try host.reply()["id"] == save)
        }
    }

    @Test("Calls on one presentation run in order, and a dismissal waits for them")
    func dismissal() throws {
        try duringCall { _, host, gate, call in
            try gate.releaseOne()
            let reply = try host.reply()
            #expect(reply["id"] == call)
            let notification = try #require(reply["result"]?["notification"])
            let touch: JSON = ["notification": notification, "element": "status"]
            let order = [
                try host.request("interact", touch), try host.request("interact", touch),
                try host.request("dismiss", ["notification": notification]),
                try host.request("notifications"),
            ]
            let late = try host.request("interact", touch)
            try gate.releaseOne()
            try gate.releaseOne()
            let replies = try (0..<5).map { _ in try host.reply() }
            #expect(replies.map { $0["id"] } == (order + [late]).map { $0 })
            #expect(replies[2]["result"]?["dismissed"] == true)
            #expect(replies[3]["result"]?["notifications"] == [])
            #expect(replies[4]["error"]?["data"]?["reason"] == "noPresentation")
        }
    }

    @Test("A cancelled call is answered at once, its late answer is dropped and the next call is served")
    func cancelled() throws {
        try duringCall { _, host, gate, call in
            let cancel = try host.request("$/cancelRequest", ["id": call])
            let replies = try [host.reply(), host.reply()]
            let first = try #require(replies.first { $0["id"] == call })
            #expect(first["error"]?["code"] == -32800)
            #expect(first["error"]?["data"]?["reason"] == "requestCancelled")
            #expect(replies.contains { $0["id"] == cancel && $0["result"]?["cancelled"] == true })
            #expect(try host.result("$/cancelRequest", ["id": call])["cancelled"] == false)
            try gate.releaseOne()
            try gate.releaseOne()
            #expect(try host.show("waits")["result"] != nil)
            #expect(try host.finish() == .code(0))
            #expect(throws: TestFailure.self, "the late answer came out") { try host.reply() }
        }
    }

    @Test("A cancellation sent as a notification produces one answer, to the cancelled call")
    func cancelledByNotification() throws {
        try duringCall { _, host, gate, call in
            try host.send(["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": call]])
            let reply = try host.reply()
            #expect(reply["id"] == call)
            #expect(reply["error"]?["code"] == -32800)
            try gate.releaseOne()
            #expect(try host.result("ping")["version"] != nil)
        }
    }

    @Test("A waiting call can be cancelled before it starts")
    func cancelledWaiting() throws {
        try duringCall { _, host, gate, call in
            let read = try host.request("pending", group)
            try host.send(["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": read]])
            let reply = try host.reply()
            #expect(reply["id"] == read)
            #expect(reply["error"]?["code"] == -32800)
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
        }
    }

    @Test("A duplicate id is refused with id null, and the id can be used again after the answer")
    func duplicateId() throws {
        try duringCall { _, host, gate, call in
            try host.send(["jsonrpc": "2.0", "id": call, "method": "ping"])
            let refusal = try host.reply()
            #expect(refusal["id"] == JSON.null)
            #expect(refusal["error"]?["code"] == -32600)
            #expect(refusal["error"]?["data"]?["reason"] == "duplicateId")
            #expect(refusal["error"]?["data"]?["id"] == call)
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
            try host.send(["jsonrpc": "2.0", "id": call, "method": "ping"])
            #expect(try host.reply()["result"]?["version"] != nil)
        }
    }

    @Test("A batch with a call to an extension is answered as one array, in request order")
    func batch() throws {
        try duringCall { _, host, gate, call in
            var batch: [JSON] = [
                ["jsonrpc": "2.0", "id": "first", "method": "didReceive", "params": HostProcess.payload("waits")],
                ["jsonrpc": "2.0", "method": "ping"],
                ["jsonrpc": "2.0", "id": "second", "method": "ping"],
            ]
            batch.append(42)
            try host.send(JSON(batch))
            #expect(try host.result("ping")["version"] != nil, "the batch holds nobody up")
            try gate.releaseOne()
            try gate.releaseOne()
            #expect(try host.reply()["id"] == call)
            let answers = try host.reply()
            #expect(answers.array?.map { $0["id"] } == ["first", "second", .null])
            #expect(answers[0]?["result"]?["notification"] != nil)
            #expect(answers[2]?["error"]?["code"] == -32600)
        }
    }

    @Test("At the end of input the host waits for the answers of extensions")
    func endOfInput() throws {
        try duringCall { _, host, gate, call in
            let read = try host.request("pending", group)
            host.process.closeInput()
            try gate.releaseOne()
            #expect(try host.finish() == .code(0))
            #expect(try ids(host, 2) == [call, read])
        }
    }

    @Test("shutdown lets calls in flight finish, is answered last, and later lines are ignored")
    func shutdown() throws {
        try duringCall { _, host, gate, call in
            let read = try host.request("pending", group)
            let shutdown = try host.request("shutdown")
            try host.request("ping")
            try gate.releaseOne()
            #expect(try host.finish() == .code(0))
            #expect(try ids(host, 3) == [call, read, shutdown])
            #expect(throws: TestFailure.self) { try host.reply() }
        }
    }

    @Test("In lock-step nothing overtakes, and lines wait for the extension")
    func lockStep() throws {
        try Workspace.open { workspace in
            let gate = try Gate(try workspace.add("waits"))
            let host = try workspace.host(["--seed", "7"])
            let ids = [
                try host.request("didReceive", HostProcess.payload("waits")), try host.request("ping"),
                try host.request("saveCustomEvent", ["name": "Seen"]),
            ]
            try gate.releaseOne()
            #expect(try self.ids(host, 3) == ids)
        }
    }
}
