import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing

/// `checkExtension`: the check of a bundle in a process of its own.
@Suite(.waits, .wire) struct CheckExtensionTests {
    /// A workspace with a folder for temporary files, which must be empty afterwards.
    private func withHost(_ options: [String] = [], _ body: (HostProcess, Workspace) throws -> Void) throws {
        try Workspace.open { workspace in
            let temporary = "\(workspace.root)/tmp"
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
            let environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary]) { $1 }
            try body(try workspace.host(options, environment: environment), workspace)
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
        }
    }

    /// The findings without what differs from run to run.
    private func findings(_ report: JSON?) -> [[JSON?]] {
        // The memory and the times of each run differ.
        (report?["findings"]?.array.map(Array.init) ?? []).map {
            [$0["severity"], $0["place"], $0["place"] == "usage" ? nil : $0["message"]]
        }
    }

    /// Adds a bundle whose extension never answers; it tells its start by a named pipe.
    private func addSilent(_ workspace: Workspace) throws -> (folder: String, awaitStart: () throws -> Set<Int32>) {
        let folder = try workspace.add(named: "silent", script: "echo on >started; cat >/dev/null; sleep 1000")
        let pipe = "\(folder)/started"
        try #require(mkfifo(pipe, 0o600) == 0)
        return (
            folder,
            {
                // Opened for writing too, since a check that ends before the extension starts would be awaited for ever.
                let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
                try #require(descriptor >= 0)
                defer { close(descriptor) }
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                try #require(poll(&entry, 1, Int32(ChildProcess.patience * 1_000)) == 1, "the extension did not start")
                _ = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).availableData
                return Set(try Processes.family(in: folder))
            }
        )
    }

    @Test("The result is the report that pushhost extensions check prints, for a good and for a broken bundle")
    func report() throws {
        try withHost { host, workspace in
            for (behaviour, errors) in [("good", false), ("crash", true)] {
                let folder = try workspace.add(behaviour)
                let printed = try JSON(parsing: CommandRun.check([folder, "--json"]).output)
                let report = try host.result("checkExtension", ["path": .string(folder)])
                #expect(findings(report) == findings(printed), "\(report)")
                #expect(report["errors"] == printed["errors"] && report["warnings"] == printed["warnings"])
                #expect((report["errors"] != 0) == errors)
                #expect(report["bundle"]?.string?.hasSuffix("/\(behaviour)") == true)
            }
            #expect(try host.result("pending")["total"] == 0, "the extension saves into suites of the check")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("The result is the same for a client of the Model Context Protocol")
    func tool() throws {
        try withHost { host, workspace in
            let folder = try workspace.add("crash")
            let answer = try host.result("tools/call", MCP.params("checkExtension", ["path": .string(folder)]))
            #expect(answer["structuredContent"]?["errors"] == 1)
            #expect(answer["content"]?[0]?["text"]?.string?.contains(#""severity":"error""#) == true, "\(answer)")
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("What is no bundle and no executable is refused with the reason")
    func wrongPaths() throws {
        try withHost { host, workspace in
            let file = "\(workspace.root)/letter"
            try Data("Dear Ada".utf8).write(to: URL(filePath: file))
            for (path, text) in [
                ("\(workspace.root)/none", "there is no such folder or executable"),
                ("none", "/none: there is no such"),
                ("--help", "/--help: there is no such"), (file, "it is not an executable file"),
                (workspace.root, "it has no Info.plist, so it is not a bundle"),
            ] {
                let error = try host.error("checkExtension", ["path": .string(path)])
                #expect(error.reason == "invalidParams" && error.data?["path"] == "/params/path", "\(error)")
                #expect(error.message.contains(text), "\(error.message)")
            }
            for path in ["", 5] as [JSON] {
                #expect(try host.error("checkExtension", ["path": path]).reason == "mistypedParam")
            }
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("During a check other calls are answered, and a second check waits for the first")
    func meanwhile() throws {
        try withHost { host, workspace in
            let (folder, awaitStart) = try addSilent(workspace)
            let first = try host.request("checkExtension", ["path": .string(folder)])
            let second = try host.request("checkExtension", ["path": .string(folder)])
            let third = try host.request("checkExtension", ["path": .string(folder)])
            let processes = try awaitStart()
            #expect(!processes.isEmpty)
            #expect(try host.result("saveCustomEvent", ["name": "Meanwhile"])["id"] == 1)
            #expect(try host.result("$/cancelRequest", ["id": third]) == ["cancelled": true])
            #expect(try host.reply()["id"] == third)
            #expect(try host.result("$/cancelRequest", ["id": first]) == ["cancelled": true])
            let cancelled = try host.reply()
            #expect(cancelled["id"] == first && cancelled["error"]?["data"]?["reason"] == "requestCancelled")
            let next = try awaitStart()
            #expect(!next.isEmpty && next.isDisjoint(with: processes), "the extension of the cancelled check has ended")
            #expect(try host.result("$/cancelRequest", ["id": second]) == ["cancelled": true])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("After the end of input a check that runs is completed and answered")
    func endOfInput() throws {
        try withHost { host, workspace in
            let folder = try workspace.add("good")
            try host.request("checkExtension", ["path": .string(folder)])
            #expect(try host.finish() == .code(0))
            #expect(try host.reply()["result"]?["errors"] == 0)
        }
    }

    @Test("A check ends with the host that a signal ends, and its call is answered", arguments: [SIGTERM, SIGINT])
    func signal(number: Int32) throws {
        try withHost { host, workspace in
            let (folder, awaitStart) = try addSilent(workspace)
            try host.request("checkExtension", ["path": .string(folder)])
            try host.request("checkExtension", ["path": .string(folder)])
            #expect(try !awaitStart().isEmpty)
            host.process.kill(number)
            for _ in 0..<2 { #expect(try host.reply()["error"]?["data"]?["reason"] == "stopping") }
            #expect(try host.process.wait() == .code(128 + number))
            #expect(try Processes.family(in: folder) == [])
        }
    }

    @Test("A check that takes too long is ended with an error")
    func deadline() throws {
        try withHost(["--check-deadline", "10000"]) { host, workspace in
            let (folder, awaitStart) = try addSilent(workspace)
            try host.request("checkExtension", ["path": .string(folder)])
            #expect(try !awaitStart().isEmpty)
            let error = try host.reply()["error"]
            #expect(error?["data"]?["reason"] == "checkFailed")
            #expect(error?["message"] == "the check did not end within 10000 ms")
            #expect(try host.finish() == .code(0))
            #expect(try Processes.family(in: folder) == [])
        }
    }

    @Test("A checked extension gets no variable of the host's environment, even as a destination that names it")
    func environment() throws {
        try Workspace.open { workspace in
            let folder = try workspace.add(
                named: "curious",
                point: "pushhost.destination",
                script: "env >environment; cat >/dev/null",
                attributes: ["PushhostDestinationName": "curious", "PushhostEnvironment": ["SECRET_KEY"]]
            )
            let secret = ["SECRET_KEY": "for-one-destination-only"]
            let host = try workspace.host(environment: ProcessInfo.processInfo.environment.merging(secret) { $1 })
            let report = try host.result("checkExtension", ["path": .string(folder)])
            let text = try String(contentsOfFile: "\(folder)/environment", encoding: .utf8)
            #expect(text.contains("PATH="))
            #expect(!text.contains("for-one-destination-only"))
            #expect(!report.description.contains("for-one-destination-only"))
            #expect(try host.finish() == .code(0))
        }
    }
}
