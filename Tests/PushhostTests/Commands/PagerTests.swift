import Foundation
import TestSupport
import Testing

/// Lists that are longer than the terminal.
@Suite(.waits, .wire) struct PagerTests {
    @Test(
        "A list goes through PAGER if it is longer than the terminal, and it is printed if the shell does not find that",
        arguments: [
            ("cat >", 6, true, false), ("cat >", 7, false, true), ("nonesuch 2>", 6, false, true),
            ("head -c 0 >", 6, false, false), ("", 6, false, true),
        ]
    )
    func list(pager: String, rows: Int, isPaged: Bool, isPrinted: Bool) throws {
        try Workspace.open { workspace in
            for name in ["one", "two", "three", "four", "five"] {
                #expect(try CommandRun(["save", "event", name], workspace).status == .code(0))
            }
            let list = try CommandRun(["pending"], workspace).output
            #expect(list.split(separator: "\n").count == 6)
            let file = "\(workspace.root)/paged"
            let environment = ProcessInfo.processInfo.environment.merging(
                ["PAGER": pager.isEmpty ? "" : "\(pager) '\(file)'"]
            ) { $1 }
            let run = try CommandRun(
                ["pending"] + workspace.arguments(),
                environment: environment,
                terminal: Pseudoterminal(columns: 40, rows: rows)
            )
            #expect(run.status == .code(0))
            #expect(run.output.replacing("\r\n", with: "\n") == (isPrinted ? list : ""))
            let paged = try? String(contentsOfFile: file, encoding: .utf8)
            #expect((paged == list) == isPaged)
        }
    }

    @Test("A list that is not for a terminal does not go through PAGER")
    func pipe() throws {
        try Workspace.open { workspace in
            #expect(try CommandRun(["save", "event", "one"], workspace).status == .code(0))
            let environment = ProcessInfo.processInfo.environment.merging(["PAGER": "false", "LINES": "1"]) { $1 }
            let run = try CommandRun(["suites"] + workspace.arguments(), environment: environment)
            #expect(run.rows == ["SUITE PENDING POSSIBLY SENT DEAD LETTERS FLUSHED TO", "standard 1 0 0"])
        }
    }
}
