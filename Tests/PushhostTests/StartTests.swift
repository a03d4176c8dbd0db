import Foundation
import JSON
import TestSupport
import Testing

/// What a host does before something asks for it.
@Suite(.hangs, .wire) struct StartTests {
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
}
