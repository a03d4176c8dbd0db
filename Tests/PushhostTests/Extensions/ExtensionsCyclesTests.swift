import JSON
import TestSupport
import Testing

/// A hundred runs of an extension leave no more resources in use than one.
@Suite(.waits, .wire, .processesAreListed) struct ExtensionsCyclesTests {
    @Test("A hundred clean starts and stops leave no process and no descriptor")
    func clean() throws {
        try HostileWorkspace.open(prepare: { try $0.add("saves") }) { workspace in
            for _ in 0..<100 {
                _ = try workspace.host.shown("saves")
                try workspace.host.result("reloadExtensions", ["force": true])
            }
            let saves = try workspace.host.describe("saves")
            #expect(saves["starts"] == 100)
            #expect(saves["faults"] == 0)
            #expect(try workspace.savedEvents() == 101)
        }
    }

    @Test("A hundred crashes leave no zombie, no child in a session of its own and no descriptor")
    func crashes() throws {
        try HostileWorkspace.open(["--restart-budget", "1000"], prepare: { try $0.add("escapedGrandchild") }) {
            workspace in
            for _ in 0..<100 {
                let reply = try workspace.host.show("escapedGrandchild")
                #expect(reply["error"]?["data"]?["exitCode"] == 6)
            }
            #expect(try workspace.host.describe("escapedGrandchild")["starts"] == 100)
            #expect(try workspace.host.describe("escapedGrandchild")["faults"] == 100)
        }
    }

    @Test("A hundred failed starts leave no zombie, no child in a session of its own and no descriptor")
    func failedStarts() throws {
        try HostileWorkspace.open(["--restart-budget", "1000"], prepare: { try $0.add(named: "missing", script: nil) })
        { workspace in
            for _ in 0..<100 {
                let reply = try workspace.host.show("missing")
                #expect(reply["error"]?["code"] == 120)
            }
        }
    }
}
