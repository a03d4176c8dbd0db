import Foundation
import JSON
import TestSupport
import Testing

/// The process of a destination: concurrent calls, and an exit that loses nothing.
///
/// Tested with only the host's extension runner.
@Suite(.waits, .wire) struct DestinationProcessTests {
    /// Handles each batch as its suite's name says.
    private static let program = """
        #!/usr/bin/env python3
        import json, os, signal, sys, time

        def send(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

        held = []
        for message in map(json.loads, sys.stdin):
            if "id" not in message: continue
            id, suite = message["id"], message["params"].get("suite")
            result = {"version": "1.0"} if suite is None else {"suite": suite[:20]}
            if suite == "pair":
                held.append(id)
                if len(held) == 2:
                    for id in reversed(held): send(id=id, result=result)
                    held = []
            elif suite == "works":
                end = time.process_time() + 0.1
                while time.process_time() < end: pass
                send(id=id, result=result)
            elif suite == "rests":
                time.sleep(0.3)
                send(id=id, result=result)
            elif suite == "dies": os._exit(3)
            elif suite == "stays":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                while True: signal.pause()
            elif suite == "never": pass
            elif suite is not None and suite.startswith("late"): held.append((id, result))
            else: send(id=id, result=result)
        for id, result in held: send(id=id, result=result)
        """

    private func open(_ limits: [String], _ body: (HostProcess) throws -> Void) throws {
        try Workspace.open { workspace in
            let bundle = try workspace.add(
                named: "destination",
                point: "pushhost.destination",
                script: nil,
                attributes: ["PushhostDestinationName": "tried"]
            )
            try writeExecutable(Self.program, to: "\(bundle)/run")
            let driver = try HostProcess([bundle] + limits, program: "process-driver")
            try body(driver)
            _ = try driver.finish()
        }
    }

    private func deliver(_ driver: HostProcess, _ suites: [String]) throws -> [JSON] {
        try suites.map { try driver.request("deliver", ["suite": .string($0), "batch": []]) }
    }

