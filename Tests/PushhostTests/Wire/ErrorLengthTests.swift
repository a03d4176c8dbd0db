import Foundation
import JSON
import TestSupport
import Testing

/// Error messages quote a client's text, but only a part of a long one.
@Suite(.waits, .wire) struct ErrorLengthTests {
    private static let long = String(repeating: "é", count: 50_000)
    private static let text = JSON.string(long)

    private static let member = JSON.object(JSON.Object([(long, JSON.string("x"))]))

    /// Requests with a text of 100,000 bytes at a place where it is refused.
    private static let requests: [(String, JSON)] = [
        (long, [:]), ("tools/call", ["name": text]), ("ping", member), ("ping", [text]),
        ("pending", ["suite": text]), ("pending", ["kind": text]), ("pending", ["limit": text]),
        ("flushPending", ["to": text]), ("flushPending", ["user": member]),
        ("saveCustomEvent", ["name": text]), ("saveCustomEvent", ["name": "e", "time": text]),
        ("saveCustomEvent", ["name": "e", "properties": text]),
        ("saveCustomEvent", ["name": "e", "properties": member]),
        ("saveCustomAttribute", ["key": text, "value": 1]), ("saveUserAttribute", ["field": text, "value": "x"]),
        ("saveUserAttribute", ["field": "email", "value": text]),
        ("saveUserAttribute", ["field": "gender", "value": text]),
        ("didReceive", ["payload": ["aps": [:]], "locale": text]),
        ("didReceive", ["payload": ["aps": [:]], "date": text]), ("didReceive", ["payload": ["aps": text]]),
        ("interact", ["notification": text, "element": "x"]), ("dismiss", ["notification": text]),
        ("subscribe", ["topics": [text]]), ("acknowledge", ["lease": text]), ("importSuite", ["path": text]),
    ]

    @Test("An error quotes at most 200 bytes of a text, once in its message and at most once elsewhere")
    func quotes() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            for (method, params) in Self.requests {
                let reply = try host.call(method, params)
                #expect(reply["error"] != nil, "\(method.prefix(40)) took it")
                #expect(reply.bytes.count < 2_000, "\(method.prefix(40)): \(reply.description.prefix(3_000))")
            }
        }
    }

    @Test("An error quotes at most 200 bytes of an action, an element or a duplicate id")
    func others() throws {
        try Workspace.open { workspace in
            let gate = try Gate(try workspace.add("waits"))
            let host = try workspace.host()
            try gate.releaseOne()
            let notification = try host.shown("waits")
            let calls: [(String, JSON)] = [
                ("interact", ["notification": notification, "element": Self.text]),
                ("didReceiveResponse", ["notification": notification, "actionIdentifier": Self.text]),
            ]
            for (method, params) in calls { #expect(try host.call(method, params).bytes.count < 2_000) }
            let request: JSON = [
                "jsonrpc": "2.0", "id": Self.text, "method": "didReceive", "params": HostProcess.payload("waits"),
            ]
            try host.send(request)
            try host.send(request)
            let refusal = try host.reply()
            #expect(refusal["error"]?["data"]?["reason"] == "duplicateId")
            #expect(refusal["error"]?["data"]?["id"] == Self.text, "programs find the request by it")
            #expect((refusal["error"]?["message"]?.string?.utf8.count ?? .max) < 400)
            try gate.releaseOne()
            #expect(try host.reply()["id"] == Self.text)
        }
    }
}
