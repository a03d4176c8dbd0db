import Foundation
import JSON
import TestSupport
import Testing

/// Limits of requests and replies in progress on stdin and stdout, and how the streams end.
@Suite(.waits, .wire) struct StandardStreamLimitsTests {
    private func withHost(_ options: [String] = [], _ body: (HostProcess) throws -> Void) throws {
        // AddressSanitizer would keep 256 MiB of what the host has released, and its memory is measured.
        var environment = ProcessInfo.processInfo.environment
        environment["ASAN_OPTIONS", default: ""] += ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
        try withTemporaryDirectory { folder in
            try body(try HostProcess(["--data", folder, "--plugins", folder] + options, environment: environment))
        }
    }

    private func pings(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { Array("{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"ping\"}\n".utf8) }
    }

    private func checkPings(_ host: HostProcess, _ count: Int) throws {
        for id in 0..<count {
            let line = try #require(try host.process.readLine())
            guard line.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":") else {
                throw TestFailure("reply \(id) is \(line)")
            }
        }
    }

    @Test("A client may write 100,000 requests before it reads the first reply")
    func writesFirst() throws {
        try withHost { host in
            try host.process.write(pings(100_000), readsOutput: false)
            try checkPings(host, 100_000)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Beyond the limit of unread replies, requests wait and none is lost")
    func outputLimit() throws {
        try withHost(["--output-limit", "4096"]) { host in
            try host.process.write(pings(20_000))
            host.process.closeInput()
            try checkPings(host, 20_000)
            #expect(try host.process.readLine() == nil)
            #expect(try host.process.wait() == .code(0))
        }
    }

    @Test("If one reply exceeds the limit, the next request runs once that reply is read")
    func tinyOutputLimit() throws {
        try withHost(["--output-limit", "1"]) { host in
            for _ in 0..<20 { try host.request("rpc.discover") }
            for id in 1...20 { #expect(try host.reply()["id"] == JSON(id)) }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "Replies that wait for a commit count towards the limit, so large ones do not pile up in one iteration",
        .enabled(if: access("/proc/self/status", R_OK) == 0)
    )
    func largeReplies() throws {
        try withHost(["--output-limit", "500000"]) { host in
            let text = JSON.string(String(repeating: "x", count: 500_000))
            try host.request("store", ["key": "k", "value": text])
            #expect(try host.reply()["result"] != nil)
            try host.request("retrieve", ["key": "k"])
            #expect(try host.reply()["result"] != nil)
            let before = try peakMemory(of: host)
            // One write, so one iteration: the save holds back the replies behind it until the commit.
            let lines = (0..<40).map { id -> String in
                let method: JSON = id % 2 == 0 ? "saveCustomEvent" : "retrieve"
                let params: JSON = id % 2 == 0 ? ["name": "Seen"] : ["key": "k"]
                let line: JSON = ["jsonrpc": "2.0", "id": JSON(id), "method": method, "params": params]
                return line.description + "\n"
            }
            try host.process.write(lines.joined().utf8)
            for id in 0..<40 { #expect(try host.reply()["id"] == JSON(id)) }
            let growth = try peakMemory(of: host) - before
            #expect(growth < 10_000, "\(growth) KiB")
        }
    }

    /// The peak memory of a host, in KiB.
    private func peakMemory(of host: HostProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(host.process.pid)/status", encoding: .utf8)
        let text = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/)).output.1
        return try #require(Int(text))
    }

    @Test(
        "A line of millions of empty arrays is refused before it is parsed into memory",
        .enabled(if: access("/proc/self/status", R_OK) == 0)
    )
    func manyMembers() throws {
        try withHost { host in
            #expect(try host.result("ping")["version"] != nil)
            let before = try peakMemory(of: host)
            try host.send(line: "[" + String(repeating: "[],", count: 5_500_000) + "[]]")
            #expect(try host.reply()["error"]?["data"]?["reason"] == "batchTooLong")
            let growth = try peakMemory(of: host) - before
            // The arrays would need several times as much; a sanitizer doubles what the line needs.
            #expect(growth < 200_000, "\(growth) KiB")
        }
    }

    @Test("A batch of large answers is answered completely, in order")
    func largeAnswers() throws {
        try withHost { host in
            let members = (0..<20).map { ["jsonrpc": "2.0", "id": JSON($0), "method": "rpc.discover"] as JSON }
            try host.send(JSON(members))
            let answers = try #require(try host.reply().array)
            #expect(answers.map { $0["id"] } == (0..<20).map { JSON($0) })
            #expect(answers.allSatisfy { $0["result"]?["openrpc"] != nil })
        }
    }

    @Test(
        "Members of a batch after shutdown fail with stopping, in lock-step too",
        arguments: [[], ["--seed", "1"]]
    )
    func shutdownInBatch(options: [String]) throws {
        try withHost(options) { host in
            let methods = ["ping", "shutdown", "saveCustomEvent", "ping"]
            let members = methods.enumerated().map { index, method -> JSON in
                let params: JSON = method == "saveCustomEvent" ? ["name": "Late"] : [:]
                return ["jsonrpc": "2.0", "id": JSON(index), "method": .string(method), "params": params]
            }
            try host.send(JSON(members))
            let answers = try #require(try host.reply().array)
            #expect(answers.map { $0["id"] } == [0, 1, 2, 3])
            #expect(answers[0]["result"] != nil && answers[1]["result"] == .null)
            for answer in answers.dropFirst(2) { #expect(answer["error"]?["data"]?["reason"] == "stopping") }
            #expect(try host.process.wait() == .code(0))
        }
    }

    @Test("A batch whose answer is far over the limit is answered completely")
    func batchOverLimit() throws {
        try withHost(["--output-limit", "100"]) { host in
            let members = (0..<1_000).map { ["jsonrpc": "2.0", "id": JSON($0), "method": "ping"] as JSON }
            try host.send(JSON(members))
            #expect(try host.reply().array?.count == 1_000)
        }
    }

    @Test("A file on stdin is processed to its end")
    func file() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/session.jsonl"
            try Data(pings(10_000).dropLast()).write(to: URL(filePath: path))
            let command = try hostCommand(["--data", folder])
            let host = try ChildProcess(command[0], Array(command.dropFirst()), input: .file(path))
            let lines = try host.readToEnd().split(separator: "\n")
            #expect(lines.count == 10_000)
            #expect(lines.last?.contains("\"id\":9999,") == true)
            #expect(try host.wait() == .code(0))
        }
    }

    @Test("A file on stdout receives every reply, in order")
    func outputFile() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/replies.jsonl"
            let command = "exec \(quoted(try hostCommand(["--data", folder]))) >> '\(path)'"
            try Data("before\n".utf8).write(to: URL(filePath: path))
            let host = try ChildProcess("sh", ["-c", command])
            try host.write(pings(5_000))
            host.closeInput()
            #expect(try host.wait() == .code(0))
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 5_001)
            #expect(lines[0] == "before")
            #expect(lines[5_000].contains("\"id\":4999,"))
        }
    }

    @Test("A full disk behind stdout ends the host with 74 and a message", .enabled(if: access("/dev/full", W_OK) == 0))
    func fullDisk() throws {
        try withTemporaryDirectory { folder in
            let command = "exec \(quoted(try hostCommand(["--data", folder]))) > /dev/full"
            let host = try ChildProcess("sh", ["-c", command])
            try host.write(line: #"{"jsonrpc":"2.0","id":1,"method":"saveCustomEvent","params":{"name":"Kept"}}"#)
            #expect(try host.wait() == .code(74))
            let next = try HostProcess(["--data", folder])
            #expect(try next.result("pending")["total"] == 1, "what was carried out is stored")
        }
    }

    @Test("A signal ends the host with its exit code", arguments: [SIGHUP, SIGINT, SIGTERM])
    func signals(number: Int32) throws {
        try withHost { host throws in
            #expect(try host.result("saveCustomEvent", ["name": "Kept"])["id"] == 1)
            host.process.kill(number)
            #expect(try host.process.wait() == .code(128 + number))
        }
    }

    @Test("A signal that the host was started to ignore stays ignored")
    func ignoredSignal() throws {
        try withTemporaryDirectory { folder in
            let command = "trap '' HUP; exec \(quoted(try hostCommand(["--data", folder])))"
            let host = try ChildProcess("sh", ["-c", command])
            try host.write(line: #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
            _ = try host.readLine()
            host.kill(SIGHUP)
            try host.write(line: #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
            #expect(try host.readLine()?.contains("\"id\":2") == true)
        }
    }

    @Test("shutdown is answered last, and the lines behind it are not executed")
    func shutdown() throws {
        try withHost { host in
            let ids = [
                try host.request("saveCustomEvent", ["name": "Before"]), try host.request("shutdown"),
                try host.request("saveCustomEvent", ["name": "After"]),
            ]
            #expect(try [host.reply(), host.reply()].map { $0["id"] } == [ids[0], ids[1]])
            #expect(try host.process.wait() == .code(0))
            #expect(throws: TestFailure.self) { try host.reply() }
        }
    }

    @Test(
        "A usage error is reported on stderr with exit code 64",
        arguments: [["--clock", "noon"], ["--nonsense"], ["--suite", "../x"]]
    )
    func usage(arguments: [String]) throws {
        let command = try hostCommand(arguments, unchecked: "it ends before it serves")
        let host = try ChildProcess(command[0], Array(command.dropFirst()))
        #expect(try host.wait() == .code(64))
        #expect(try host.readToEnd() == "")
        #expect(host.standardError.contains("Error"))
    }
}
