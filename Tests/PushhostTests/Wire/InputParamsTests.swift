import JSON
import TestSupport
import Testing

/// A request with invalid params, and its error.
struct BadParams: Sendable, CustomTestStringConvertible {
    let method: String
    let params: JSON
    let code: Int64
    let reason: String
    let path: JSON?

    var testDescription: String { "\(method) \(String(params.description.prefix(80)))" }

    init(_ method: String, _ params: JSON, _ code: Int64, _ reason: String, _ path: JSON?) {
        (self.method, self.params, self.code, self.reason, self.path) = (method, params, code, reason, path)
    }

    private static let long = JSON.string(String(repeating: "x", count: 256))
    /// Two identifiers, of which Braze accepts only one.
    private static let two: JSON = ["external_id": "e", "user_alias": ["alias_name": "n", "alias_label": "l"]]
    /// 988 bytes; Braze accepts 987.
    private static let longID = JSON.string(String(repeating: "é", count: 494))
    private static let nested = (0..<600).reduce(JSON.integer(1)) { value, _ in [value] }
    private static let bulky: JSON = ["aps": [:], "text": .string(String(repeating: "x", count: 4096))]

    static let shape = [
        BadParams("saveCustomEvent", [:], -32602, "missingParam", "/params/name"),
        BadParams("saveCustomEvent", ["standard"], -32602, "missingParam", "/params/1"),
        BadParams("saveCustomEvent", ["name": 1], -32602, "mistypedParam", "/params/name"),
        BadParams("saveCustomEvent", ["name": .null], -32602, "mistypedParam", "/params/name"),
        BadParams("saveCustomEvent", ["name": ""], -32602, "mistypedParam", "/params/name"),
        BadParams("saveCustomEvent", ["name": "a\u{0}b"], -32602, "mistypedParam", "/params/name"),
        BadParams("saveCustomEvent", ["standard", 1], -32602, "mistypedParam", "/params/1"),
        BadParams("saveCustomEvent", ["name": "a", "nmae": 1], -32602, "unknownParam", "/params/nmae"),
        BadParams("saveCustomEvent", ["name": "a", "x/~y": 1], -32602, "unknownParam", "/params/x~1~0y"),
        BadParams("saveCustomEvent", ["name": "a", "properties": 5], -32602, "mistypedParam", "/params/properties"),
        BadParams(
            "saveCustomEvent",
            ["name": "a", "time": "2026-01-01T00:00:00"],
            -32602,
            "mistypedParam",
            "/params/time"
        ),
        BadParams("saveCustomEvent", ["name": "a", "time": .null], -32602, "mistypedParam", "/params/time"),
        BadParams("saveCustomEvent", ["name": "a", "user": "x"], -32602, "mistypedParam", "/params/user"),
        BadParams("saveCustomEvent", ["name": "a", "user": [:]], -32602, "mistypedParam", "/params/user"),
        BadParams("saveCustomEvent", ["name": "a", "user": ["id": "x"]], -32602, "unknownParam", "/params/user/id"),
        BadParams(
            "saveCustomEvent",
            ["name": "a", "user": ["braze_id": 1]],
            -32602,
            "mistypedParam",
            "/params/user/braze_id"
        ),
        BadParams(
            "saveUserAttribute",
            ["field": "email", "value": "a@example.com", "user": ["external_id": ""]],
            -32602,
            "mistypedParam",
            "/params/user/external_id"
        ),
        BadParams(
            "saveCustomAttribute",
            ["key": "k", "value": 1, "user": ["user_alias": ["alias_name": "a", "alias_label": ""]]],
            -32602,
            "mistypedParam",
            "/params/user/user_alias/alias_label"
        ),
        BadParams("flushPending", ["user": ["braze_id": ""]], -32602, "mistypedParam", "/params/user/braze_id"),
        BadParams("flushPending", ["user": two], -32602, "invalidParams", "/params/user"),
        BadParams(
            "flushPending",
            ["user": ["external_id": longID], "to": "file"],
            -32602,
            "invalidParams",
            "/params/user/external_id"
        ),
        BadParams("flushPending", ["user": ["email": "nobody"]], -32602, "invalidParams", "/params/user/email"),
        BadParams("ping", [1], -32602, "unknownParam", "/params/0"),
        BadParams("ping", ["a": 1], -32602, "unknownParam", "/params/a"),
        BadParams("pending", ["limit": 0], -32602, "mistypedParam", "/params/limit"),
        BadParams("pending", ["limit": 1001], -32602, "mistypedParam", "/params/limit"),
        BadParams("pending", ["limit": 1.0], -32602, "mistypedParam", "/params/limit"),
        BadParams("pending", ["kind": "event"], -32602, "mistypedParam", "/params/kind"),
        BadParams("pending", ["suite": 1], -32602, "mistypedParam", "/params/suite"),
        BadParams("subscribe", ["topics": ["$/log", "x"]], -32602, "invalidParams", "/params/topics/1"),
        BadParams("$/cancelRequest", ["id": true], -32602, "mistypedParam", "/params/id"),
        BadParams("$/cancelRequest", ["id": [1]], -32602, "mistypedParam", "/params/id"),
        BadParams("notifications", ["notification": 1], -32602, "mistypedParam", "/params/notification"),
        BadParams("didReceive", ["payload": "x"], -32602, "mistypedParam", "/params/payload"),
        BadParams("didReceive", ["payload": ["aps": [:]], "date": "soon"], -32602, "mistypedParam", "/params/date"),
    ]

