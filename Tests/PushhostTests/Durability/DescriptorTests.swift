import Foundation
import JSON
import TestSupport
import Testing

/// When the host runs out of descriptors or threads, it says so, and no answered request is lost, whatever the limit is.
@Suite(.waits, .wire) struct DescriptorTests {
    /// The smallest sufficient limit: three of 29 descriptors are stdin, stdout and stderr.
    private static let least = 29

    /// Every small limit, and a sample of larger ones.
    private static let limits: [Int] = {
        var random = SeededGenerator(seed: 12)
        return Array(least...44) + (0..<4).map { _ in Int.random(in: 45...1_100, using: &random) }
    }()

    /// A host that may open that many files and cannot raise the limit.
    private func host(_ workspace: Workspace, limit: Int) throws -> ChildProcess {
        let command = quoted(try hostCommand(workspace.arguments()))
        return try ChildProcess("/bin/sh", ["-c", "ulimit -n \(limit) && exec \(command)"])
    }

    @Test("A host that may start no threads says so, and does not wait for them", .noThreadSanitizer)
    func noThreads() throws {
        try withTemporaryDirectory { folder in
            // Each thread's stack is to be larger than the address space.
            let limit = #"ulimit -s 100000000000; exec "$0" "$@""#
            let host = try startHost(folder, under: ["/bin/sh", "-c", limit], unchecked: "a checker needs threads")
            try host.write(save(0).utf8)
            let error = try host.reply()["error"]
            #expect(error?["data"]?["reason"] == "suiteUnreadable")
            #expect(error?["message"]?.string?.contains("cannot start threads, which ulimit -u") == true)
            try host.finish()
        }
    }

    @Test("Below the minimum limit the host refuses to start and says why", arguments: 16..<least)
    func refusal(_ limit: Int) throws {
        try Workspace.open { workspace in
            let command = quoted(try hostCommand(workspace.arguments(), unchecked: "it refuses to start"))
            let host = try ChildProcess("/bin/sh", ["-c", "ulimit -n \(limit) && exec \(command)"])
            #expect(try host.readToEnd() == "")
            #expect(try host.wait() == .code(71))
            let text =
                "Error: the host opens up to 26 files besides those that are open now, and the limit of open files is "
                + "\(limit); raise it (ulimit -n)\n"
            #expect(host.standardError == text)
        }
    }

    @Test(
        "At any sufficient limit the host answers every request, and everything it answered is stored",
        arguments: limits
    )
    func limit(_ limit: Int) throws {
        try Workspace.open { workspace in
            try workspace.add("good")
            let suites = min(160, limit / 3)
            let host = try host(workspace, limit: limit)
            // Sends all in one write, so that few iterations of the event loop serve many suites.
            let notice = line(suites, "didReceive", HostProcess.payload("good").description)
            let saves = (0..<suites).map { line($0, "saveCustomEvent", #"{"suite":"s\#($0)","name":"e"}"#) }
            let rest = [notice, line(suites + 1, "suites"), line(suites + 2, "flushPending", #"{"suite":"s0"}"#)]
            try host.write((saves + rest).joined().utf8)
            host.closeInput()
            var replies: [JSON] = []
            while let line = try host.readLine() { replies.append(try JSON(parsing: line)) }
            #expect(try host.wait() == .code(0), "\(host.standardError)")
            #expect(Set(ids(replies)) == Set(0..<suites + 3))
            #expect(replies.count == suites + 3)
            for reply in replies {
                guard let error = reply["error"] else { continue }
                #expect(error["message"]?.string?.contains("(ulimit -n)") == true, "\(reply)")
            }
            try check(replies.filter { $0["result"] != nil }, suites, workspace)
        }
    }

    @Test("Running out of descriptors for an extension is reported, and is not counted as a failure of the extension")
    func extensions() throws {
        try Workspace.open { workspace in
            let names = (0..<12).map { "good\($0)" }
            for name in names { try workspace.add(named: name, script: Workspace.script("good")) }
            let command = ["/bin/sh", "-c", #"ulimit -n 40 && exec "$0" "$@""#]
            let host = try workspace.host(under: command)
            let errors = try names.map { try host.show($0)["error"] }.compactMap(\.self)
            #expect(!errors.isEmpty)
            #expect(errors.count < names.count)
            for error in errors {
                #expect(error["data"]?["reason"] == "cannotStart")
                #expect(error["message"]?.string?.hasSuffix("raise the limit (ulimit -n)") == true, "\(error)")
            }
            for name in names { #expect(try host.describe(name)["faults"] == 0) }
            #expect(try host.result("status")["extensionsBackingOff"] == 0)
        }
    }

    @Test("If all descriptors are in use before the first save, the host refuses it and goes on")
    func firstSave() throws {
        try ControlSetup.open { setup in
            let names = (0..<12).map { "good\($0)" }
            for name in names { try setup.workspace.add(named: name, script: Workspace.script("good")) }
            let host = try setup.host(under: ["/bin/sh", "-c", #"ulimit -n 40 && exec "$0" "$@""#])
            // One that fails for another reason, as on a slow machine, gives its descriptors back.
            #expect(try names.contains { try Self.isOutOfDescriptors(host.show($0)) })
            // An extension needs nine to start, or ten in a namespace, and the host accepts eight connections: one each time
            // it looks for input.
            let controls = try (0..<8).map { _ in try setup.connect(to: host) }
            for _ in controls { try host.result("ping") }
            let reply = try host.call("saveCustomEvent", ["suite": "s", "name": "e"])
            #expect(Self.isOutOfDescriptors(reply), "\(reply)")
            // The version is read through a connection to SQLite, which is closed.
            #expect(try host.result("status")["sqlite"]?.string?.hasPrefix("3.") == true)
            #expect(try host.finish() == .code(0), "\(host.process.standardError)")
            _ = controls
        }
    }

    /// Whether a reply says what to do if there are too few descriptors.
    private static func isOutOfDescriptors(_ reply: JSON) -> Bool {
        reply["error"]?["message"]?.string?.contains("(ulimit -n)") == true
    }

    /// Expects every answered save in its suite.
    ///
    /// The first suite was flushed after its save.
    private func check(_ answers: [JSON], _ suites: Int, _ workspace: Workspace) throws {
        let saved = ids(answers).filter { $0 < suites }
        #expect(!saved.isEmpty)
        let found = try workspace.host().result("suites")["suites"]?.array.map(Array.init) ?? []
        let pending = found.filter { $0["pending"] == 1 }.compactMap { $0["suite"]?.string }
        let isFlushed = ids(answers).contains(suites + 2)
        #expect(Set(pending) == Set(saved.filter { $0 > 0 || !isFlushed }.map { "s\($0)" }))
    }
}
