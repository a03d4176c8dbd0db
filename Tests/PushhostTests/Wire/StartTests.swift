import Foundation
import JSON
import TestSupport
import Testing

/// What a host does before something asks for it.
@Suite(.waits, .wire) struct StartTests {
    private func threads(of host: HostProcess) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.process.pid)/task").count
    }

    @Test(
        "A host has one thread until it opens a suite, because libdispatch's threads take long to start",
        .enabled(if: Processes.areListed)
    )
    func oneThread() throws {
        try Workspace.open { workspace in
            let host = try workspace.host()
            try host.result("ping")
            #expect(try threads(of: host) == 1)
            try host.result("saveCustomEvent", ["suite": "s", "name": "e"])
            #expect(try threads(of: host) > 1)
            #expect(try host.finish() == .code(0))
        }
    }

    @Test(
        "A program that lacks what the system must give it ends with 71, before it does anything",
        .enabled(if: isLinux),
        arguments: [
            // Swift finds the arguments by way of this file; a sandbox may hide it.
            (["-P", "/proc/self/maps", "-e", "inject=openat:error=EACCES"], "/proc/self/maps"),
            (["-e", "inject=pipe2:error=EMFILE:when=1"], "no pipe for signals"),
        ] as [([String], String)]
    )
    func unserved(fault: [String], needed: String) throws {
        try withTemporaryDirectory { folder in
            let strace = [try Tool(name: "strace", package: "strace").path(), "-f", "-qq", "-o", "/dev/null"] + fault
            let host = try startHost(folder, ["--no-control"], under: strace, unchecked: "it serves nobody")
            try? host.write(save(1).utf8)
            host.closeInput()
            #expect(try host.readToEnd() == "")
            #expect(try host.wait() == .code(71))
            #expect(host.standardError.contains(needed), "\(host.standardError)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }
}
