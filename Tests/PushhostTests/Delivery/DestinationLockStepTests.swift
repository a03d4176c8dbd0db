import Foundation
import JSON
import TestSupport
import Testing

/// With a fixed clock and a random seed, a session with flushes produces the same bytes.
@Suite(.waits, .wire) struct DestinationLockStepTests {
    /// Delivers some records, rejects some, and leaves some ambiguous, the same ones in each run.
    private static let program = """
        def deliver(batch, n):
            if n == 2: return {"rejected": reasoned(batch[:3]), "held": reasoned(batch[3:5]), "uncertain": ids(batch[5:9])}
            if n == 3: return {"retryAfter": 5}
            if n == 4: return refuse(id)
            return accept(batch[:40])
        """

    private static let save = #"{"jsonrpc":"2.0","id":1,"method":"saveCustomEvent","params":{"name":"e"}}"#

    /// What a host writes in a session, and what the destination received.
    private func run(_ lines: [String], _ options: [String] = [], program: String = program) throws -> [String] {
        var output: [String] = []
        try DestinationWorkspace.open { workspace in
            let folder = try workspace.add(program)
            let fixed = ["--clock", "2026-01-01T00:00:00Z", "--seed", "7", "--retry-base", "20", "--retry-limit", "40"]
            let host = try workspace.bundles.host(fixed + options)
            try host.process.write(lines.map { $0 + "\n" }.joined().utf8)
            host.process.closeInput()
            output.append(try host.process.readToEnd())
            #expect(try host.process.wait() == .code(0))
            output += try DestinationWorkspace.kept(folder).map(\.description)
        }
        return output
    }

    @Test("In lock-step, replies, progress and the destination's input are identical in each run")
    func session() throws {
        let lines =
            [#"{"jsonrpc":"2.0","id":0,"method":"subscribe","params":[["$/progress","$/log"]]}"#]
            + Array(repeating: Self.save, count: 200)
            + ["flushPending", "deadLetters", "suites", "pending", "retryDeadLetters", "flushPending", "suites"]
            .enumerated()
            .map { index, method in
                let params = method == "flushPending" ? #"{"to":"tried"}"# : "{}"
                return #"{"jsonrpc":"2.0","id":\#(index + 2),"method":"\#(method)","params":\#(params)}"#
            }
        let first = try run(lines)
        #expect(first[0].contains(#""method":"$/progress""#))
        #expect(first[0].contains(#""delivered":"#))
        for _ in 0..<2 { #expect(try run(lines) == first) }
    }

    @Test("In lock-step, a flush of the policy finishes before the next line, so its output is identical in each run")
    func policy() throws {
        let pending = #"{"jsonrpc":"2.0","id":2,"method":"pending"}"#
        let lines = Array(repeating: [Self.save, pending], count: 20).flatMap { $0 }
        let output = try run(
            lines,
            ["--flush-policy", "immediate", "--flush-to", "tried"],
            program: "def deliver(batch, n): return accept(batch)"
        )
        let totals = output[0].split(separator: "\n").compactMap { try? JSON(parsing: String($0))["result"]?["total"] }
        #expect(totals.compactMap { $0 } == Array(repeating: 0, count: 20))
        #expect(output.count == 21)
    }
}
