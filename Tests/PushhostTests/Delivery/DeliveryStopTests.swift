import Foundation
import JSON
import TestSupport
import Testing

/// A flush that cannot be completed ends with one clear error and keeps all records.
@Suite(.waits, .wire) struct DeliveryStopTests {
    @Test(
        "A response of 401, 403 or 404 stops the flush, keeps all records and is reported to the operator",
        arguments: [401, 403, 404],
        [0, 1]
    )
    func stop(status: Int, passing: Int) throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host()
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            let answer = UsersTrackFault.answer(status, body: ["message": .string("no, \(UsersTrackServer.key)")])
            try workspace.server.inject(Array(repeating: .none, count: passing) + [answer])
            let stopped = try host.flush()
            #expect(stopped["error"]?["code"] == 301, "\(stopped)")
            #expect(stopped["error"]?["data"]?["reason"] == "destinationStopped")
            #expect(stopped["error"]?["message"]?.string?.isEmpty == false)
            let audit = try workspace.audit(host)
            audit.expectOnce(records)
            #expect(audit.deadCount == 0)
            #expect(audit.sentCount == stopped.count("delivered"))
            #expect(audit.pendingCount == stopped.count("remaining"))
            #expect(try workspace.server.requests().count == passing + 1)

            #expect(try host.flushed().count("delivered") == audit.pendingCount)
            try workspace.audit(host).expectOnce(records)
            try host.finishDelivery()
        }
    }

    @Test(
        "A redirect is not followed, so that the API key reaches no other server",
        arguments: [301, 302, 303, 307, 308]
    )
    func redirect(status: Int) throws {
        let other = try UsersTrackServer()
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host()
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            let headers: JSON = ["Location": .string("\(other.endpoint)/users/track")]
            try workspace.server.inject([.answer(status, headers: headers)])
            let stopped = try host.flush()
            #expect(stopped["error"]?["data"]?["reason"] == "destinationStopped", "\(stopped)")
            #expect(try other.requests().isEmpty)
            #expect(try workspace.audit(host).pendingCount == 200)
            try host.finishDelivery()
        }
    }

    @Test("If no server listens, a flush gives up after its patience and keeps all records")
    func refused() throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host(["--retry-patience": "200"])
            let records = DeliveryWorkspace.records()
            try DeliveryRecord.save(records, on: host)
            workspace.server.process.kill(SIGKILL)
            #expect(try workspace.server.process.wait() == .signal(SIGKILL))
            let reply = try host.flush()
            #expect(reply["error"]?["code"] == 302, "\(reply)")
            #expect(reply["error"]?["data"]?["reason"] == "destinationUnavailable")
            #expect(try #require(reply["error"]?["data"]?["retryAfter"]?.integer) > 0)
            #expect(reply.count("remaining") == 200)

            let server = try UsersTrackServer(port: workspace.server.port)
            #expect(try host.flushed().count("delivered") == 200)
            let audit = try DeliveryAudit(server, host)
            audit.expectOnce(records)
            #expect(audit.deadCount == 0)
            try host.finishDelivery()
        }
    }

    @Test("A requested wait that is longer than the patience is reported, and the next host still respects it")
    func longWait() throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host(["--retry-patience": "200"])
            try DeliveryRecord.save(DeliveryWorkspace.records(), on: host)
            try workspace.server.inject([.tooMany(.seconds, seconds: 600)])
            for host in [host, try workspace.host(["--retry-patience": "200"])] {
                let reply = try host.flush()
                #expect(reply["error"]?["code"] == 302, "\(reply)")
                let wait = try #require(reply["error"]?["data"]?["retryAfter"]?.integer)
                #expect(wait > 60_000)
                #expect(wait <= 600_000)
                try host.finishDelivery()
            }
            #expect(try workspace.server.requests().count == 1)
        }
    }

    @Test("A flush to an unknown destination fails with an error that says so")
    func unknown() throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host()
            let reply = try host.call("flushPending", ["to": "nobody"])
            #expect(reply["error"]?["code"] == 300, "\(reply)")
            #expect(reply["error"]?["data"]?["reason"] == "unknownDestination")
            try host.finishDelivery()
        }
    }

    @Test("A record without a user is held, named in the reply, and sent by a flush that supplies a user")
    func held() throws {
        try DeliveryWorkspace.with { workspace in
            let host = try workspace.host()
            try host.result("saveCustomEvent", ["name": "Event", "properties": ["n": 5]])
            try DeliveryRecord.save((0..<5).map { DeliveryRecord(number: $0) }, on: host)
            let reply = try host.flush()
            #expect(reply.count("delivered") == 5)
            #expect(reply.count("remaining") == 1)
            #expect(reply.count("held") == 1)
            #expect(reply["result"]?["diagnostics"]?.array?.first?["reason"] == "recordsHeld", "\(reply)")
            let user: JSON = ["braze_id": "ada"]
            #expect(try host.result("flushPending", ["to": "braze", "user": user]).count("delivered") == 1)
            #expect(try workspace.server.log().last?.object["braze_id"] == "ada")
            try host.finishDelivery()
        }
    }
}