    /// The next replies, by id.
    private func replies(_ driver: HostProcess, to ids: [JSON]) throws -> [JSON] {
        let replies = try ids.map { _ in try driver.reply() }
        return try ids.map { id in try #require(replies.first { $0["id"] == id }) }
    }

    private func waitUntilSent(_ driver: HostProcess, _ ids: [JSON]) throws {
        for id in ids { #expect(try driver.notification("sent")["id"] == id) }
    }

    private func wasSent(_ reply: JSON) -> Bool? { reply["error"]?["data"]?["wasSent"]?.bool }

    @Test("Two calls run concurrently and are answered in any order, and a third waits")
    func overlap() throws {
        try open(["concurrentCalls=2"]) { driver in
            let ids = try deliver(driver, ["pair", "pair", "at once"])
            let order = try ids.map { _ in try driver.reply()["id"] }
            #expect(order == [ids[1], ids[0], ids[2]])
            #expect(driver.notifications.map { $0["params"]?["id"] } == ids)
        }
    }

    @Test(
        "Calls in flight are finished after a stop, and calls that were not sent fail with an error that says so",
        arguments: [1, 2]
    )
    func stop(concurrent: Int) throws {
        try open(["concurrentCalls=\(concurrent)"]) { driver in
            let ids = try deliver(driver, Array(repeating: "late", count: concurrent + 2))
            try waitUntilSent(driver, Array(ids[..<concurrent]))
            let stop = try driver.request("stop")
            for id in ids[concurrent...] {
                let reply = try driver.reply()
                #expect(reply["id"] == id, "\(reply)")
                #expect(wasSent(reply) == false, "\(reply)")
            }
            #expect(try driver.reply()["id"] == stop)
            for id in ids[..<concurrent] {
                let reply = try driver.reply()
                #expect(reply["id"] == id, "\(reply)")
                #expect(reply["result"] == ["suite": "late"], "\(reply)")
            }
            #expect(driver.notifications.isEmpty)
            #expect(try ends(driver) == [["reason": "the host is stopping", "code": 0]])
        }
    }

    /// The exit history of its processes, once one has exited.
    private func ends(_ driver: HostProcess) throws -> JSON {
        var ends: JSON = []
        try Processes.wait(for: "the end of the process") {
            ends = try driver.result("history")["ends"] ?? []
            return ends != []
        }
        return ends
    }

    @Test("A batch that is larger than the pipe's buffer is written completely before the process's stdin is closed")
    func large() throws {
        try open(["concurrentCalls=2"]) { driver in
            let suite = "late" + String(repeating: "x", count: 2 << 20)
            let ids = try deliver(driver, [suite, suite])
            try waitUntilSent(driver, ids)
            let stop = try driver.request("stop")
            #expect(try driver.reply()["id"] == stop)
            for reply in try replies(driver, to: ids) {
                #expect(reply["result"] == ["suite": .string(String(suite.prefix(20)))])
            }
        }
    }

    @Test("A process that ignores the stop is killed after the grace period, and its calls in flight fail")
    func stays() throws {
        try open(["concurrentCalls=2", "stop=50"]) { driver in
            let ids = try deliver(driver, ["never", "stays"])
            try waitUntilSent(driver, ids)
            let stop = try driver.request("stop")
            #expect(try driver.reply()["id"] == stop)
            for reply in try replies(driver, to: ids) {
                #expect(wasSent(reply) == true)
                #expect(reply["error"]?["message"] == "was ended by signal 9")
            }
        }
    }

    @Test("A crash fails all calls in flight and reports which ones were not sent")
    func crash() throws {
        try open(["concurrentCalls=2"]) { driver in
            let ids = try deliver(driver, ["never", "dies", "at once"])
            let failed = try replies(driver, to: ids)
            #expect(failed.map(wasSent) == [true, true, false])
            for reply in failed { #expect(reply["error"]?["message"] == "exited with code 3") }
            #expect(try driver.call("deliver", ["suite": "again", "batch": []])["result"] == ["suite": "again"])
            #expect(try driver.result("history")["starts"] == 2)
        }
    }

    @Test("A call that misses its deadline ends the process and fails its other calls")
    func deadline() throws {
        try open(["concurrentCalls=2", "call=200"]) { driver in
            let ids = try deliver(driver, ["never", "never", "at once"])
            let failed = try replies(driver, to: ids)
            #expect(failed.map(wasSent) == [true, true, false])
            for reply in failed { #expect(reply["error"]?["message"] == "did not answer deliver within 200 ms") }
        }
    }

    @Test("The deadline also applies to a call that is being finished after a stop")
    func deadlineAfterStop() throws {
        try open(["call=200", "stop=60000"]) { driver in
            let ids = try deliver(driver, ["stays"])
            try waitUntilSent(driver, ids)
            try driver.request("stop")
            _ = try driver.reply()
            let reply = try driver.reply()
            #expect(reply["error"]?["message"] == "did not answer deliver within 200 ms")
            #expect(wasSent(reply) == true)
        }
    }

    @Test("A destination that always has a call in flight is not stopped for its total processor time")
    func processorTime() throws {
        try open(["concurrentCalls=2", "processorTime=1500"]) { driver in
            let ids = try deliver(driver, Array(repeating: "works", count: 20))
            for reply in try replies(driver, to: ids) { #expect(reply["result"] == ["suite": "works"], "\(reply)") }
        }
    }

    @Test("An idle process is stopped only after its calls are done")
    func idle() throws {
        try open(["idle=20"]) { driver in
            let result = try driver.result("deliver", ["suite": "rests", "batch": []])
            #expect(result == ["suite": "rests"])
            #expect(try ends(driver) == [["reason": "it was unused for 20 ms", "code": 0]])
            #expect(try driver.result("history")["starts"] == 1)
        }
    }
}