    static let meaning = [
        BadParams("saveCustomEvent", ["name": long], 210, "invalidRecord", "/params/name"),
        BadParams("saveCustomEvent", ["standard", long], 210, "invalidRecord", "/params/1"),
        BadParams(
            "saveCustomEvent",
            ["name": "a", "properties": ["$a": 1]],
            210,
            "invalidRecord",
            "/params/properties/$a"
        ),
        BadParams(
            "saveCustomEvent",
            ["name": "a", "properties": ["event_name": 1]],
            210,
            "invalidRecord",
            "/params/properties/event_name"
        ),
        BadParams(
            "saveCustomEvent",
            ["name": "a", "properties": ["n": nested]],
            210,
            "invalidRecord",
            "/params/properties"
        ),
        BadParams("saveCustomAttribute", ["key": "email", "value": 1], 210, "invalidRecord", "/params/key"),
        BadParams("saveCustomAttribute", ["standard", "email", 1], 210, "invalidRecord", "/params/1"),
        BadParams("saveCustomAttribute", ["key": "k", "value": long], 210, "invalidRecord", "/params/value"),
        BadParams("saveCustomAttribute", ["key": "app_id", "value": "a"], 210, "invalidRecord", "/params/key"),
        BadParams("saveCustomEvent", ["name": "a", "user": two], 210, "invalidRecord", "/params/user"),
        BadParams(
            "saveCustomEvent",
            ["standard", "a", [:], "2026-01-01T00:00:00Z", two],
            210,
            "invalidRecord",
            "/params/4"
        ),
        BadParams("saveCustomAttribute", ["key": "k", "value": 1, "user": two], 210, "invalidRecord", "/params/user"),
        BadParams(
            "saveUserAttribute",
            ["field": "email", "value": "a@example.com", "user": ["external_id": longID]],
            210,
            "invalidRecord",
            "/params/user/external_id"
        ),
        BadParams(
            "saveCustomEvent",
            ["name": "a", "user": ["email": "nobody"]],
            210,
            "invalidRecord",
            "/params/user/email"
        ),
        BadParams(
            "saveUserAttribute",
            ["field": "email", "value": "b@example.com", "user": ["email": "a@example.com"]],
            210,
            "invalidRecord",
            "/params/user/email"
        ),
        BadParams("saveUserAttribute", ["field": "shoe_size", "value": 44], 210, "invalidRecord", "/params/field"),
        BadParams("saveUserAttribute", ["standard", "shoe_size", 44], 210, "invalidRecord", "/params/1"),
        BadParams("saveUserAttribute", ["field": "email", "value": "nobody"], 210, "invalidRecord", "/params/value"),
        BadParams("store", ["key": "k", "value": nested], 210, "invalidRecord", "/params/value"),
        BadParams("store", ["key": "pending_custom_events", "value": [[]]], 210, "invalidRecord", "/params/value/0"),
        BadParams("pending", ["suite": "../x"], 200, "invalidSuiteName", "/params/suite"),
        BadParams("saveCustomEvent", ["suite": "../x", "name": "a"], 200, "invalidSuiteName", "/params/suite"),
        BadParams("saveCustomEvent", ["suite": "", "name": "a"], 200, "invalidSuiteName", "/params/suite"),
        BadParams("saveCustomEvent", ["suite": "a\u{0}", "name": "a"], 200, "invalidSuiteName", "/params/suite"),
        BadParams("flushPending", ["to": "nowhere"], 300, "unknownDestination", "/params/to"),
        BadParams("acknowledge", ["lease": "nothing"], 209, "leaseExpired", nil),
        BadParams("didReceive", ["payload": bulky], 101, "payloadTooLarge", "/params/payload"),
        BadParams("didReceive", [bulky], 101, "payloadTooLarge", "/params/0"),
        BadParams("didReceive", ["payload": [:]], 102, "invalidPayload", "/params/payload"),
        BadParams("didReceive", ["payload": ["aps": 3]], 102, "invalidPayload", "/params/payload/aps"),
        BadParams("didReceive", [["aps": 3]], 102, "invalidPayload", "/params/0/aps"),
        BadParams("notifications", ["notification": "none"], 110, "unknownNotification", "/params/notification"),
        BadParams("dismiss", ["notification": "none"], 110, "unknownNotification", "/params/notification"),
        BadParams(
            "interact",
            ["notification": "none", "element": "x"],
            110,
            "unknownNotification",
            "/params/notification"
        ),
    ]
}

