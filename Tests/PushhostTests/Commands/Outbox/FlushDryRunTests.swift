import Foundation
import JSON
import TestSupport
import Testing

/// `flushPending` with `dryRun`, and `pushhost flush --dry-run`: what would be sent, and that nothing is sent or changed.
@Suite(.waits, .wire) struct FlushDryRunTests {
    /// A destination that can make a dry run, and that notes each delivery in a file.
    private static let program = """
        capabilities = ["dryRun", "check", "of another host"]
        def deliver(batch, n): return accept(batch)
        def dry_run(batch):
            return {"requests": [{"method": "POST", "url": "test:x", "headers": {"A": "b"}, "body": ids(batch)}]}
        def check(): return {"reachable": True, "message": "fine"}
        """

    private func records(_ host: HostProcess) throws -> [JSON] { try host.all("pending", "records") }

    @Test("A dry run returns the requests for the first batch and leaves every record as it was")
    func requests() throws {
        try DestinationWorkspace.open { destinations in
            let folder = try destinations.add(Self.program)
            let host = try destinations.host()
            try host.saveRecords(1_200)
            let before = try records(host)
            let reply = try host.deliver([("dryRun", true)])["result"]
            let request = reply?["requests"]?[0]
            #expect(request?["body"]?.array?.count == 1_000 && request?["headers"] == ["A": "b"])
            #expect(reply?["records"] == 1_000 && reply?["omitted"] == 200 && reply?["remaining"] == 1_200)
            #expect(
                try host.deliver([("dryRun", true), ("limit", 3)])["result"]?["requests"]?[0]?["body"] == [1, 2, 3]
            )
            #expect(try records(host) == before)
            #expect(try host.deliveryStatus() == .null)
            #expect(try DestinationWorkspace.kept(folder).isEmpty)
            // The records can still be delivered, each once.
            #expect(try host.deliver()["result"]?["delivered"] == 1_200)
            #expect(try DestinationWorkspace.kept(folder).count == 1_200)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A destination that does not declare the capability gets nothing, even if it would treat it as a delivery")
    func incapable() throws {
        try DestinationWorkspace.open { destinations in
            let folder = try destinations.add("def deliver(batch, n): return accept(batch)\ndry_run = accept")
            let host = try destinations.host()
            try host.saveRecords(3)
            let before = try records(host)
            let error = try host.deliver([("dryRun", true)])["error"]
            #expect(error?["code"] == 304 && error?["data"]?["reason"] == "unsupportedByDestination")
            #expect(error?["message"]?.string?.contains("does not declare the capability dryRun") == true)
            let check = try host.call("checkDestination", ["to": "tried"])["error"]
            #expect(check?["data"]?["reason"] == "unsupportedByDestination")
            #expect(try records(host) == before)
            #expect(try DestinationWorkspace.kept(folder).isEmpty)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "An answer that the contract does not allow is an error, and the records stay pending",
        arguments: [
            ("{'accepted': ids(batch), 'requests': []}", "was answered like a delivery"),
            ("{'uncertain': ids(batch), 'requests': []}", "was answered like a delivery"),
            ("{}", "must be answered with requests"),
            ("{'requests': [{'method': 'POST'}]}", "must have a method and a url"),
            ("{'requests': [{'method': 'a', 'url': 'b', 'headers': {'c': 1}}]}", "headers of a request must be texts"),
            ("{'requests': [{'method': 'a', 'url': 'b'}] * 4}", "more requests than records"),
            ("{'stop': 'set the key'}", "until an operator acts: set the key"),
        ]
    )
    func answers(result: String, text: String) throws {
        try DestinationWorkspace.open { destinations in
            try destinations.add("\(Self.program)\ndef dry_run(batch): return \(result)")
            let host = try destinations.host(unchecked: "the destination breaks the contract")
            try host.saveRecords(3)
            #expect(try host.deliver([("dryRun", true)])["error"]?["message"]?.string?.contains(text) == true)
            #expect(try records(host).count == 3)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("Records that would not be sent are counted with their reasons")
    func refusals() throws {
        try DestinationWorkspace.open { destinations in
            try destinations.add(
                """
                \(Self.program)
                def dry_run(batch):
                    return {"requests": [], "held": reasoned(batch[:1]), "rejected": reasoned(batch[1:])}
                """
            )
            let bundles = destinations.bundles
            for name in ["a", "b", "c"] { _ = try CommandRun(["save", "event", name], bundles) }
            let run = try CommandRun(["flush", "--dry-run", "--to", "tried"], bundles)
            #expect(run.status == .code(2))
            #expect(run.output == "standard to tried: would send 0 records, would reject 2, would hold 1\n")
            #expect(run.standardError.contains("2 records would become dead letters: because"))
            #expect(run.standardError.contains("1 record would stay pending: because"))
            #expect(try CommandRun(["pending", "--json"], bundles).json.count == 3)
        }
    }

    @Test("The file destination shows the lines that it would append, and creates no file")
    func file() throws {
        try Workspace.open { workspace in
            for name in ["one", "two"] { _ = try CommandRun(["save", "event", name, "--suite", "a"], workspace) }
            let file = "\(workspace.root)/out.jsonl"
            let arguments = ["flush", "--dry-run", "--to", "file", "--deliver-file", file]
            let lines = try CommandRun(arguments, workspace).output.split(separator: "\n").map(String.init)
            #expect(lines.first == "a to file: would send 2 records in 1 request")
            #expect(lines.dropFirst().first == "append file://\(file)")
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(try CommandRun(arguments.filter { $0 != "--dry-run" }, workspace).status == .code(0))
            let written = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(
                try written.map { try JSON(parsing: String($0)) } == lines.dropFirst(2).map { try JSON(parsing: $0) }
            )
        }
    }

    @Test(
        "A dry run that cannot be made is refused before anything happens",
        arguments: [
            (["dryRun": true], "needs a destination in to"), (["dryRun": true, "to": "caller"], "needs a destination"),
            (["dryRun": true, "to": "file", "lease": 3], "takes no records"),
            (["dryRun": true, "to": "nobody"], "there is no destination"), (["dryRun": 1, "to": "file"], "dryRun"),
        ] as [(JSON, String)]
    )
    func refused(params: JSON, text: String) throws {
        try DestinationWorkspace.open { destinations in
            let host = try destinations.host()
            try host.saveRecords(1)
            #expect(try host.call("flushPending", params)["error"]?["message"]?.string?.contains(text) == true)
            #expect(try records(host).count == 1)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A cancelled dry run is answered at once, and later flushes of the suite wait for its end only")
    func cancelled() throws {
        try DestinationWorkspace.open { destinations in
            let folder = try destinations.add(
                """
                \(Self.program)
                def dry_run(batch):
                    log("begun")
                    wait_at_gate()
                    return {"requests": []}
                """
            )
            let gate = try Gate(folder)
            let host = try destinations.host()
            try host.subscribe()
            try host.saveRecords(3)
            let id = try host.request("flushPending", ["to": "tried", "dryRun": true])
            try host.awaitLog("begun")
            try host.request("$/cancelRequest", ["id": id])
            let replies = try [host.reply(), host.reply()]
            #expect(replies.contains { $0["error"]?["data"]?["reason"] == "requestCancelled" })
            #expect(replies.contains { $0["result"] == ["cancelled": true] })
            try host.request("flushPending", ["to": "tried"])
            try gate.releaseOne()
            #expect(try host.reply()["result"]?["delivered"] == 3)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A suite that does not exist has an empty dry run, and none is created")
    func empty() throws {
        try DestinationWorkspace.open { destinations in
            let host = try destinations.host()
            let reply = try host.deliver(to: "file", [("dryRun", true)])["result"]
            #expect(reply == ["requests": [], "records": 0, "remaining": 0, "diagnostics": []])
            #expect(try host.result("suites")["suites"] == [])
            #expect(try host.finish() == .code(0))
        }
    }

    @Test("A command without the capability says so with an exit code of its own")
    func command() throws {
        try DestinationWorkspace.open { destinations in
            try destinations.add("def deliver(batch, n): return accept(batch)")
            _ = try CommandRun(["save", "event", "a"], destinations.bundles)
            let run = try CommandRun(["flush", "--dry-run", "--to", "tried"], destinations.bundles)
            #expect(run.status == .code(69) && run.output == "")
            #expect(run.standardError.contains("does not declare the capability dryRun, so nothing was sent to it"))
        }
    }
}
