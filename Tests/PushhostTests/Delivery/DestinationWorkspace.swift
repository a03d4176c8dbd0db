import Foundation
import JSON
import TestSupport
import Testing

/// Destinations in Python, and hosts that flush to them.
///
/// A destination's behaviour is a Python function `deliver(batch, n)` that returns the result, or `None` to not answer.
/// `n` counts the batches across all processes of the destination.
struct DestinationWorkspace {
    let bundles: Workspace

    /// Creates a workspace for the closure, and removes it with its contents afterwards.
    static func open(_ body: (DestinationWorkspace) throws -> Void) throws {
        try Workspace.open { try body(DestinationWorkspace(bundles: $0)) }
    }

    /// The functions that all these destinations share: they log, store records in a file, and wait at a gate.
    private static let prelude = """
        #!/usr/bin/env python3
        import json, os, signal, sys

        def send(**message):
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
            sys.stdout.flush()

        def log(text): send(method="log", params={"level": "info", "message": text})
        def ids(records): return [record["id"] for record in records]
        def reasoned(records): return [{"id": record["id"], "reason": "because"} for record in records]

        def keep(records, file="kept"):
            with open(file, "a") as file:
                for record in records: file.write(json.dumps(record) + "\\n")
                file.flush()
                os.fsync(file.fileno())

        def accept(records):
            keep(records)
            return {"accepted": ids(records)}

        def count(name):
            with open(name, "a") as file:
                file.write("x")
                file.flush()
                return os.fstat(file.fileno()).st_size

        def wait_at_gate():
            with open("gate", "rb", buffering=0) as file: file.read(1)

        def refuse(id, code=1): send(id=id, error={"code": code, "message": "no"})
        version = "1.0"
        capabilities = []
        environment = None
        identity = None
        lines = sys.stdin
        """

    /// The main loop of all these destinations.
    private static let mainLoop = """
        for message in map(json.loads, lines):
            if "id" not in message or "method" not in message: continue
            id = message["id"]
            if message["method"] == "activate":
                environment = message["params"].get("environment")
                send(id=id, result={"version": version, "capabilities": capabilities})
            elif message["method"] == "check":
                send(id=id, result=check())
            elif message["params"].get("dryRun"):
                send(id=id, result=dry_run(message["params"]["batch"]))
            else:
                suite = message["params"]["suite"]
                identity = message["params"].get("suiteIdentity")
                result = deliver(message["params"]["batch"], count("batches"))
                if result is not None: send(id=id, result=result)
        """

    /// Adds a destination.
    ///
    /// - Returns: The folder of its bundle, which is also its working directory.
    @discardableResult
    func add(
        _ program: String,
        named name: String = "tried",
        batchesAtOnce: Int = 1,
        attributes: [String: Any] = [:]
    ) throws -> String {
        let own: [String: Any] = [
            "PushhostDestinationName": name, "PushhostDestinationConcurrentBatches": batchesAtOnce,
        ]
        let folder = try bundles.add(
            named: name,
            point: "pushhost.destination",
            script: nil,
            attributes: own.merging(attributes) { $1 }
        )
        try writeExecutable([Self.prelude, program, Self.mainLoop].joined(separator: "\n"), to: "\(folder)/run")
        return folder
    }

    /// Starts a host with the shortest possible retry delays, so that no test waits for them.
    func host(
        _ options: [String] = [],
        suite: String = "standard",
        unchecked reason: String? = nil
    ) throws -> HostProcess {
        let pauses = ["--retry-base", "1", "--retry-limit", "1", "--restart-budget", "1000000"]
        return try bundles.host(pauses + ["--suite", suite] + options, unchecked: reason)
    }

    /// The records that a destination kept, in order.
    static func kept(_ folder: String, file: String = "kept") throws -> [JSON] {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)") else { return [] }
        return try String(decoding: data, as: UTF8.self).split(separator: "\n").map { try JSON(parsing: String($0)) }
    }
}

extension HostProcess {
    /// Saves records of several users in the default suite.
    ///
    /// Of ten records four are events, four are attributes, one is a profile field and one an increment.
    ///
    /// - Returns: Their ids.
    @discardableResult
    func saveRecords(_ count: Int, users: Int = 7, suite: String? = nil) throws -> [Int64] {
        for number in 0..<count {
            let (method, params) = Self.record(number)
            let user: JSON = ["external_id": .string("user-\(number % users)")]
            let own = suite.map { [("suite", JSON.string($0))] } ?? []
            try request(method, .object(JSON.Object(params + own + [("user", user)])))
        }
        return try (0..<count).map { _ in
            let reply = try reply()
            guard let id = reply["result"]?["id"]?.integer else { throw TestFailure("not saved: \(reply)") }
            return id
        }
    }

    private static func record(_ number: Int) -> (String, [(String, JSON)]) {
        switch number % 10 {
        case 0, 2, 4, 6: ("saveCustomEvent", [("name", .string("e\(number)")), ("properties", ["n": JSON(number)])])
        case 9: ("saveCustomAttribute", [("key", .string("i\(number)")), ("value", ["inc": 1])])
        case 5: ("saveUserAttribute", [("field", "first_name"), ("value", .string("v\(number)"))])
        default: ("saveCustomAttribute", [("key", .string("a\(number)")), ("value", JSON(number))])
        }
    }

    /// Flushes to a destination and returns the whole reply.
    func deliver(to name: String = "tried", _ params: [(String, JSON)] = []) throws -> JSON {
        try call("flushPending", .object(JSON.Object([("to", .string(name))] + params)))
    }

    /// Returns all items of a method whose result is split into pages.
    func all(_ method: String, _ member: String, suite: String? = nil) throws -> [JSON] {
        var all: [JSON] = []
        while true {
            let own = suite.map { [("suite", JSON.string($0))] } ?? []
            let params = JSON.Object([("after", all.last?["id"] ?? 0), ("limit", 150)] + own)
            guard let page = try result(method, .object(params))[member]?.array, page.count > 0 else { return all }
            all += page
        }
    }

    /// Returns what `suites` reports about a suite's deliveries to a destination.
    func deliveryStatus(of suite: String = "standard", to name: String = "tried") throws -> JSON {
        let suites = try result("suites")["suites"]?.array.map(Array.init) ?? []
        let deliveries = suites.first { $0["suite"] == .string(suite) }?["deliveries"]?.array.map(Array.init) ?? []
        return deliveries.first { $0["to"] == .string(name) } ?? .null
    }

    /// Subscribes to the destinations' log messages.
    func subscribe(_ topics: JSON = ["$/log"]) throws { _ = try result("subscribe", ["topics": topics]) }

    /// Waits for a log message of a destination, and returns the params of its notification.
    @discardableResult
    func awaitLog(_ text: String) throws -> JSON {
        while true {
            let log = try notification("$/log")
            if log["message"] == .string(text) { return log }
        }
    }
}
