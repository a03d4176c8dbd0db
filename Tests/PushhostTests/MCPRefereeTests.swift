import Foundation
import TestSupport
import Testing

/// The official clients, which need the network once: `.ci/run` fetches them.
@Suite(.hangs, .wire) struct MCPRefereeTests {
    /// The clients' environments, a generation each.
    private static let folders = ["mcp-1", "mcp-2"].map { "\(repositoryRoot)/.build/referees/\($0)" }

    private static func python(in folder: String) -> String { "\(folder)/bin/python" }

    @Test(
        "The official Python clients play a session without a problem",
        .enabled(
            if: folders.allSatisfy { FileManager.default.isExecutableFile(atPath: python(in: $0)) },
            "left out: .build/referees has no official MCP clients; .ci/run fetches them from PyPI"
        ),
        arguments: folders
    )
    func session(folder: String) throws {
        let script = "\(repositoryRoot)/Tests/Referees/mcp_client.py"
        let host = try hostExecutable()
        let referee = try ChildProcess(Self.python(in: folder), [script, host, "\(repositoryRoot)/plugins"])
        let verdict = try referee.readToEnd()
        #expect(try referee.wait() == .code(0), "\(verdict)\(referee.standardError)")
        #expect(verdict.hasSuffix("no problem\n"), "\(verdict)")
    }
}