@Suite(.waits, .wire) struct InputParamsTests {
    @Test("Params of the wrong type or shape are refused at their path", arguments: BadParams.shape)
    func shape(bad: BadParams) throws { try check(bad) }

    @Test("Values outside their domain are refused at their path", arguments: BadParams.meaning)
    func meaning(bad: BadParams) throws { try check(bad) }

    private func check(_ bad: BadParams) throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            let reply = try host.call(bad.method, bad.params)
            #expect(reply["error"]?["code"] == .integer(bad.code), "\(reply)")
            #expect(reply["error"]?["data"]?["reason"] == .string(bad.reason))
            #expect(reply["error"]?["data"]?["path"] == bad.path)
            #expect(try host.result("ping")["version"] != nil)
            #expect(try host.result("suites")["suites"] == [], "nothing was created")
        }
    }

    @Test("Every method refuses a suite name that differs only in case and suggests the existing suite")
    func otherCase() throws {
        let calls: [(method: String, params: [(String, JSON)])] = [
            ("saveCustomEvent", [("name", "a")]), ("saveCustomAttribute", [("key", "a"), ("value", 1)]),
            ("saveUserAttribute", [("field", "email"), ("value", "ada@example.com")]), ("pending", []),
            ("flushPending", []), ("flushPending", [("to", "file")]), ("deadLetters", []), ("retryDeadLetters", []),
            ("discardDeadLetters", []), ("acknowledge", [("lease", "x")]), ("store", [("key", "a"), ("value", 1)]),
            ("retrieve", [("key", "a")]), ("removeObject", [("key", "a")]), ("resetStorageKeys", []),
        ]
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            try host.result("saveCustomEvent", ["suite": "outbox", "name": "a"])
            for (method, params) in calls {
                let error = try host.call(method, .object(JSON.Object([("suite", "Outbox")] + params)))["error"]
                #expect(error?["data"]?["reason"] == "suiteNameTaken", "\(method): \(String(describing: error))")
                #expect(error?["message"]?.string?.contains("outbox") == true)
            }
            #expect(try host.result("pending", ["suite": "outbox"])["total"] == 1)
        }
    }

    @Test("A suite name is compared as bytes with that of the call before, not as equivalent characters")
    func composedName() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            try host.result("pending", ["suite": "K"])
            let kelvin = try host.call("pending", ["suite": "\u{212A}"])["error"]
            #expect(kelvin?["data"]?["reason"] == "invalidSuiteName", "\(String(describing: kelvin))")
        }
    }

    @Test("Params whose names begin with _ are accepted")
    func underscore() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            #expect(try host.result("ping", ["_trace": 1])["version"] != nil)
            #expect(try host.result("saveCustomEvent", ["name": "a", "_": .null, "_x": [:]])["id"] == 1)
        }
    }

    @Test("An invalid notification instead of a request changes nothing and is not answered")
    func badNotification() throws {
        try withTemporaryDirectory { folder in
            let host = try HostProcess(["--data", folder, "--plugins", folder])
            for bad in BadParams.shape + BadParams.meaning {
                try host.send(["jsonrpc": "2.0", "method": .string(bad.method), "params": bad.params])
            }
            #expect(try host.result("suites")["suites"] == [])
            #expect(try host.finish() == .code(0))
            #expect(host.process.standardError.contains("saveCustomEvent failed"))
        }
    }
}
