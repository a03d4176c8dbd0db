import Foundation
import TestSupport
import Testing

/// The official clients of both protocol generations.
///
/// They come from PyPI: `.ci/run` installs them and runs this suite with `PUSHHOST_REFEREES=required`. `swift test`
/// alone needs no network, and reports that the clients were not run.
@Suite(.waits, .wire) struct MCPRefereeTests {
    /// The clients' virtual environments, one for each generation.
    private static let folders = ["mcp-1", "mcp-2"].map { "\(repositoryRoot)/.build/referees/\($0)" }
    private static let areRequired = ProcessInfo.processInfo.environment["PUSHHOST_REFEREES"] == "required"

    private static func python(in folder: String) -> String { "\(folder)/bin/python" }

    private static func isThere(_ folder: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: python(in: folder))
    }

    @Test(
        "The official Python clients complete a session without an error",
        .enabled(
            if: areRequired || folders.allSatisfy(isThere),
            "did not run: .build/referees has no official MCP clients; .ci/run fetches them from PyPI"
        ),
        arguments: folders
    )
    func session(folder: String) throws {
        try #require(Self.isThere(folder), "\(folder) lacks the package mcp of PyPI, which .ci/run installs there")
        let script = "\(repositoryRoot)/Tests/Referees/mcp_client.py"
        let host = try hostExecutable()
        let referee = try ChildProcess(Self.python(in: folder), [script, host, "\(repositoryRoot)/plugins"])
        let verdict = try referee.readToEnd()
        #expect(try referee.wait() == .code(0), "\(verdict)\(referee.standardError)")
        #expect(verdict.hasSuffix(" checks passed\n"), "\(verdict)")
    }
}
